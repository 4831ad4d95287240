// Random histories: each is about a few types that refer to each other, so that most of its operations meet records that are stored.
import fc from 'fast-check';
import type { Input } from './books.ts';
import type {
  BulkOperation,
  Condition,
  DeleteOperation,
  ListOperation,
  Match,
  Operation,
  ReadOperation,
  Surface,
  WriteOperation,
} from './operations.ts';
import { type Children, dataModel, type Kind, parentsOf, type Reference, type Type, takesCurrency, typeOf } from './types.ts';

const groups = [
  ['PurchaseOrder', 'Contact', 'Item', 'Account', 'Currency'],
  ['Invoice', 'Contact', 'Account', 'TaxRate', 'Payment'],
  ['BillCreditNote', 'Invoice', 'Payment', 'Contact', 'Currency'],
  ['JournalEntry', 'Account', 'Item', 'Pipeline'],
  ['Account', 'Contact', 'Currency', 'TaxRate'],
  ['Item', 'PurchaseOrder', 'Pipeline', 'TaxRate'],
];

const nat = fc.nat({ max: 30 });
const weighted = <T>(...choices: [number, fc.Arbitrary<T>][]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
const maybe = (arbitrary: fc.Arbitrary<Input>, weight = 5): fc.Arbitrary<Input> =>
  weighted<Input>([10, fc.constant({})], [weight, arbitrary]);
const sometimes = (rarity: number): fc.Arbitrary<boolean> => weighted([rarity, fc.constant(false)], [1, fc.constant(true)]);
const all = (parts: readonly fc.Arbitrary<Input>[]): fc.Arbitrary<Input> =>
  fc.tuple(...parts).map((given) => Object.assign({}, ...(given as Input[])));

const values: Record<Exclude<Kind, 'choice'>, fc.Arbitrary<unknown>> = {
  text: fc.constantFrom('alpha', 'Alpha two', 'Beta', 'éclair', 'zeta', 'Zeta ÉCLAIR', '10%', 'under_score'),
  amount: fc.constantFrom(5, 10, 15, 20, 25, 30, 60),
  integer: fc.constantFrom(1, 2, 3),
  currency: fc.constantFrom('EUR', 'USD', 'GBP'),
};
const surface = fc.constantFrom<Surface[]>('rest', 'graphql');
const sourceIds = (name: string): fc.Arbitrary<Input> => fc.constantFrom(1, 2, 3, 4).map((number) => ({ platformId: `${name}-${number}` }));
const childIds = fc.constantFrom('a', 'b', 'c').map((platformId): Input => ({ platformId }));

/** The plain fields of a type, each sent, null or absent. */
function fieldsOf(type: Type): fc.Arbitrary<Input> {
  const plain = Object.entries(type.fields).flatMap(([name, kind]) => {
    if (kind === 'choice') return [];
    const isRequired = type.name === 'Currency' && name === 'code';
    const value = isRequired ? values[kind] : weighted<unknown>([6, values[kind]], [1, fc.constant(null)]);
    return [
      maybe(
        value.map((given) => ({ [name]: given })),
        15,
      ),
    ];
  });
  return all(plain);
}

/** What lists can be ordered by here, and the types that have sums. */
const orders: Record<string, string[]> = {
  Account: ['name', 'currentBalance', 'nominalCode'],
  Contact: ['name', 'email'],
  Item: ['name', 'price', 'sku'],
  PurchaseOrder: ['documentNumber', 'totalAmount'],
  Invoice: ['documentNumber', 'totalAmount', 'amountDue'],
  BillCreditNote: ['documentNumber', 'totalAmount'],
  Payment: ['referenceNumber', 'totalAmount'],
};
const hasSums = (type: Type): boolean => 'currencyId' in type.fields && 'totalAmount' in type.fields;

function conditionOf(type: Type): fc.Arbitrary<Condition> {
  const conditions = Object.entries(type.fields).flatMap(([field, kind]): fc.Arbitrary<Condition>[] => {
    if (kind !== 'text' && kind !== 'amount') return [];
    const of = (operator: Condition['operator'], value: fc.Arbitrary<unknown>) =>
      fc.record({ field: fc.constant(field), operator: fc.constant(operator), value, isNot: sometimes(3) });
    const common = [of('isNull', fc.boolean()), of('eq', values[kind]), of('in', fc.array(values[kind], { minLength: 1, maxLength: 3 }))];
    return kind === 'text'
      ? [
          ...common,
          of('contains', fc.constantFrom('e', 'éclair', 'ECLAIR', 'ALPHA', '%', '_')),
          of('startsWith', fc.constantFrom('a', 'Z', 'é')),
        ]
      : [...common, of('gte', values.amount), of('lt', values.amount)];
  });
  return fc.oneof(...conditions);
}

/** The operations about a group of types. */
class Generator {
  readonly #names: readonly string[];
  readonly #parts: readonly string[];

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#parts = [...new Set(names.flatMap((name) => typeOf(name).children.map(({ type }) => type)))];
  }

  /** The members that name a record, in each of the ways. What no record of the group can be is rarely named. */
  #naming({ id, by, to, typedBy }: Reference): fc.Arbitrary<Input> {
    const known = to.filter((name) => this.#names.includes(name));
    const missing = weighted<Input>(
      [1, fc.constant({ ...(typedBy ? { [typedBy]: dataModel(to[0]!) } : {}), [id]: 999_999_999 })],
      [1, fc.constant({ [id]: null, ...(typedBy ? { [typedBy]: null } : {}) })],
      [1, fc.constant({ [by]: null })],
      [1, nat.map((at) => ({ [by]: null, [id]: { $pick: at, of: to[0] } }))],
    );
    if (known.length === 0) return maybe(missing, 1);
    const arbitraries = known.map((name) => {
      const typed = typedBy === undefined ? {} : { [typedBy]: dataModel(name) };
      const number = nat.map((at): Input => ({ ...typed, [id]: { $pick: at, of: name } }));
      const object = sourceIds(name).map((given): Input => ({ ...typed, [by]: given }));
      return weighted<Input>([6, number], [6, object], [1, all([number, object])]);
    });
    return weighted<Input>([12, fc.oneof(...arbitraries)], [1, missing]);
  }

  #child(type: Type): fc.Arbitrary<Input> {
    const identity = weighted<Input>(
      [4, fc.constant({})],
      [4, childIds],
      [3, nat.map((at) => ({ id: { $child: at } }))],
      [1, nat.map((at) => ({ id: { $pick: at, of: type.name } }))],
    );
    return all([identity, ...this.#content(type)]);
  }

  /** The fields and references of a part. */
  #content(type: Type): fc.Arbitrary<Input>[] {
    return [
      fieldsOf(type),
      ...type.references.map((reference) => (reference.typedBy ? this.#naming(reference) : maybe(this.#naming(reference)))),
    ];
  }

  #children({ field, type, whole }: Children): fc.Arbitrary<Input> {
    const child = this.#child(typeOf(type));
    const list = whole ? balanced(child) : fc.array(child, { maxLength: 3 });
    return weighted<Input[]>([12, list], [1, fc.constant([])]).map((given) => ({ [field]: given }));
  }

  #input(type: Type, isNested = false): fc.Arbitrary<Input> {
    const references = type.references.map((reference) => maybe(this.#reference(reference), 8));
    const children = isNested ? [] : type.children.map((each) => maybe(this.#children(each), 15));
    const currency = takesCurrency(type) && this.#names.includes('Currency') ? [maybe(nestedCurrency, 2)] : [];
    const identity = weighted<Input>([8, sourceIds(type.name)], [1, fc.constant({})]);
    return all([identity, fieldsOf(type), ...references, ...currency, ...children]);
  }

  /** A reference, or the record itself where a write may contain it, which may be next to a number. */
  #reference(reference: Reference): fc.Arbitrary<Input> {
    const [name] = reference.to;
    if (!reference.nested || !this.#names.includes(name!)) return this.#naming(reference);
    const contained = this.#input(typeOf(name!), true).filter((input) => Object.keys(input).length > 0);
    const nested = contained.map((input): Input => ({ [reference.by]: input }));
    const number = nat.map((at): Input => ({ [reference.id]: { $pick: at, of: name } }));
    return weighted<Input>([5, this.#naming(reference)], [3, nested], [1, all([nested, number])]);
  }

  /** A part that is written by its own path, with its parent. */
  #part(type: Type): fc.Arbitrary<Input> {
    const parents = parentsOf(type.name).filter(({ name }) => this.#names.includes(name));
    const parent = fc.tuple(fc.constantFrom(...parents), nat).map(
      ([{ name }, at]): Input => ({
        ...(type.parent === 'parentId' ? { parentType: dataModel(name) } : {}),
        [type.parent!]: { $pick: at, of: name },
      }),
    );
    return all([maybe(childIds), parent, ...this.#content(type)]);
  }

  #write(name: string): fc.Arbitrary<WriteOperation> {
    const type = typeOf(name);
    return fc
      .record({
        mode: fc.constantFrom<WriteOperation['mode'][]>('create', 'upsert', 'upsert', 'update', 'update'),
        surface,
        hasVariables: fc.boolean(),
        at: nat,
        input: type.parent === undefined ? this.#input(type) : this.#part(type),
        strict: sometimes(4),
        match: matches,
        repeat: fc.option(fc.constantFrom<NonNullable<WriteOperation['repeat']>[]>('same', 'spelled', 'other'), {
          nil: undefined,
          freq: 3,
        }),
      })
      .map(({ match, repeat, ...rest }) => ({
        do: 'write' as const,
        type: name,
        ...rest,
        ...(match && rest.mode !== 'create' ? { match } : {}),
        ...(repeat ? { repeat } : {}),
      }));
  }

  #bulk(name: string): fc.Arbitrary<BulkOperation> {
    const input = this.#input(typeOf(name)).filter(({ platformId }) => platformId !== undefined);
    return fc
      .record({
        do: fc.constantFrom<BulkOperation['do'][]>('bulk', 'batch'),
        type: fc.constant(name),
        mode: fc.constantFrom<WriteOperation['mode'][]>('create', 'upsert', 'upsert', 'update'),
        surface,
        atomic: fc.boolean(),
        strict: sometimes(6),
        entries: fc.array(fc.record({ at: nat, input, match: matches }), { minLength: 1, maxLength: 5 }),
      })
      .map(({ entries, ...rest }): BulkOperation => {
        const isUpdate = rest.mode === 'update';
        return {
          ...rest,
          do: isUpdate ? 'bulk' : rest.do,
          entries: entries.map(({ at, input: given, match }) => ({ at, input: given, ...(isUpdate && match ? { match } : {}) })),
        };
      });
  }

  #deletion(): fc.Arbitrary<DeleteOperation> {
    return fc
      .record({
        do: fc.constantFrom<DeleteOperation['do'][]>('delete', 'delete', 'deleteMany'),
        type: fc.constantFrom(...this.#names, ...this.#parts),
        surface,
        atomic: fc.boolean(),
        at: fc.array(nat, { minLength: 1, maxLength: 3 }),
        match: matches,
      })
      .map(({ match, ...rest }): DeleteOperation => ({ ...rest, ...(match ? { match } : {}) }));
  }

  #read(): fc.Arbitrary<ReadOperation> {
    const type = fc.constantFrom(...this.#names, ...this.#parts);
    return fc.record({ do: fc.constant('read' as const), type, at: nat, expands: fc.boolean(), selects: sometimes(3) });
  }

  #list(name: string): fc.Arbitrary<ListOperation> {
    const nulls = fc.option(fc.constantFrom<('FIRST' | 'LAST')[]>('FIRST', 'LAST'), { nil: undefined });
    return fc
      .record({
        do: fc.constantFrom<ListOperation['do'][]>('list', 'list', 'walk', hasSums(typeOf(name)) ? 'sum' : 'list'),
        type: fc.constant(name),
        surface,
        size: fc.integer({ min: 1, max: 3 }),
        isBackwards: fc.boolean(),
        includeDeleted: sometimes(3),
        conditions: fc.array(conditionOf(typeOf(name)), { maxLength: 2 }),
        isAny: fc.boolean(),
        order: fc.option(fc.record({ field: fc.constantFrom(...orders[name]!), isDescending: fc.boolean(), nulls }), { nil: undefined }),
        between: this.#write(name).map((write) => [write]),
      })
      .map(({ order, between, ...rest }) => ({
        ...rest,
        between: rest.do === 'walk' ? between : [],
        ...(order ? { order: order as NonNullable<ListOperation['order']> } : {}),
      }));
  }

  operation(): fc.Arbitrary<Operation> {
    const own = fc.constantFrom(...this.#names);
    const listed = fc.constantFrom(...this.#names.filter((name) => name in orders));
    return weighted<Operation>(
      [8, own.chain((name) => this.#write(name))],
      [this.#parts.length > 0 ? 4 : 0, fc.constantFrom(...this.#parts).chain((name) => this.#write(name))],
      [4, own.chain((name) => this.#bulk(name))],
      [2, this.#deletion()],
      [3, this.#read()],
      [3, listed.chain((name) => this.#list(name))],
    );
  }
}

const matches = fc.option(fc.constantFrom<Match[]>('current', 'current', 'stale', 'any', 'wrong'), { nil: undefined, freq: 2 });

const nestedCurrency = all([fc.constant<Input>({ code: 'EUR' }), fieldsOf(typeOf('Currency')), maybe(sourceIds('Currency'))]).map(
  (currency) => ({
    currency,
  }),
);

/** Lines of a journal entry, which mostly add up to 0. */
const balanced = (line: fc.Arbitrary<Input>): fc.Arbitrary<Input[]> =>
  fc.tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 0, 0, 5)).map(([lines, difference]) => {
    const sent = lines.map((each, index) => ({ ...each, totalAmount: 10 * (index + 1) }));
    const sum = sent.reduce((total, { totalAmount }) => total + totalAmount, 0);
    return [...sent, { name: 'balance', totalAmount: difference - sum }];
  });

/** The operations of one history. */
export const histories = (length: number): fc.Arbitrary<Operation[]> =>
  fc.constantFrom(...groups).chain((names) => fc.array(new Generator(names).operation(), { minLength: length, maxLength: length }));
