// The integrity rules as data: the properties and related records that each rule reads, and its message when they do not agree.
import { type Model, modelOf, type Relation } from '../../records/metadata.ts';
import { minorUnitOf } from '../ledger/enums.ts';
import { Currency } from '../records/currency.ts';
import { JournalEntry } from '../records/journal-entry.ts';
import { exactSum } from './exact-sum.ts';
import { OpenReference } from './open-reference.ts';

/**
 * The properties of a record that a rule reads. `currencyId` is the currency of its amounts, whichever record has it. A line without `isTaxInclusive`
 * has that of its document.
 */
export type Facts = Record<string, unknown>;

/** Where a record breaks a rule. */
export interface Issue {
  rule: string;
  /** Property that breaks the rule. */
  field: string;
  message: string;
}

type Finding = Omit<Issue, 'rule'> | undefined | false;

export interface IntegrityRule {
  name: string;
  /** The rule applies to record types that have all of these properties. */
  needs: string[];
  /** Further properties it reads, where the record type has them. */
  uses?: string[];
  /** Related records it reads: their relation, and the properties it reads. */
  related?: { relation: (model: Model) => Relation | undefined; props: string[] };
  /** Whether a caller's record that breaks it is rejected without `strict` too. One of a source is stored and flagged, as by every rule. */
  always?: boolean;
  check: (record: Facts, related: Facts[]) => Finding[];
  /** Whether no write can break it, so that only reads report it. */
  isToldOnly?: boolean;
}

const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const orZero = (value: unknown): number => number(value) ?? 0;

/**
 * Sources round each line on its own. Totals may therefore be off by a minor unit of the currency per line, and by ten in any case.
 */
const tolerance = (currency: unknown, lines: number): number => Math.max(10, lines) / 10 ** minorUnitOf(currency);

/** A finding when both numbers are there and differ by more than rounding explains. */
function differs(record: Facts, field: string, expected: number | undefined, meaning: string, lines = 1): Finding {
  const actual = number(record[field]);
  if (actual === undefined || expected === undefined || Math.abs(exactSum([actual, -expected])) <= tolerance(record.currencyId, lines))
    return undefined;
  return { field, message: `${field} is ${actual}, but ${meaning} is ${round(expected)}` };
}

/** A computed amount as a message shows it, without the rounding noise of binary sums. */
const round = (value: number): number => Number(value.toPrecision(15));

/** quantity x unitAmount - discountAmount, if quantity and price are known, to the 15 digits that amounts have. */
function lineAmount(line: Facts): number | undefined {
  const [quantity, price] = [number(line.quantity), number(line.unitAmount)];
  const amount = quantity === undefined || price === undefined ? undefined : round(quantity * price);
  return amount === undefined || !Number.isFinite(amount) ? undefined : exactSum([amount, -orZero(line.discountAmount)]);
}

/** The sum of a property of the lines; undefined without lines, or if one lacks it. */
function sumOf(lines: Facts[], property: string): number | undefined {
  if (lines.length === 0 || lines.some((line) => number(line[property]) === undefined)) return undefined;
  return exactSum(lines.map((line) => orZero(line[property])));
}

/** Whether an amount is between 0 and the total, whose sign it has. */
const isPartOf = (total: number, part: number): boolean => (total < 0 ? part <= 0 && part >= total : part >= 0 && part <= total);

/** A finding when both numbers are there and the property is not between 0 and the total. */
function partOfTotal(field: string, document: Facts): Finding {
  const [part, total] = [number(document[field]), number(document.totalAmount)];
  if (part === undefined || total === undefined || isPartOf(total, part)) return undefined;
  return { field, message: `${field} is ${part}, which is not between 0 and totalAmount ${total}` };
}

const lineNeeds = ['quantity', 'unitAmount', 'discountAmount', 'taxAmount', 'isTaxInclusive', 'subTotal', 'totalAmount'];

/** They name the document of a line. */
const lineUses = ['parentType', 'parentId'];

/** The base currencies of the company of a currency, itself included. */
const baseCurrencies: Relation = {
  name: 'baseCurrencies',
  description: 'The base currencies of the company.',
  target: () => Currency,
  from: 'companyId',
  to: 'companyId',
  where: { isBaseCurrency: 'true' },
  many: true,
  rest: 'never',
  owned: false,
  nested: false,
};

