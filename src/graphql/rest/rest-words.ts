// Texts of the schema and of resolvers, which name fields as GraphQL does, in the words of REST bodies.
import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { snakeCase } from '../../records/naming.ts';

/** Names whose place on REST is a header, or a parameter with a name of its own. */
const places: Readonly<Record<string, string>> = {
  ifMatch: 'If-Match',
  idempotencyKey: 'Idempotency-Key',
  includeDeleted: 'include_deleted_records',
  etag: 'ETag',
};

/** Follows from the schema alone, so it goes with it. */
const known = new WeakMap<GraphQLSchema, ReadonlyMap<string, string>>();

/** The REST names of all fields, members and arguments of a schema that GraphQL writes in camelCase. */
function jsonNamesOf(schema: GraphQLSchema): ReadonlyMap<string, string> {
  let names = known.get(schema);
  if (!names) {
    const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
    const own = new Map<string, string>();
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        const { jsonName } = field.extensions;
        if (!roots.has(type)) own.set(field.name, typeof jsonName === 'string' ? jsonName : snakeCase(field.name));
        if ('args' in field) for (const { name } of field.args) if (!own.has(name)) own.set(name, snakeCase(name));
      }
    }
    names = new Map([...[...own].filter(([name]) => /[A-Z]/.test(name)), ...Object.entries(places)]);
    known.set(schema, names);
  }
  return names;
}

const NAME = /(?<![\w$-])[a-z]\w*/g;

/** A name, or a path of names, as REST bodies have it; `kept` are names that REST has as they are. */
const renamed = (schema: GraphQLSchema, text: string, kept: ReadonlySet<string>): string =>
  text.replaceAll(NAME, (name) => (kept.has(name) ? name : (jsonNamesOf(schema).get(name) ?? name)));

const nothing: ReadonlySet<string> = new Set();

/** A description: what it has in backticks as REST bodies have it. */
export const inRestNames = (schema: GraphQLSchema, text: string, kept = nothing): string =>
  text.replaceAll(/`[^`]+`/g, (code) => renamed(schema, code, kept));

/** A message that contains names of fields; text in quotes is a value and stays as it is. */
export const inRestWords = (schema: GraphQLSchema, message: string, kept = nothing): string =>
  message.replaceAll(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) => (part.startsWith('"') ? part : renamed(schema, part, kept)));
