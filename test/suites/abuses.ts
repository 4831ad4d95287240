// The heaviest requests that the limits allow, generated from the schema and the routes and selected by a number. They are the load of one caller on
// all others.
import {
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  parse,
} from 'graphql';
import { bodyMegabytes } from '../../rest-compat/routes/route.ts';
import { routes } from '../../rest-compat/routes/routes.ts';
import { MAX_FILE_BYTES } from '../../src/files/stored-file.ts';
import { MAX_PAGE } from '../../src/graphql/connections.ts';
import { introspectionSizes, type ListSizes } from '../../src/graphql/introspection-sizes.ts';
import { checkDocument, operationLimits } from '../../src/graphql/query-cost.ts';
import { socketLimits } from '../../src/graphql/subscriptions/messages.ts';
import { MAX_GROUPS } from '../../src/graphql/summaries/summary-types.ts';
import { MAX_BATCH } from '../../src/integrations/syncs/batch.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { snakeCase } from '../../src/records/naming.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { listName, sampleBody } from '../support/records.ts';
import { pathOf } from '../support/routes.ts';
import type { Call } from './requests.ts';

/** A request that is as heavy as it may be. */
export interface Abuse extends Call {
  kind: AbuseKind;
  /** What is asked for, for a message. */
  title: string;
  /** Whether it is sent without a key. */
  isAnonymous?: boolean;
  /** Sent as so many operations of one WebSocket. */
  operations?: number;
  /** The operations are subscriptions, and this request makes each of them send a message. */
  change?: Call;
}

/** Who abuses: a company and a corporation with records. */
export interface Abuser {
  companyId: number;
  corporationId: string;
}

type Field = GraphQLField<unknown, unknown>;

const leaves = (type: GraphQLObjectType): string[] =>
  Object.values(type.getFields())
    .filter((field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument))
    .map(({ name }) => name);

/** A whole number below `most`, drawn. */
type Draw = (most: number) => number;

/** A generator of whole numbers (mulberry32). */
function drawOf(seed: number): Draw {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  };
}

/** Generates abuses of one schema. */
export class Abuses {
  readonly #schema: GraphQLSchema;
  readonly #abuser: Abuser;
  readonly #sizes: ListSizes;
  /** The part of the largest bodies and files that is used, so that a small run stays small. */
  readonly #part: number;
  #draw: Draw = () => 0;
  /** Distinguishes the records of one request from those of the others. */
  #number = 0;

  constructor(schema: GraphQLSchema, abuser: Abuser, part: number) {
    this.#schema = schema;
    this.#abuser = abuser;
    this.#sizes = introspectionSizes(schema);
    this.#part = part;
  }

  /** The abuse of a kind that a number draws. */
  async of(kind: AbuseKind, seed: number): Promise<Abuse> {
    this.#draw = drawOf(seed);
    const { title, ...call } = await this.#makers[kind]();
    return { kind, title: `${kind}: ${title}`, ...call };
  }