/** The references of a record that are open. */
const openReferences: Relation = {
  name: 'openReferences',
  description: 'The references of the record to records that the source has not sent yet.',
  target: () => OpenReference,
  from: 'ledgerId',
  to: 'recordId',
  where: { isOpen: 'true' },
  many: true,
  rest: 'never',
  owned: false,
  nested: false,
};

export const integrityRules: IntegrityRule[] = [
  {
    name: 'EXCLUSIVE_LINE',
    needs: lineNeeds,
    uses: lineUses,
    check: (line) => {
      if (line.isTaxInclusive === true) return [];
      const [net, subTotal] = [lineAmount(line), number(line.subTotal)];
      return [
        differs(line, 'subTotal', net, 'quantity x unitAmount - discountAmount'),
        differs(
          line,
          'totalAmount',
          subTotal === undefined ? undefined : exactSum([subTotal, orZero(line.taxAmount)]),
          'subTotal + taxAmount',
        ),
      ];
    },
  },
  {
    name: 'INCLUSIVE_LINE',
    needs: lineNeeds,
    uses: lineUses,
    check: (line) => {
      if (line.isTaxInclusive !== true) return [];
      const total = number(line.totalAmount);
      return [
        differs(line, 'totalAmount', lineAmount(line), 'quantity x unitAmount - discountAmount'),
        differs(line, 'subTotal', total === undefined ? undefined : exactSum([total, -orZero(line.taxAmount)]), 'totalAmount - taxAmount'),
      ];
    },
  },
  {
    name: 'DOCUMENT_TOTALS',
    needs: ['totalAmount'],
    uses: ['subTotal', 'taxAmount', 'totalDiscount', 'shippingAmount', 'currencyId'],
    related: { relation: (model) => model.relations.get('lineItems'), props: ['subTotal', 'taxAmount', 'totalAmount'] },
    check: (document, lines) => {
      const total = sumOf(lines, 'totalAmount');
      const count = lines.length;
      return [
        differs(document, 'subTotal', sumOf(lines, 'subTotal'), 'the sum of the lines', count),
        differs(document, 'taxAmount', sumOf(lines, 'taxAmount'), 'the sum of the lines', count),
        differs(
          document,
          'totalAmount',
          total === undefined ? undefined : exactSum([total, orZero(document.shippingAmount), -orZero(document.totalDiscount)]),
          'the sum of the lines with shipping, less the discount',
          count,
        ),
      ];
    },
  },
  {
    name: 'REMAINING_CREDIT',
    needs: ['remainingCredit', 'totalAmount'],
    check: (document) => [partOfTotal('remainingCredit', document)],
  },
  {
    name: 'AMOUNT_DUE',
    needs: ['amountDue', 'totalAmount'],
    check: (document) => [partOfTotal('amountDue', document)],
  },
  {
    name: 'BALANCED_ENTRY',
    needs: [],
    related: { relation: (model) => (model.class === JournalEntry ? model.relations.get('lineItems') : undefined), props: ['totalAmount'] },
    always: true,
    check: (_entry, lines) => {
      const amounts = lines.map((line) => orZero(line.totalAmount));
      const difference = exactSum(amounts);
      const [debits, credits] = [amounts.filter((amount) => amount > 0), amounts.filter((amount) => amount < 0)].map(exactSum);
      return [
        difference !== 0 && {
          field: 'lineItems',
          message: `debits are ${debits} and credits are ${-credits!}, a difference of ${difference}; the totalAmount of the lines must add up to 0`,
        },
      ];
    },
  },
  {
    name: 'PAYMENT_ALLOCATIONS',
    needs: ['totalAmount'],
    related: { relation: (model) => model.relations.get('allocations'), props: ['amount'] },
    check: (payment, allocations) => {
      const allocated = exactSum(allocations.map(({ amount }) => orZero(amount)));
      const total = number(payment.totalAmount);
      return [
        total !== undefined &&
          !isPartOf(total, allocated) && {
            field: 'allocations',
            message: `allocations add up to ${allocated}, which is not between 0 and totalAmount ${total}`,
          },
      ];
    },
  },
  {
    name: 'ONE_BASE_CURRENCY',
    needs: ['isBaseCurrency', 'exchangeRate'],
    related: { relation: () => baseCurrencies, props: ['ledgerId', 'code'] },
    check: (currency, bases) => {
      const other = bases.find((base) => base.ledgerId !== currency.ledgerId);
      return [
        currency.isBaseCurrency === true &&
          other !== undefined && { field: 'isBaseCurrency', message: `${other.code} is a base currency of the company too` },
      ];
    },
  },
  {
    name: 'STAGE_CHANCE',
    needs: ['probability', 'isWon', 'isClosed'],
    check: (stage) => {
      const chance = number(stage.probability);
      return [
        chance !== undefined &&
          (chance < 0 || chance > 1) && { field: 'probability', message: `probability is ${chance}, which is not between 0 and 1` },
        stage.isWon === true && stage.isClosed !== true && { field: 'isClosed', message: 'isClosed must be true where isWon is' },
      ];
    },
  },
  {
    name: 'CASH_FLOW',
    needs: [
      'operatingActivities',
      'investingActivities',
      'financingActivities',
      'cashAtBeginningOfPeriod',
      'cashAtEndOfPeriod',
      'periodStart',
      'periodEnd',
    ],
    uses: ['currencyId'],
    check: (statement) => {
      const parts = [
        statement.cashAtBeginningOfPeriod,
        statement.operatingActivities,
        statement.investingActivities,
        statement.financingActivities,
      ].map(number);
      const closing = parts.includes(undefined) ? undefined : exactSum(parts as number[]);
      const [start, end] = [statement.periodStart, statement.periodEnd];
      return [
        differs(statement, 'cashAtEndOfPeriod', closing, 'opening cash with the three activities'),
        typeof start === 'string' &&
          typeof end === 'string' &&
          start > end && { field: 'periodEnd', message: `periodEnd ${end} is before periodStart ${start}` },
      ];
    },
  },
  {
    name: 'OPEN_REFERENCE',
    needs: ['ledgerId', 'companyId'],
    isToldOnly: true,
    related: {
      relation: (model) =>
        [...model.props.values()].some(({ target, shownAs }) => target !== undefined || shownAs !== undefined) ? openReferences : undefined,
      props: ['property', 'position', 'targetModel', 'platformId'],
    },
    check: (_record, open) =>
      open
        .toSorted((a, b) =>
          a.property === b.property ? orZero(a.position) - orZero(b.position) : String(a.property) < String(b.property) ? -1 : 1,
        )
        .map(({ property, targetModel, platformId }) => ({
          field: String(property),
          message: `${property} names ${JSON.stringify(platformId)}, but the source has sent no ${String(targetModel).toLowerCase().replaceAll('_', ' ')} with this id yet`,
        })),
  },
];

