// The integrity rules as functions: the sums are added by hand, and the tolerances are those of docs/guides/writes.md.
import { describe, expect, it } from 'vitest';
import { Contact } from '../../src/integrations/records/contact.ts';
import { Currency } from '../../src/integrations/records/currency.ts';
import { Invoice } from '../../src/integrations/records/invoice-document.ts';
import { JournalEntry } from '../../src/integrations/records/journal-entry.ts';
import { Payment } from '../../src/integrations/records/payment.ts';
import {
  type Facts,
  integrityRules,
  issuesOf,
  propsOfRules,
  relatedProps,
  rulesOf,
} from '../../src/integrations/writes/integrity-rules.ts';
import { allModels, modelOf } from '../../src/records/metadata.ts';

const ruleOf = (name: string) => integrityRules.find((rule) => rule.name === name)!;

/** The fields and messages of the issues of a record by one rule. */
const found = (name: string, record: Facts, related: Facts[] = []): string[] =>
  issuesOf([ruleOf(name)], record, () => related).map(({ rule, field, message }) => {
    expect(rule).toBe(name);
    return `${field}: ${message}`;
  });

describe('lines', () => {
  it.each<[string, Facts, string[]]>([
    ['that agree', { quantity: 3, unitAmount: 5, discountAmount: 1, subTotal: 14, taxAmount: 2, totalAmount: 16 }, []],
    ['without discount and tax', { quantity: 3, unitAmount: 5, subTotal: 15, totalAmount: 15 }, []],
    [
      'with another net amount',
      { quantity: 3, unitAmount: 5, discountAmount: 1, subTotal: 20 },
      ['subTotal: subTotal is 20, but quantity x unitAmount - discountAmount is 14'],
    ],
    [
      'with another total',
      { subTotal: 14, taxAmount: 2, totalAmount: 20 },
      ['totalAmount: totalAmount is 20, but subTotal + taxAmount is 16'],
    ],
    ['without a quantity', { unitAmount: 5, subTotal: 20 }, []],
    ['without a price', { quantity: 5, subTotal: 20 }, []],
    ['without a net amount', { quantity: 3, unitAmount: 5, totalAmount: 99 }, []],
    ['without a total', { subTotal: 14, taxAmount: 2 }, []],
    ['of texts', { quantity: '3', unitAmount: 5, subTotal: 20 }, []],
    ['that are inclusive', { isTaxInclusive: true, quantity: 3, unitAmount: 5, subTotal: 99, totalAmount: 99 }, []],
  ])('exclusive ones %s', (_, line, issues) => {
    expect(found('EXCLUSIVE_LINE', line)).toEqual(issues);
  });

  it.each<[string, Facts, string[]]>([
    ['that agree', { quantity: 3, unitAmount: 5, discountAmount: 1, taxAmount: 2, subTotal: 12, totalAmount: 14 }, []],
    [
      'with another total',
      { quantity: 3, unitAmount: 5, totalAmount: 20 },
      ['totalAmount: totalAmount is 20, but quantity x unitAmount - discountAmount is 15'],
    ],
    [
      'with another net amount',
      { totalAmount: 14, taxAmount: 2, subTotal: 20 },
      ['subTotal: subTotal is 20, but totalAmount - taxAmount is 12'],
    ],
    ['without a total', { taxAmount: 2, subTotal: 20 }, []],
  ])('inclusive ones %s', (_, line, issues) => {
    expect(found('INCLUSIVE_LINE', { ...line, isTaxInclusive: true })).toEqual(issues);
    for (const isTaxInclusive of [false, null, undefined]) expect(found('INCLUSIVE_LINE', { ...line, isTaxInclusive })).toEqual([]);
  });

  it.each([
    ['EUR', 0.01],
    ['JPY', 1],
    ['KWD', 0.001],
    [null, 0.01],
  ])('in %s ten units of %d are rounding, and eleven are not', (currencyId, unit) => {
    for (const sign of [1, -1]) {
      expect(found('EXCLUSIVE_LINE', { currencyId, quantity: 1, unitAmount: 100, subTotal: 100 + sign * 10 * unit })).toEqual([]);
      expect(found('EXCLUSIVE_LINE', { currencyId, quantity: 1, unitAmount: 100, subTotal: 100 + sign * 11 * unit })).toHaveLength(1);
    }
  });

  it('a message has no digits of binary sums', () => {
    expect(found('EXCLUSIVE_LINE', { quantity: 3, unitAmount: 0.1, subTotal: 9 })).toEqual([
      'subTotal: subTotal is 9, but quantity x unitAmount - discountAmount is 0.3',
    ]);
  });
});

