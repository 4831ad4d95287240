// The records that a rejected call names and the caller does not have. They are reported with the rejection instead of when the call is sent again.
import { type GraphQLArgument, GraphQLID, type GraphQLInputType, getNullableType, isInputObjectType } from 'graphql';
import { fromUUID } from 'typeid-js';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { systemTransaction } from '../../database/transaction.ts';
import type { GatewayError } from '../../records/errors.ts';
import { allModels, type Model, type NamedRecords } from '../../records/metadata.ts';
import { notFound } from '../../records/not-found.ts';
import { UUID } from '../../records/scalars.ts';

/** A record by its key, and where the call names it. */
interface Named {
  model: Model;
  key: string | number;
  field: string;
}

/** The record that a value names: by what its place declares, or by the prefix of a global id. */
export function namedBy(
  declared: GraphQLInputType,
  names: NamedRecords | undefined,
  name: string,
  value: unknown,
): Omit<Named, 'field'> | undefined {
  const type = getNullableType(declared);
  if (typeof value === 'number') {
    const [model, ...others] = names?.() ?? [];
    return model && others.length === 0 ? { model, key: value } : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (type === UUID) {
    const model = allModels().find(
      (one) => `${one.name[0]!.toLowerCase()}${one.name.slice(1)}Id` === name && one.prefix && one.key === 'id',
    );
    return model && { model, key: fromUUID(value, model.prefix).toString() };
  }
  const model = type === GraphQLID && allModels().find(({ prefix, key }) => key === 'id' && value.startsWith(`${prefix}_`));
  return model ? { model, key: value } : undefined;
}

/** The records that the arguments of a call name, in an argument or in a member of an input. */
const namedIn = (declared: readonly GraphQLArgument[], args: Readonly<Record<string, unknown>>): Named[] =>
  declared.flatMap(({ name, type, extensions }): Named[] => {
    const value = args[name];
    const object = getNullableType(type);
    if (!isInputObjectType(object)) {
      const named = namedBy(type, extensions.names, name, value);
      return named ? [{ ...named, field: name }] : [];
    }
    const members = (value ?? {}) as Record<string, unknown>;
    return Object.values(object.getFields()).flatMap((field): Named[] => {
      const named = namedBy(field.type, field.extensions.names, field.name, members[field.name]);
      return named ? [{ ...named, field: `${name}.${field.name}` }] : [];
    });
  });

/** Whether the caller has the record; operators have those of every organisation. */
async function isKnown(context: RequestContext, { model, key }: Named): Promise<boolean> {
  const { reader, database } = context.services;
  const where = { [model.key]: key };
  if (context.principal?.organisationId != null) return (await reader.one(model.class, where, [model.key], scopeOf(context))) !== undefined;
  const row = await systemTransaction(database, (em) =>
    em.findOne(model.class, where, { fields: [model.key as never], filters: { tenant: false } }),
  );
  return row !== null;
}

/** An error for each record outside of companies that the arguments of a rejected call name and the caller does not have. */
export async function missingRecords(
  context: RequestContext,
  declared: readonly GraphQLArgument[],
  args: Readonly<Record<string, unknown>>,
): Promise<GatewayError[]> {
  const named = namedIn(declared, args).filter(({ model }) => model.scope === 'organisation' && !model.companyColumn && model.notFound);
  const known = await Promise.all(named.map((one) => isKnown(context, one)));
  return named.filter((_, index) => !known[index]).map(({ model, key, field }) => notFound(model.class, key, field));
}
