// The lists that lead back. Where a record names another, the other one has the list of the records that name it, under the name that the reference
// declares.
import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../access/context.ts';
import type { OrderBy } from '../../database/reader/conditions.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { type Model, modelOf, propOf, type RecordClass, typedTargets } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../connections.ts';
import { type ListPlace, placedBy } from '../json-lists.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../list-inputs.ts';
import { authoriseRead, organisationBeside } from './visibility.ts';

/** Records of a page unless the caller asks for another number. */
const PAGE = 20;

/** A way back from a record: the list `name` of the records whose property `from` has the value of its property `to`. */
export interface ReverseList {
  source: Model;
  target: Model;
  name: string;
  from: string;
  to: string;
  /** Whether the property `from` is a list, one of whose values it is. */
  isAmong: boolean;
  /** What else is true of those records: the type that the number is of, where they name records of several types. */
  where?: Record<string, string>;
}

/** The ways back from the records that a record names. */
export function reverseListsOf(record: RecordClass): ReverseList[] {
  const source = modelOf(record);
  const named = [...source.relations.values()].flatMap(({ many, inverse, target, from, to }): ReverseList[] =>
    !many && inverse ? [{ source, target: modelOf(target()), name: inverse, from, to, isAmong: false }] : [],
  );
  const listed = [...source.props.values()].flatMap(({ kind, target, name, isOtherSide }): ReverseList[] =>
    kind === 'list' && target && !isOtherSide && source.plural
      ? [{ source, target: modelOf(target()), name: source.plural, from: name, to: 'ledgerId', isAmong: true }]
      : [],
  );
  const typed = [...source.props.values()].flatMap((prop): ReverseList[] =>
    prop.shownAs && source.plural
      ? [...typedTargets(source, prop)].map(([type, target]) => ({
          source,
          target,
          name: source.plural!,
          from: prop.name,
          to: 'ledgerId',
          isAmong: false,
          where: { [prop.typedBy!]: type },
        }))
      : [],
  );
  return [...named, ...listed, ...typed];
}

/** The resolver classes of the lists that lead back from the records a record names. */
export const reverseLists = (record: RecordClass): RecordClass[] => reverseListsOf(record).map(reverseList);

/** The order of a list: ledger records by number, others newest first, in the order of the index that finds them. */
function orderOf(source: Model, from: string): OrderBy<object> {
  if (source.key === 'ledgerId') return { by: [] };
  const [first, last] = [propOf(source, from).column, propOf(source, source.key).column];
  const index = source.indexes.find(({ columns }) => columns[0] === first && columns.at(-1) === last);
  const columns = index?.columns.slice(1) ?? [];
  return { by: [...source.props.values()].filter(({ column }) => columns.includes(column)).map(({ name }) => name), descending: true };
}

const wordsOf = (name: string): string => snakeCase(name).replaceAll('_', ' ');

function reverseList({ source, target, name, from, to, isAmong, where }: ReverseList): RecordClass {
  const Connection = connectionOf(source.class);
  const PageOptions = pageArguments(PAGE);
  const order = orderOf(source, from);
  const companyProp = source.companyProp !== undefined && source.companyProp === target.companyProp ? source.companyProp : undefined;

  const placeOf = (row: Row, context: RequestContext): ListPlace => {
    const organisationId = organisationBeside(context, row as { organisationId?: number });
    const own = row[to] as number;
    return {
      ...(organisationId === undefined ? {} : { organisationId }),
      list: `${target.name} ${own} ${name}`,
      where: { ...where, ...(companyProp ? { [companyProp]: row[companyProp] as number } : {}), [from]: isAmong ? { has: own } : own },
    };
  };

  @Resolver(() => target.class)
  class ReverseListResolver {
    @placedBy(target.class, placeOf)
    @needs<object>(target.class, to, 'organisationId', ...(companyProp ? [companyProp] : []))
    @FieldResolver(() => Connection, {
      name,
      description: `The ${wordsOf(name)} whose \`${from}\` ${isAmong ? 'include' : 'is'} this record, ${source.key === 'ledgerId' ? 'sorted by number' : 'newest first'}.`,
    })
    @Extensions({ rest: 'never' })
    [name](
      @Root() row: Row,
      @Args(() => PageOptions) page: PageArguments,
      @FilterArg(source.class) filter: FilterInput | null,
      @OrderArg(source.class) orderBy: OrderInput[] | null,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Page> {
      authoriseRead(context, source);
      return readConnection(context, info, page, {
        record: source.class,
        ...placeOf(row, context),
        filter,
        orderBy,
        order,
      });
    }
  }
  return ReverseListResolver;
}