describe('documents', () => {
  const lines = [
    { subTotal: 10, taxAmount: 1, totalAmount: 11 },
    { subTotal: 20, taxAmount: 2, totalAmount: 22 },
  ];

  it.each<[string, Facts, Facts[], string[]]>([
    ['that agree', { subTotal: 30, taxAmount: 3, shippingAmount: 5, totalDiscount: 2, totalAmount: 36 }, lines, []],
    ['without any sum', {}, lines, []],
    ['with another net amount', { subTotal: 31 }, lines, ['subTotal: subTotal is 31, but the sum of the lines is 30']],
    ['with another tax', { taxAmount: 4 }, lines, ['taxAmount: taxAmount is 4, but the sum of the lines is 3']],
    [
      'with another total',
      { shippingAmount: 5, totalDiscount: 2, totalAmount: 37 },
      lines,
      ['totalAmount: totalAmount is 37, but the sum of the lines with shipping, less the discount is 36'],
    ],
    ['without lines', { subTotal: 31, taxAmount: 4, totalAmount: 37 }, [], []],
    ['with a line without an amount', { totalAmount: 37 }, [...lines, { subTotal: 1 }], []],
  ])('%s', (_, document, related, issues) => {
    expect(found('DOCUMENT_TOTALS', document, related)).toEqual(issues);
  });

  it('each line may be rounded by a unit, and ten units are rounding in any case', () => {
    const of = (count: number): Facts[] => Array.from({ length: count }, () => ({ totalAmount: 1 }));
    for (const [count, units, issues] of [
      [5, 10, 0],
      [5, 11, 1],
      [20, 20, 0],
      [20, 21, 1],
    ] as const)
      expect(found('DOCUMENT_TOTALS', { currencyId: 'JPY', totalAmount: count + units }, of(count))).toHaveLength(issues);
  });

  it.each([
    ['REMAINING_CREDIT', 'remainingCredit'],
    ['AMOUNT_DUE', 'amountDue'],
  ])('%s: a part is between 0 and the total', (rule, field) => {
    for (const [part, total] of [
      [0, 10],
      [10, 10],
      [3, 10],
      [0, -10],
      [-10, -10],
      [-3, -10],
      [0, 0],
      [null, 10],
      [5, null],
      ['5', 1],
    ])
      expect(found(rule, { [field]: part, totalAmount: total })).toEqual([]);
    for (const [part, total] of [
      [10.01, 10],
      [-0.01, 10],
      [-10.01, -10],
      [0.01, -10],
      [1, 0],
      [-1, 0],
    ])
      expect(found(rule, { [field]: part, totalAmount: total })).toEqual([
        `${field}: ${field} is ${part}, which is not between 0 and totalAmount ${total}`,
      ]);
  });
});