  readonly #makers: Record<AbuseKind, () => Omit<Abuse, 'kind'> | Promise<Omit<Abuse, 'kind'>>> = {
    lists: () => this.#query('lists', this.#lists(), (field, at) => this.#list(field, at)),
    sums: () => this.#query('sums', this.#summaries(), (field, at) => this.#summary(field, at)),
    searches: () => this.#query('searches', this.#lists(), (field, at) => this.#search(field, at)),
    pages: () => this.#page(),
    batches: () => this.#batch(),
    forms: () => this.#form(),
    records: () => this.#records(),
    entries: () => this.#entries(),
    addresses: () => this.#address(),
    writes: () => this.#write(),
    strangers: () => this.#stranger(),
    sockets: () => this.#socket(),
    streams: () => this.#stream(),
  };

  #one<T>(list: readonly T[]): T {
    return list[this.#draw(list.length)]!;
  }

  get #company(): GraphQLObjectType {
    return this.#schema.getType('Company') as GraphQLObjectType;
  }

  #lists(type = this.#company): Field[] {
    return Object.values(type.getFields()).filter((field) => {
      const page = getNamedType(field.type);
      return isObjectType(page) && 'nodes' in page.getFields() && !field.args.some(isRequiredArgument);
    });
  }

  #summaries(): Field[] {
    return Object.values(this.#company.getFields()).filter((field) => field.args.some(({ name }) => name === 'groupBy'));
  }

  /** As many parts as the limits of an operation allow, each of a drawn field. */
  #query(
    what: string,
    fields: readonly Field[],
    part: (field: Field, at: number) => string,
    operation = (selection: string): string => `{ company(id: ${this.#abuser.companyId}) { ${selection} } }`,
  ): Omit<Abuse, 'kind'> & { body: { query: string } } {
    const taken: string[] = [];
    const names = new Set<string>();
    const document = (parts: readonly string[]): string => operation(parts.join(' '));
    for (let tried = 0; tried < 40; tried++) {
      const field = this.#one(fields);
      const next = part(field, taken.length);
      if (!this.#isAllowed(document([...taken, next]))) continue;
      taken.push(next);
      names.add(field.name);
    }
    return {
      title: `${taken.length} ${what} of ${[...names].join(', ')}`,
      method: 'POST',
      path: '/graphql',
      headers: {},
      body: { query: document(taken) },
    };
  }

  #isAllowed(text: string): boolean {
    try {
      const document = parse(text, { maxTokens: operationLimits.tokens });
      return [...checkDocument(this.#schema, document, this.#sizes).values()].every(
        (cost) => cost({ first: MAX_PAGE }) <= operationLimits.cost,
      );
    } catch {
      return false;
    }
  }

  /** A page with what is below its records: their children, or a page of each. */
  #list(field: Field, at: number, levels = 1 + this.#draw(2)): string {
    const node = getNamedType((getNamedType(field.type) as GraphQLObjectType).getFields().nodes!.type) as GraphQLObjectType;
    const below = levels === 0 ? [] : this.#lists(node);
    const children = Object.values(node.getFields()).filter(
      ({ type, args }) => args.length === 0 && isListType(getNullableType(type)) && isObjectType(getNamedType(type)),
    );
    const inner =
      below.length > 0 && this.#draw(2) === 0
        ? this.#list(this.#one(below), 0, levels - 1)
        : children.map(({ name, type }) => `${name} { ${leaves(getNamedType(type) as GraphQLObjectType).join(' ')} }`).join(' ');
    return `l${at}: ${field.name}(first: ${MAX_PAGE}) { nodes { ${leaves(node).join(' ')} ${inner} } }`;
  }

  #summary(field: Field, at: number): string {
    const keys = (getNamedType(field.args.find(({ name }) => name === 'groupBy')!.type) as GraphQLInputObjectType).getFields().field!;
    const names = (getNamedType(keys.type) as GraphQLEnumType).getValues().map(({ name }) => name);
    const currency = names.find((name) => name.startsWith('CURRENCY'));
    const chosen = [...new Set([...(currency ? [currency] : []), this.#one(names), this.#one(names)])].slice(0, 3);
    const groups = getNamedType((getNamedType(field.type) as GraphQLObjectType).getFields().groups!.type) as GraphQLObjectType;
    const sums = ['sum', 'avg', 'min', 'max'].flatMap((name) => {
      const type = groups.getFields()[name] && getNamedType(groups.getFields()[name]!.type);
      return type && isObjectType(type) ? [`${name} { ${leaves(type).join(' ')} }`] : [];
    });
    const first = this.#draw(2) === 0 ? 1 : MAX_GROUPS;
    const by = chosen.map((name) => `{ field: ${name} }`).join(', ');
    return `s${at}: ${field.name}(groupBy: [${by}], first: ${first}) { groups { key { value } count ${sums.join(' ')} } }`;
  }

  /** A page of what no index finds: texts that are parts of others, in an order of its own, with an exact count. */
  #search(field: Field, at: number): string {
    const filter = field.args.find(({ name }) => name === 'filter');
    if (!filter) return this.#list(field, at);
    const texts = Object.values((getNamedType(filter.type) as GraphQLInputObjectType).getFields()).filter(({ type }) => {
      const operators = getNamedType(type);
      return isInputObjectType(operators) && 'contains' in operators.getFields();
    });
    if (texts.length === 0) return this.#list(field, at);
    const conditions = Array.from({ length: 5 }, () => `{ ${this.#one(texts).name}: { contains: "e${this.#draw(10)}" } }`);
    return `f${at}: ${field.name}(first: ${MAX_PAGE}, exact: true, filter: { or: [${conditions.join(', ')}] }) { totalCount nodes { __typename } }`;
  }

  /** The largest page of a REST list, with everything below its records. */
  #page(): Omit<Abuse, 'kind'> {
    const route = this.#one(
      routes.filter(({ ledgerQuery, method, path }) => ledgerQuery === 'list' && method === 'GET' && path.includes('{company')),
    );
    const target = ledgerRecords.find((record) => route.path.endsWith(`/${listName(record)}`));
    const shown = target ? [...modelOf(target).relations.values()].filter(({ rest, hidden }) => rest === 'expand' && !hidden) : [];
    const expand = shown.map(({ name }) => snakeCase(name)).join(',');
    const path = pathOf(route, () => String(this.#abuser.companyId));
    return {
      title: `${route.path} with ${expand}`,
      method: 'GET',
      path: `${path}?limit=${MAX_PAGE}${expand ? `&expand=${expand}` : ''}`,
      headers: {},
    };
  }

  /** As many records as a batch may have, each as large as they may be together. */
  #batch(): Omit<Abuse, 'kind'> {
    const target = this.#one<RecordClass>(ledgerRecords);
    const count = Math.ceil(MAX_BATCH * this.#part);
    const sample = sampleBody(target);
    const children = [...modelOf(target).relations.values()].find(({ owned, whole }) => owned && !whole);
    const bytes = bodyMegabytes.integrations * 1_000_000 * this.#part;
    const own = JSON.stringify(sample).length;
    const child = children && { ...sampleBody(children.target()), platform_id: null };
    const most = child ? Math.max(0, Math.floor((bytes / count - own) / (JSON.stringify(child).length + 12))) : 0;
    this.#number++;
    const data = Array.from({ length: count }, (_, at) => ({
      ...sample,
      platform_id: `b${this.#number}-${at}`,
      ...(children && child
        ? { [snakeCase(children.name)]: Array.from({ length: most }, (_, line) => ({ ...child, platform_id: `${at}-${line}` })) }
        : {}),
    }));
    return {
      title: `${count} ${listName(target)} of ${most} ${children?.name ?? 'children'}`,
      method: 'POST',
      path: `/v4/core/companies/${this.#abuser.companyId}/${listName(target)}?run_async=true`,
      headers: {},
      body: { data },
    };
  }

  /** The largest file: of records for the inbox, or of products. */
  async #form(): Promise<Omit<Abuse, 'kind'>> {
    const bytes = Math.floor(MAX_FILE_BYTES * this.#part) - 1_000;
    const isInbox = this.#draw(2) === 0;
    const form = new FormData();
    const row = isInbox ? 'account-000000,Some name,ACTIVE\n' : 'SKU-000000,Some product,A description of it\n';
    const head = isInbox ? 'platform_id,name,status\n' : 'sku,name,description\n';
    const rows = Math.min(Math.floor(bytes / row.length), 49_000);
    const text = Array.from({ length: rows }, (_, at) => row.replace('000000', String(at))).join('');
    if (isInbox) form.set('data_model', 'ACCOUNT');
    else form.set('corporation_id', this.#abuser.corporationId);
    form.set('file', new Blob([head, text]), 'rows.csv');
    const encoded = new Response(form);
    return {
      title: `${rows} rows of ${isInbox ? 'records' : 'products'}`,
      method: 'POST',
      path: isInbox ? `/v4/core/companies/${this.#abuser.companyId}/imports` : '/api/v1/files',
      headers: { 'content-type': encoded.headers.get('content-type')! },
      raw: new Uint8Array(await encoded.arrayBuffer()),
    };
  }

  /** A mutation of many records in one transaction, with its largest response. */
  #records(): Omit<Abuse, 'kind'> {
    const mutations = Object.values(this.#schema.getMutationType()!.getFields()).filter(({ extensions, args }) => {
      const input = getNamedType(args[0]!.type) as GraphQLInputObjectType;
      return extensions.sizedBy && 'companyId' in input.getFields() && 'records' in input.getFields();
    });
    const field = this.#one(mutations);
    this.#number++;
    const records = Array.from({ length: Math.ceil(1_000 * this.#part) }, (_, at) => ({ platformId: `m${this.#number}-${at}` }));
    const input = getNamedType(field.args[0]!.type).name;
    return {
      title: `${field.name} of ${records.length}`,
      method: 'POST',
      path: '/graphql',
      headers: {},
      body: {
        query: `mutation ($input: ${input}!) { ${field.name}(input: $input) { results { index errors { code message } } } }`,
        variables: { input: { companyId: this.#abuser.companyId, records } },
      },
    };
  }

  /** A list of an input with as many entries as a body or message holds; most are rejected. */
  #entries(bytes = operationLimits.bodyMegabytes * 900_000 * this.#part): Omit<Abuse, 'kind'> {
    const fields = [this.#schema.getQueryType()!, this.#schema.getMutationType()!].flatMap((type) => Object.values(type.getFields()));
    const withInput = fields.filter(({ args }) => args.some(({ type }) => isInputObjectType(getNamedType(type))));
    const field = this.#one(withInput);
    const argument = field.args.find(({ type }) => isInputObjectType(getNamedType(type)))!;
    const input = getNamedType(argument.type) as GraphQLInputObjectType;
    const lists = Object.values(input.getFields()).filter(({ type }) => isListType(getNullableType(type)));
    const entry = (at: number): unknown => this.#one([{}, { x: at }, `${at}`, at, null, [at]]);
    const kind = this.#draw(3);
    const required = Object.fromEntries(
      Object.values(input.getFields())
        .filter(isRequiredInputField)
        .map(({ name }) => [name, '1']),
    );
    const value =
      lists.length > 0 && kind > 0
        ? { ...required, [this.#one(lists).name]: Array.from({ length: bytes / 10 }, (_, at) => entry(at)) }
        : { ...required, ...Object.fromEntries(Array.from({ length: bytes / 14 }, (_, at) => [`a${at}`, 1])) };
    const others = field.args.filter((other) => other !== argument && isRequiredArgument(other));
    const kindOf = Object.values(this.#schema.getQueryType()!.getFields()).includes(field) ? 'query' : 'mutation';
    const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
    return {
      title: `${field.name} with ${kind > 0 && lists.length > 0 ? 'a list of many' : 'many members'}`,
      method: 'POST',
      path: '/graphql',
      headers: {},
      body: {
        query: `${kindOf} ($value: ${input.name}) { ${field.name}(${argument.name}: $value ${others.map(({ name }) => `${name}: "1"`).join(' ')}) ${selection} }`,
        variables: { value },
      },
    };
  }

  #address(): Omit<Abuse, 'kind'> {
    const words = ['Street', 'Road', '10', 'London', 'Paris', 'rue', 'GB', 'Berlin', 'Allee', 'St', 'Springfield', 'Unit', '12b', ','];
    const address = Array.from({ length: 60 }, () => this.#one(words))
      .join(' ')
      .slice(0, 400);
    const route = this.#one(['/api/v1/geoencode', '/api/v1/geoencode/suggest']);
    return {
      title: `${route} of ${address.slice(0, 40)}`,
      method: 'POST',
      path: route,
      headers: {},
      body: route.endsWith('suggest') ? { text: address } : { address },
    };
  }

  /** One record, many times at once. */
  #write(): Omit<Abuse, 'kind'> {
    const target = this.#one<RecordClass>(ledgerRecords);
    this.#number++;
    return {
      title: listName(target),
      method: 'POST',
      path: `/v4/core/companies/${this.#abuser.companyId}/${listName(target)}`,
      headers: {},
      body: { data: { ...sampleBody(target), platform_id: `w${this.#number}` } },
    };
  }

  /** One of the largest bodies, files and documents, without a key. */
  async #stranger(): Promise<Omit<Abuse, 'kind'>> {
    const makers = [
      () => this.#batch(),
      () => this.#form(),
      () => this.#entries(),
      () => this.#query('lists', this.#lists(), (field, at) => this.#list(field, at)),
    ];
    const { title, ...call } = await this.#one<() => Omit<Abuse, 'kind'> | Promise<Omit<Abuse, 'kind'>>>(makers)();
    return { ...call, title: `${title}, without a key`, isAnonymous: true };
  }

  /** As many operations as one WebSocket may have open, each as large as a message may be. */
  #socket(): Omit<Abuse, 'kind'> {
    const makers = [
      () => this.#query('lists', this.#lists(), (field, at) => this.#list(field, at)),
      () => this.#query('sums', this.#summaries(), (field, at) => this.#summary(field, at)),
      () => this.#entries(socketLimits.messageBytes * 0.9 * this.#part),
    ];
    const { title, ...call } = this.#one(makers)();
    const operations = Math.ceil(socketLimits.subscriptions * this.#part);
    return { ...call, title: `${operations} operations: ${title}`, operations };
  }

  /** As many subscriptions as one WebSocket may have open, each with as much below the record that changes as an operation may read. */
  #stream(): Omit<Abuse, 'kind'> {
    const operation = (selection: string): string =>
      `subscription ($first: Int!) { recordChanged(type: CONTACT) { node { ... on Contact { company { ${selection} } } } } }`.replaceAll(
        `first: ${MAX_PAGE}`,
        'first: $first',
      );
    const { title, ...call } = this.#query('lists', this.#lists(), (field, at) => this.#list(field, at), operation);
    const operations = Math.ceil(socketLimits.subscriptions * this.#part);
    this.#number++;
    const change = {
      method: 'PUT',
      path: `/v4/core/companies/${this.#abuser.companyId}/contacts`,
      headers: {},
      body: { data: { platform_id: 'followed', name: `Contact ${this.#number}` } },
    };
    return { ...call, title: `${operations} subscriptions: ${title}`, operations, change };
  }
}

export const abuseKinds = [
  'lists',
  'sums',
  'searches',
  'pages',
  'batches',
  'forms',
  'records',
  'entries',
  'addresses',
  'writes',
  'strangers',
  'sockets',
  'streams',
] as const;

export type AbuseKind = (typeof abuseKinds)[number];
