// What the typed client has to know of the schema besides the types of its operations: connections, decimals, records by id, members of abstract
// types.
import { type GraphQLSchema, getNamedType, isAbstractType, isNonNullType, isObjectType } from 'graphql';

/** Arguments that choose the page of a list, and not the list. */
const PAGING = new Set(['after', 'before', 'first', 'last', 'offset', 'exact']);

const sorted = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Its place below `schema/`. */
export const CLIENT_FIELDS = 'client/fields.generated.ts';

/** The text of the file. */
export function clientFields(schema: GraphQLSchema): string {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const objects = types.filter(isObjectType);
  const fields = objects.flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ type, field, named: getNamedType(field.type) })),
  );

  const connections = new Map<string, Map<string, string[]>>();
  for (const { type, field, named } of fields) {
    if (!named.name.endsWith('Connection') || !field.args.some(({ name }) => name === 'first')) continue;
    if (!connections.has(type.name)) connections.set(type.name, new Map());
    const list = field.args
      .map(({ name }) => name)
      .filter((name) => !PAGING.has(name))
      .toSorted();
    connections.get(type.name)!.set(field.name, list);
  }

  const decimals = new Map<string, true | string[]>();
  for (const { type, field, named } of fields) {
    if (named.name !== 'Decimal') continue;
    const isAlways = fields.every((other) => other.field.name !== field.name || other.named.name === 'Decimal');
    decimals.set(field.name, isAlways || [...((decimals.get(field.name) as string[] | undefined) ?? []), type.name].toSorted());
  }

  const node = schema.getType('Node');
  const lookups = fields.flatMap(({ type, field, named }): [string, string][] => {
    const required = field.args.filter((argument) => isNonNullType(argument.type));
    const isLookup = type === schema.getQueryType() && required.length === 1 && required[0]!.name === 'id' && field.args.length === 1;
    return isLookup && isObjectType(named) && named.getInterfaces().some((other) => other === node) ? [[field.name, named.name]] : [];
  });

  const possible = types.filter(isAbstractType).map((type): [string, string[]] => [
    type.name,
    schema
      .getPossibleTypes(type)
      .map(({ name }) => name)
      .toSorted(),
  ]);

  const constant = (comment: string, name: string, shape: string, value: object): string =>
    `/** ${comment} */\nexport const ${name}: ${shape} = ${JSON.stringify(value, null, 1)};\n`;
  return [
    '// Written by `npm run contracts` from the schema.\n',
    constant(
      'The fields that are connections, by type, and which of their arguments tell one list from another.',
      'connections',
      'Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>',
      sorted([...connections].map(([type, lists]) => [type, sorted(lists)] as const)),
    ),
    constant(
      'The names of fields that hold a Decimal: in every type that has the name, or in these alone.',
      'decimals',
      'Readonly<Record<string, true | readonly string[]>>',
      sorted(decimals),
    ),
    constant(
      'The root fields that read one record by its id, and its type.',
      'lookups',
      'Readonly<Record<string, string>>',
      sorted(lookups),
    ),
    constant(
      'The types that an interface or a union stands for.',
      'possibleTypes',
      'Readonly<Record<string, readonly string[]>>',
      sorted(possible),
    ),
  ].join('\n');
}