describe('entries, payments, currencies and stages', () => {
  it('the lines of an entry add up to 0, exactly', () => {
    const amounts = (...of: unknown[]): Facts[] => of.map((totalAmount) => ({ totalAmount }));
    for (const of of [amounts(), amounts(0.1, 0.2, -0.3), amounts(5, -2, -3), amounts(5, null, -5)])
      expect(found('BALANCED_ENTRY', {}, of)).toEqual([]);
    expect(found('BALANCED_ENTRY', {}, amounts(0.1, 0.2, -0.25))).toEqual([
      'lineItems: debits are 0.3 and credits are 0.25, a difference of 0.05; the totalAmount of the lines must add up to 0',
    ]);
    expect(found('BALANCED_ENTRY', {}, amounts(1, -1.5))).toEqual([
      'lineItems: debits are 1 and credits are 1.5, a difference of -0.5; the totalAmount of the lines must add up to 0',
    ]);
    expect(ruleOf('BALANCED_ENTRY').always).toBe(true);
  });

  it('allocations are not more than the payment', () => {
    const allocations = [{ amount: 0.1 }, { amount: 0.2 }, { amount: null }];
    for (const totalAmount of [0.3, 1, null]) expect(found('PAYMENT_ALLOCATIONS', { totalAmount }, allocations)).toEqual([]);
    expect(found('PAYMENT_ALLOCATIONS', { totalAmount: -1 }, [{ amount: -1 }])).toEqual([]);
    expect(found('PAYMENT_ALLOCATIONS', { totalAmount: 0.25 }, allocations)).toEqual([
      'allocations: allocations add up to 0.3, which is not between 0 and totalAmount 0.25',
    ]);
  });

  it('a company has one base currency', () => {
    const bases = [
      { ledgerId: 1, code: 'EUR' },
      { ledgerId: 2, code: 'USD' },
    ];
    expect(found('ONE_BASE_CURRENCY', { ledgerId: 1, isBaseCurrency: true }, bases)).toEqual([
      'isBaseCurrency: USD is a base currency of the company too',
    ]);
    expect(found('ONE_BASE_CURRENCY', { ledgerId: 1, isBaseCurrency: true }, bases.slice(0, 1))).toEqual([]);
    expect(found('ONE_BASE_CURRENCY', { ledgerId: 3, isBaseCurrency: false }, bases)).toEqual([]);
  });

  it('the chance of a stage is between 0 and 1, and a stage that is won is closed', () => {
    for (const stage of [{}, { probability: 0 }, { probability: 1 }, { isWon: true, isClosed: true }, { isWon: false, isClosed: false }])
      expect(found('STAGE_CHANCE', stage)).toEqual([]);
    for (const probability of [-0.01, 1.01])
      expect(found('STAGE_CHANCE', { probability })).toEqual([`probability: probability is ${probability}, which is not between 0 and 1`]);
    for (const isClosed of [false, null])
      expect(found('STAGE_CHANCE', { isWon: true, isClosed })).toEqual(['isClosed: isClosed must be true where isWon is']);
  });

  it('the cash at the end is that at the beginning with the activities, and a period does not end before it begins', () => {
    const statement = {
      cashAtBeginningOfPeriod: 100,
      operatingActivities: 20,
      investingActivities: -30,
      financingActivities: 5,
      cashAtEndOfPeriod: 95,
    };
    expect(found('CASH_FLOW', statement)).toEqual([]);
    expect(found('CASH_FLOW', { ...statement, cashAtEndOfPeriod: 96 })).toEqual([
      'cashAtEndOfPeriod: cashAtEndOfPeriod is 96, but opening cash with the three activities is 95',
    ]);
    for (const name of ['cashAtBeginningOfPeriod', 'operatingActivities', 'investingActivities', 'financingActivities'])
      expect(found('CASH_FLOW', { ...statement, cashAtEndOfPeriod: 1, [name]: null })).toEqual([]);
    const period = (periodStart: unknown, periodEnd: unknown): string[] => found('CASH_FLOW', { periodStart, periodEnd });
    expect([
      period('2026-01-01', '2026-01-31'),
      period('2026-01-01', '2026-01-01'),
      period(null, '2026-01-01'),
      period('2026-01-01', null),
    ]).toEqual([[], [], [], []]);
    expect(period('2026-02-01', '2026-01-31')).toEqual(['periodEnd: periodEnd 2026-01-31 is before periodStart 2026-02-01']);
  });

  it('open references are named by property and place', () => {
    const open = (property: string, position: number, platformId: string) => ({ property, position, platformId, targetModel: 'TAX_RATE' });
    const message = (property: string, id: string): string =>
      `${property}: ${property} names "${id}", but the source has sent no tax rate with this id yet`;
    expect(
      found('OPEN_REFERENCE', {}, [open('taxIds', 2, 'c'), open('taxIds', 0, 'a'), open('contactId', 0, 'd'), open('taxIds', 1, 'b')]),
    ).toEqual([message('contactId', 'd'), message('taxIds', 'a'), message('taxIds', 'b'), message('taxIds', 'c')]);
  });
});

describe('record types', () => {
  const names = (model: Parameters<typeof rulesOf>[0]): string[] => rulesOf(model).map(({ name }) => name);

  it('have the rules whose properties and relations they have', () => {
    expect(names(modelOf(Invoice))).toEqual(['DOCUMENT_TOTALS', 'AMOUNT_DUE', 'OPEN_REFERENCE']);
    expect(names(modelOf(JournalEntry))).toContain('BALANCED_ENTRY');
    expect(names(modelOf(Payment))).toContain('PAYMENT_ALLOCATIONS');
    expect(names(modelOf(Currency))).toContain('ONE_BASE_CURRENCY');
    for (const model of [modelOf(Invoice), modelOf(Payment), modelOf(Currency), modelOf(Contact)])
      expect(names(model)).not.toContain('BALANCED_ENTRY');
    expect(names(modelOf(Currency))).not.toContain('OPEN_REFERENCE');
    expect(rulesOf(modelOf(Invoice))).toBe(rulesOf(modelOf(Invoice)));
  });

  it('name the properties that their rules read', () => {
    const props = propsOfRules(modelOf(Invoice));
    expect(new Set(props).size).toBe(props.length);
    for (const name of ['totalAmount', 'subTotal', 'taxAmount', 'totalDiscount', 'currencyId', 'amountDue', 'ledgerId', 'companyId'])
      expect(props).toContain(name);
    for (const model of allModels())
      for (const name of propsOfRules(model)) expect(model.props.has(name), `${model.name} ${name}`).toBe(true);
  });

  it('read of related records what the rule does, their key and the way back', () => {
    const rule = ruleOf('ONE_BASE_CURRENCY');
    expect(relatedProps(rule, rule.related!.relation(modelOf(Currency))!)).toEqual(['ledgerId', 'companyId', 'code']);
    const [balanced, relation] = [ruleOf('BALANCED_ENTRY'), ruleOf('BALANCED_ENTRY').related!.relation(modelOf(JournalEntry))!];
    expect(relatedProps(balanced, relation)).toEqual(['ledgerId', relation.to, 'totalAmount']);
  });
});
