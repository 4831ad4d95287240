// Transactions of the general ledger as a source sends them: their members, the rule that each balances, and how they are stored.
import {
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableType,
  type GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { invalid } from '../../records/errors.ts';
import { snakeCase } from '../../records/naming.ts';
import { Decimal, ExternalId, LocalDate } from '../../records/scalars.ts';
import { exactTotal } from '../writes/exact-sum.ts';
import { FIRST_DAY } from './days.ts';

/** A posting of a transaction, checked. */
export interface PostingInput {
  accountId: string | number;
  contactId?: string | number | null;
  amount: number;
  currencyId?: string | null;
  baseAmount?: number | null;
  part?: string | null;
  dueDate?: string | null;
  settledDate?: string | null;
  trackingCategoryIds?: (string | number)[] | null;
  description?: string | null;
}

/** A transaction, checked. */
export interface TransactionInput {
  platformId: string;
  date: string;
  sourceNumber?: string | null;
  journal?: string | null;
  documentType?: string | null;
  documentId?: string | number | null;
  postings: PostingInput[];
}

const required = (type: GraphQLInputType & GraphQLNullableType): GraphQLInputType => new GraphQLNonNull(type);

/** The ids of the source, which compares them as they are. */
const sourceIds = new Set(['platformId', 'accountId', 'contactId', 'documentId']);
const sourceId = { minLength: 1, maxLength: 255, key: 'exact' } as const;

const fields = (types: Record<string, GraphQLInputType>): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    Object.entries(types).map(([name, type]) => [name, { type, ...(sourceIds.has(name) ? { extensions: { rules: sourceId } } : {}) }]),
  );

type TypeNamed = (name: string) => GraphQLInputType;

/** The members of a posting. */
const postingTypes = (named: TypeNamed): Record<string, GraphQLInputType> => ({
  ...{ accountId: required(ExternalId), contactId: ExternalId, amount: required(Decimal), currencyId: named('CurrencyCode') },
  ...{ baseAmount: Decimal, part: named('PostingPart'), dueDate: LocalDate, settledDate: LocalDate },
  ...{ trackingCategoryIds: new GraphQLList(required(ExternalId)), description: GraphQLString },
});

/** The members of a transaction besides its postings. */
const transactionTypes = (named: TypeNamed): Record<string, GraphQLInputType> => ({
  ...{ platformId: required(GraphQLString), date: required(LocalDate), sourceNumber: GraphQLString, journal: GraphQLString },
  ...{ documentType: named('PostingDocument'), documentId: ExternalId },
});

/** The input type of a transaction. It is in no schema: callers cannot write transactions. */
export function transactionType(schema: GraphQLSchema): GraphQLInputObjectType {
  const named: TypeNamed = (name) => schema.getType(name) as GraphQLInputType;
  const posting = new GraphQLInputObjectType({ name: 'SourcePosting', fields: fields(postingTypes(named)) });
  const postings = required(new GraphQLList(required(posting)));
  return new GraphQLInputObjectType({ name: 'LedgerTransaction', fields: fields({ ...transactionTypes(named), postings }) });
}

const namesOf = (types: (named: TypeNamed) => Record<string, GraphQLInputType>): string[] =>
  Object.keys(types(() => GraphQLString)).map(snakeCase);

/** The names that sources use for the members of a transaction; a member of a posting has the name of the list before it. */
export const transactionFields = (): string[] => [...namesOf(transactionTypes), ...namesOf(postingTypes).map((name) => `postings.${name}`)];

/** Throws where a transaction cannot be in the books: it has no amounts in the base currency, or does not balance. */
export function checkTransaction({ date, postings }: TransactionInput, path: string): void {
  if (postings.length === 0) throw invalid(`${path}.postings`, `${path}.postings must have at least 1 entry`, 'OUT_OF_RANGE');
  if (date < FIRST_DAY) throw invalid(`${path}.date`, `${path}.date must not be before ${FIRST_DAY}`, 'OUT_OF_RANGE');
  for (const [index, { currencyId, baseAmount }] of postings.entries())
    if (currencyId != null && baseAmount == null) {
      const field = `${path}.postings[${index}].base_amount`;
      throw invalid(field, `${field} is required with currency_id`, 'REQUIRED');
    }
  const sum = exactTotal(postings.map(baseOf));
  if (Number(sum) !== 0)
    throw invalid(`${path}.postings`, `${path}.postings must balance: the amounts in the base currency add up to ${Number(sum)}`);
}

/** The amount of a posting in the base currency. */
export const baseOf = ({ amount, baseAmount }: PostingInput): number => baseAmount ?? amount;
