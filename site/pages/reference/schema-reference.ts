// The GraphQL schema as the reference shows it: every root field and type by name, with what it takes, gives, and is used by.
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isType,
  isUnionType,
  print,
  printType,
} from 'graphql';
import type { Recordings } from '../../../rest-compat/openapi/recordings.ts';
import { operationErrors } from '../../../rest-compat/runtime/operation-errors.ts';
import { type ErrorCode, type ErrorDeclaration, errorCodes } from '../../../src/records/errors.ts';
import { snakeCase } from '../../../src/records/naming.ts';
import type {
  OperationCounterpart,
  Reference,
  ReferenceEntry,
  ReferenceKind,
  ReferenceMember,
  ReferenceName,
  ReferenceUse,
  Sample,
} from '../parts/model.ts';
import { exampleInput, exampleOperation, exampleSelection, type OperationKind } from './example-operation.ts';

type Field = GraphQLField<unknown, unknown>;

/** The status of a response with an error: 200 where the operation ran. */
const graphqlStatus = (code: ErrorCode): number => (errorCodes[code] as ErrorDeclaration).graphqlStatuses?.[0] ?? 200;

const kinds: Record<OperationKind, ReferenceKind> = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };

/** What the reference needs of the schema, read when it is first asked for a part; `counterparts` returns the REST operations of a root field. */
export class SchemaReference implements Reference {
  readonly #schema: GraphQLSchema;
  readonly #counterparts: (field: string) => readonly OperationCounterpart[];
  readonly #recordings: () => Recordings;
  #names: readonly ReferenceName[] | undefined;
  #uses: ReadonlyMap<string, readonly ReferenceUse[]> | undefined;

  constructor(schema: GraphQLSchema, counterparts: (field: string) => readonly OperationCounterpart[], recordings: () => Recordings) {
    this.#schema = schema;
    this.#counterparts = counterparts;
    this.#recordings = recordings;
  }