const byModel = new Map<Model, IntegrityRule[]>();

/** The rules that apply to a record type. */
export function rulesOf(model: Model): IntegrityRule[] {
  let rules = byModel.get(model);
  if (!rules) {
    rules = integrityRules.filter(
      (rule) => rule.needs.every((name) => model.props.has(name)) && (!rule.related || rule.related.relation(model) !== undefined),
    );
    byModel.set(model, rules);
  }
  return rules;
}

/** Properties of a record type that its rules read. */
export const propsOfRules = (model: Model): string[] => [
  ...new Set(
    rulesOf(model).flatMap((rule) => [
      ...rule.needs,
      ...(rule.uses ?? []).filter((name) => model.props.has(name)),
      ...(rule.related ? [rule.related.relation(model)!.from] : []),
    ]),
  ),
];

/** The issues of one record by rules of its type; `related` returns the related records of a rule. */
export function issuesOf(rules: readonly IntegrityRule[], record: Facts, related: (rule: IntegrityRule) => Facts[]): Issue[] {
  return rules.flatMap((rule) =>
    rule.check(record, rule.related ? related(rule) : []).flatMap((found) => (found ? [{ rule: rule.name, ...found }] : [])),
  );
}

/** The properties that a rule reads of related records, with their key and the property that refers back. */
export const relatedProps = (rule: IntegrityRule, relation: Relation): string[] => [
  ...new Set([modelOf(relation.target()).key, relation.to, ...rule.related!.props]),
];
