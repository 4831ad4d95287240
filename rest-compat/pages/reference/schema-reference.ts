// The GraphQL schema as the reference shows it: every root field and type by name, with what it takes, gives, and is used by.
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isUnionType,
  print,
  printType,
} from 'graphql';
import { type ErrorCode, type ErrorDeclaration, errorCodes } from '../../../src/records/errors.ts';
import type { Recordings } from '../../openapi/recordings.ts';
import { operationErrors } from '../../runtime/operation-errors.ts';
import type { OperationTwin, Reference, ReferenceEntry, ReferenceKind, ReferenceMember, ReferenceName } from '../parts/model.ts';
import { exampleOperation, type OperationKind } from './example-operation.ts';

type Field = GraphQLField<unknown, unknown>;

/** The status of an answer with an error: 200 where the operation ran. */
const graphqlStatus = (code: ErrorCode): number => (errorCodes[code] as ErrorDeclaration).graphqlStatuses?.[0] ?? 200;

const kinds: Record<OperationKind, ReferenceKind> = { query: 'queries', mutation: 'mutations', subscription: 'subscriptions' };

/** What the reference needs of the schema, read when it is first asked for a part; `twins` are the REST operations of a root field. */
export class SchemaReference implements Reference {
  readonly #schema: GraphQLSchema;
  readonly #twins: (field: string) => readonly OperationTwin[];
  readonly #recordings: () => Recordings;
  #names: readonly ReferenceName[] | undefined;
  #uses: ReadonlyMap<string, readonly ReferenceName[]> | undefined;

  constructor(schema: GraphQLSchema, twins: (field: string) => readonly OperationTwin[], recordings: () => Recordings) {
    this.#schema = schema;
    this.#twins = twins;
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
      twins: this.#twins(field.name),
      example: { document, variables, ...(recorded ? { recorded: { cost: recorded.cost, answer: recorded.answer } } : {}) },
      errors: operationErrors(kind, [field], 'graphql').map((code) => ({
        code,
        status: graphqlStatus(code),
        meaning: errorCodes[code].meaning,
      })),
    };
  }

  #typeEntry(type: GraphQLNamedType): ReferenceEntry {
    const members = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
    return {
      ...named('types', type),
      label: labelOf(type),
      roles: [],
      members: (members as (Field | GraphQLInputField)[]).map(memberOf),
      values: isEnumType(type) ? type.getValues().map((value) => described(value)) : [],
      types: isAbstractType(type) ? this.#schema.getPossibleTypes(type).map(({ name }) => name) : [],
      usedBy: this.#usesOf(type.name),
      twins: [],
      errors: [],
      definition: printType(type),
    };
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

  /** The root fields and types in whose fields and arguments a type stands. */
  #usesOf(name: string): readonly ReferenceName[] {
    this.#uses ??= this.#readUses();
    return this.#uses.get(name) ?? [];
  }

  #readUses(): Map<string, ReferenceName[]> {
    const uses = new Map<string, Map<string, ReferenceName>>();
    const note = (user: ReferenceName, { type, args = [] }: { type: unknown; args?: readonly GraphQLArgument[] }): void => {
      for (const used of [type, ...args.map((argument) => argument.type)]) {
        const { name } = getNamedType(used as GraphQLNamedType);
        if (!uses.has(name)) uses.set(name, new Map());
        uses.get(name)!.set(`${user.kind} ${user.name}`, user);
      }
    };
    for (const { kind, type } of this.#roots()) for (const field of Object.values(type.getFields())) note(named(kinds[kind], field), field);
    for (const type of this.#types())
      if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type))
        for (const field of Object.values(type.getFields())) note(named('types', type), field);
      else if (isUnionType(type)) for (const member of type.getTypes()) note(named('types', type), { type: member });
    return new Map([...uses].map(([name, users]) => [name, [...users.values()]]));
  }
}

const named = (
  kind: ReferenceKind,
  { name, description, deprecationReason }: { name: string; description?: string | null; deprecationReason?: string | null },
): ReferenceName => ({ kind, name, description: description ?? '', isDeprecated: Boolean(deprecationReason) });

const described = ({
  name,
  description,
  deprecationReason,
}: {
  name: string;
  description?: string | null | undefined;
  deprecationReason?: string | null | undefined;
}) => ({ name, description: description ?? '', ...(deprecationReason ? { deprecation: deprecationReason } : {}) });

function memberOf(member: Field | GraphQLInputField | GraphQLArgument): ReferenceMember {
  const fallback = 'defaultValue' in member && member.defaultValue !== undefined ? astFromValue(member.defaultValue, member.type) : null;
  return {
    ...described(member),
    type: String(member.type),
    typeName: getNamedType(member.type).name,
    ...(fallback ? { fallback: print(fallback) } : {}),
    parameters: 'args' in member ? member.args.map(({ name }) => name) : [],
  };
}

function labelOf(type: GraphQLNamedType): string {
  if (isObjectType(type)) return 'object';
  if (isInterfaceType(type)) return 'interface';
  if (isUnionType(type)) return 'union';
  if (isInputObjectType(type)) return 'input';
  return isEnumType(type) ? 'enum' : 'scalar';
}
