// Seeded values for the arguments of random queries: ids that exist in the demo data, ids that do not, and values by type.
import { type GraphQLNamedType, getNamedType, isEnumType, isInputObjectType, isNonNullType } from 'graphql';

const TOP = `{
  companies(first: 5) { nodes { id accounts(first: 3) { nodes { id } } billCreditNotes(first: 3) { nodes { id } } syncs(first: 3) { nodes { id } } } }
  corporations(first: 5) { nodes { id } }
  incorporationRequests(first: 5) { nodes { id } }
  webhooks(first: 5) { nodes { id } }
}`;
const below = (corporation: string) => `{
  products(corporationId: "${corporation}", first: 3) { nodes { id } }
  registrations(input: { corporationId: "${corporation}" }) { registrations { id registrationId } }
}`;
/** Arguments that take the id of one kind of record, with its prefix. */
const PREFIXES = {
  Query__corporation__id: 'corp_',
  Query__incorporationRequest__id: 'inc_',
  Query__product__id: 'prod_',
  Query__sync__id: 'sync_',
  Query__webhook__id: 'whk_',
  '*__*__corporationId': 'corp_',
};
const WORDS = ['', 'Demo', 'DE', 'US', 'EUR', 'abc', '10 Downing Street, London', 'ÄÖ 東京', "'; --", '*', 'x'.repeat(300)];

type Provider = (provided: unknown, type: GraphQLNamedType) => unknown;

/** A seeded source of values. */
export class Values {
  #state: number;
  readonly #ids: string[] = ['account_999999', 'corp_00000000000000000000000000', 'nonsense'];
  readonly #uuids: string[] = ['018f2f6e-0000-7000-8000-000000000000'];

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Mulberry32: a number from 0 to 1, the same sequence for the same seed. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  /** Some entries of a list, each at most once. */
  some<T>(list: readonly T[], count: number): T[] {
    return [...new Set(Array.from({ length: count }, () => this.pick(list)))];
  }

  /** Collects the ids of the demo data. */
  async harvest(read: (query: string) => Promise<unknown>): Promise<void> {
    const learn = async (query: string): Promise<void> => {
      for (const [, name, id] of JSON.stringify(await read(query)).matchAll(/"(id|registrationId)":"([^"]+)"/g))
        (name === 'id' ? this.#ids : this.#uuids).push(id!);
    };
    await learn(TOP);
    for (const corporation of this.#ids.filter((id) => id.startsWith('corp_'))) await learn(below(corporation));
    // Without records every query would only meet errors.
    if (this.#ids.length < 20) throw new Error('the gateway has no demo data');
  }

  /** Values by argument; the last entry provides every argument that no earlier entry names. */
  get providers(): Record<string, Provider> {
    const id = () => this.pick(this.#ids);
    const size = () => this.pick([1, 2, 3]);
    const ofKind = Object.entries(PREFIXES).map(([argument, prefix]): [string, Provider] => [
      argument,
      () => this.pick(this.#ids.filter((one) => one.startsWith(prefix))) ?? id(),
    ]);
    return {
      ...Object.fromEntries(ofKind),
      Query__company__id: () => this.pick([1, 1, 2, 3, 99]),
      '*__*__id': id,
      '*__*__ids': () => [id(), id(), id()],
      '*__*__companyId': () => this.pick([1, 1, 2, 99]),
      '*__*__ledgerId': () => Math.ceil(this.random() * 60),
      '*__*__first': size,
      '*__*__last': () => null,
      '*__*__before': () => null,
      '*__*__after': () => this.pick([null, null, null, 'garbage']),
      '*__*__*': (_provided, type) => this.valueOf(type),
    };
  }

  /** A value of a type: required members of input objects always, the others sometimes. */
  valueOf(type: GraphQLNamedType): unknown {
    if (isEnumType(type)) return this.pick(type.getValues()).name;
    if (isInputObjectType(type)) {
      const wanted = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || this.random() < 0.15);
      return Object.fromEntries(wanted.map((field) => [field.name, this.valueOf(getNamedType(field.type))]));
    }
    switch (type.name) {
      case 'Int':
      case 'SafeInt':
        return this.pick([1, 2, 3, 7]);
      case 'Float':
      case 'Decimal':
        return this.pick([0, 1.5, 100, 12_345.67]);
      case 'Boolean':
        return this.random() < 0.5;
      case 'DateTime':
        return this.pick(['2026-01-31T12:00:00Z', '2020-02-29', '2027-01-01T00:00:00+05:30']);
      case 'LocalDate':
        return this.pick(['2026-01-31', '2020-02-29']);
      case 'UUID':
        return this.pick(this.#uuids);
      case 'ID':
        return this.pick(this.#ids);
      case 'JSON':
      case 'JSONObject':
        return { a: 1 };
      default:
        return this.pick(WORDS);
    }
  }
}