  get names(): readonly ReferenceName[] {
    this.#names ??= [
      ...this.#roots().flatMap(({ kind, type }) => Object.values(type.getFields()).map((field) => named(kinds[kind], field))),
      ...this.#types().map((type) => named('types', type)),
    ].sort((a, b) => a.name.localeCompare(b.name, 'en'));
    return this.#names;
  }

  entry(kind: ReferenceKind, name: string): ReferenceEntry | undefined {
    if (kind === 'types') {
      const type = this.#types().find((other) => other.name === name);
      return type && this.#typeEntry(type);
    }
    const root = this.#roots().find((other) => kinds[other.kind] === kind);
    const field = root && Object.hasOwn(root.type.getFields(), name) ? root.type.getFields()[name] : undefined;
    return field && this.#rootEntry(root!.kind, field);
  }

  member(type: string, name: string): { member: ReferenceMember; sample?: Sample } | undefined {
    const owner = this.#types().find((other) => other.name === type);
    const field = membersOf(owner).find((other) => other.name === name);
    if (!field) return undefined;
    if (!isObjectType(owner) && !isInterfaceType(owner)) return { member: memberOf(field) };
    return { member: memberOf(field), sample: { language: 'graphql', text: exampleSelection(owner.name, [field as Field]) } };
  }

  #rootEntry(kind: OperationKind, field: Field): ReferenceEntry {
    const recorded = this.#recordings().graphql[field.name];
    const { document, variables } = recorded ?? exampleOperation(kind, field);
    return {
      ...named(kinds[kind], field),
      label: kind,
      result: { type: String(field.type), typeName: getNamedType(field.type).name },
      roles: field.extensions.access ?? [],
      members: field.args.map(memberOf),
      values: [],
      types: [],
      usedBy: [],
      counterparts: this.#counterparts(field.name),
      example: { document, variables, ...(recorded ? { recorded: { cost: recorded.cost, response: recorded.response } } : {}) },
      errors: operationErrors(kind, [field], 'graphql').map((code) => ({
        code,
        status: graphqlStatus(code),
        meaning: errorCodes[code].meaning,
      })),
    };
  }

  #typeEntry(type: GraphQLNamedType): ReferenceEntry {
    return {
      ...named('types', type),
      label: labelOf(type),
      roles: [],
      members: membersOf(type).map((member) => this.#withText(type, memberOf(member))),
      values: isEnumType(type) ? type.getValues().map((value) => this.#withText(type, described(value))) : [],
      types: isAbstractType(type) ? this.#schema.getPossibleTypes(type).map(({ name }) => name) : [],
      usedBy: this.#usesOf(type.name),
      counterparts: [],
      errors: [],
      definition: printType(type),
      ...sampleOf(type),
    };
  }

  /** A member that is named after a field of a record, such as a condition or a sort key, with the text of that field. */
  #withText<M extends { name: string; description: string }>({ name }: GraphQLNamedType, member: M): M {
    const record = this.#schema.getType(NAMED_AFTER.exec(name)?.[1] ?? '');
    if (member.description || !isObjectType(record)) return member;
    const own = member.name.replace(/^SUM_/, '');
    const field = Object.values(record.getFields()).find((one) => one.name === own || snakeCase(one.name).toUpperCase() === own);
    return { ...member, description: field?.description ?? '' };
  }

  #roots(): { kind: OperationKind; type: GraphQLObjectType }[] {
    const of = (kind: OperationKind, type: GraphQLObjectType | null | undefined) => (type ? [{ kind, type }] : []);
    return [
      ...of('query', this.#schema.getQueryType()),
      ...of('mutation', this.#schema.getMutationType()),
      ...of('subscription', this.#schema.getSubscriptionType()),
    ];
  }

  #types(): GraphQLNamedType[] {
    const roots = new Set<GraphQLNamedType>(this.#roots().map(({ type }) => type));
    return Object.values(this.#schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && !roots.has(type));
  }

  /** The root fields and types whose fields and arguments use a type; what has pages of it uses it too. */
  #usesOf(name: string): readonly ReferenceUse[] {
    this.#uses ??= this.#readUses();
    return this.#uses.get(name) ?? [];
  }

  #readUses(): Map<string, ReferenceUse[]> {
    const uses = new Map<string, Map<string, ReferenceUse & { fields: string[] }>>();
    const note = (user: ReferenceName, used: GraphQLNamedType, field?: string): void => {
      if (!uses.has(used.name)) uses.set(used.name, new Map());
      const users = uses.get(used.name)!;
      const key = `${user.kind} ${user.name}`;
      if (!users.has(key)) users.set(key, { ...user, fields: [] });
      const { fields } = users.get(key)!;
      if (field !== undefined && !fields.includes(field)) fields.push(field);
    };
    const noteField = (user: ReferenceName, { type, args = [] }: UsedField, name?: string): void => {
      const returned = getNamedType(type);
      for (const used of [returned, ...recordOf(returned), ...args.map((argument) => getNamedType(argument.type))]) note(user, used, name);
    };
    for (const { kind, type } of this.#roots())
      for (const field of Object.values(type.getFields())) noteField(named(kinds[kind], field), field);
    for (const type of this.#types()) {
      for (const field of membersOf(type)) noteField(named('types', type), field, field.name);
      if (isUnionType(type)) for (const member of type.getTypes()) note(named('types', type), member);
    }
    return new Map([...uses].map(([name, users]) => [name, [...users.values()]]));
  }
}

type UsedField = { type: GraphQLOutputType | GraphQLInputType; args?: readonly GraphQLArgument[] };

/** The record of a page of a list. */
function recordOf(type: GraphQLNamedType): GraphQLNamedType[] {
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined;
  return nodes ? [getNamedType(nodes.type)] : [];
}

/** The fields of a type that has some. */
const membersOf = (type: GraphQLNamedType | undefined): (Field | GraphQLInputField)[] =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values<Field | GraphQLInputField>(type.getFields()) : [];

function sampleOf(type: GraphQLNamedType): { sample?: Sample } {
  if (isInputObjectType(type)) return { sample: { language: 'json', text: JSON.stringify(exampleInput(type), null, 2) } };
  if (!isObjectType(type) && !isInterfaceType(type)) return {};
  return { sample: { language: 'graphql', text: exampleSelection(type.name, Object.values(type.getFields())) } };
}

const named = (kind: ReferenceKind, of: Field | GraphQLNamedType): ReferenceName => ({
  kind,
  name: of.name,
  description: of.description ?? '',
  isDeprecated: 'deprecationReason' in of && Boolean(of.deprecationReason),
  group: isType(of) ? groupOfType(of) : areaOf(of),
});

/** Areas by the role that opens them. */
const AREAS: Readonly<Partial<Record<string, string>>> = {
  PLATFORM: 'Platform',
  ENTITIES: 'Business entities',
  GEOCODE: 'Addresses',
  INTEGRATIONS: 'Books and connections',
  ADMIN: 'Operators',
};

/** The area of a root field; what several roles open belongs to none of theirs. */
function areaOf({ extensions: { access = [] } }: Field): string {
  const [role, ...others] = access;
  return (role && others.length === 0 && AREAS[role]) || 'All areas';
}

/** Types whose members are named after the fields of a record. */
const NAMED_AFTER = /^(\w+?)(?:Filter|OrderField|GroupField|SummaryOrderField|Amounts|Bounds)$/;

/** Objects that were made for others: pages, payloads and the parts of summaries. */
const MADE = /(Connection|Edge|Payload|Result|Summary|SummaryGroup|Amounts|Bounds|Change)$/;

function groupOfType(type: GraphQLNamedType): string {
  if (isInputObjectType(type)) return 'Inputs';
  if (isEnumType(type)) return 'Enumerations';
  if (isAbstractType(type)) return 'Interfaces and unions';
  if (!isObjectType(type)) return 'Scalars';
  if (type.getInterfaces().some(({ name }) => name === 'Node')) return 'Records';
  return MADE.test(type.name) ? 'Pages, payloads and summaries' : 'Parts of records and responses';
}

const described = ({
  name,
  description,
  deprecationReason,
}: {
  name: string;
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
}) => ({ name, description: description ?? '', ...(deprecationReason ? { deprecation: deprecationReason } : {}) });

/** Values of an enumeration that are shown next to a member of its type. */
const MAX_VALUES = 12;

function memberOf(member: Field | GraphQLInputField | GraphQLArgument): ReferenceMember {
  const type = getNamedType(member.type);
  const values = isEnumType(type) ? type.getValues() : [];
  const fallback = 'defaultValue' in member && member.defaultValue !== undefined ? astFromValue(member.defaultValue, member.type) : null;
  return {
    ...described(member),
    type: String(member.type),
    typeName: type.name,
    values: values.length > MAX_VALUES ? [] : values.map(({ name }) => name),
    ...(fallback ? { fallback: print(fallback) } : {}),
    parameters: 'args' in member ? member.args.map(memberOf) : [],
  };
}

function labelOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'object';
  if (isInterfaceType(type)) return 'interface';
  if (isUnionType(type)) return 'union';
  if (isInputObjectType(type)) return 'input';
  return isEnumType(type) ? 'enum' : 'scalar';
}
