// The member `ifMatch` of every mutation that names the record it changes, where records of that type show a version.

import { LockMode } from '@mikro-orm/core';
import { type GraphQLField, type GraphQLSchema, GraphQLString, getNamedType, isObjectType } from 'graphql';
import type { RequestContext } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { GatewayError } from '../../records/errors.ts';
import { allModels, type Model } from '../../records/metadata.ts';
import { namesVersion } from '../../records/version.ts';
import { isOwnId } from './input-argument.ts';
import { namedBy } from './missing-records.ts';

const IF_MATCH = 'ifMatch';
const ETAG = 'etag';

/** Adds the argument, which becomes a member of `input`, before the resolvers are guarded. */
export function takeVersions(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const payload = getNamedType(field.type);
    if (!isObjectType(payload) || field.args.some(({ name }) => name === IF_MATCH)) continue;
    const shown = new Set(Object.values(payload.getFields()).map(({ type }) => getNamedType(type).name));
    const versioned = allModels().filter((model) => shown.has(model.name) && model.derived.has(ETAG));
    const names = new Set(Object.keys(payload.getFields()));
    const own = field.args.find((argument) => isOwnId(argument, names));
    if (own && versioned.length > 0) takeVersion(field, own.name);
  }
}

function takeVersion(field: GraphQLField<unknown, RequestContext>, own: string): void {
  const argument = field.args.find(({ name }) => name === own)!;
  const inner = field.resolve!;
  field.extensions = { ...field.extensions, takesVersion: true };
  field.args = [
    ...field.args,
    {
      name: IF_MATCH,
      description: 'Required `etag` of the record.',
      type: GraphQLString,
      defaultValue: undefined,
      deprecationReason: undefined,
      extensions: {},
      astNode: undefined,
    },
  ];
  field.resolve = async (root, args, context, info) => {
    const ifMatch: string | null | undefined = args[IF_MATCH] ?? context.ifMatch;
    const named = ifMatch == null ? undefined : namedBy(argument.type, field.extensions.names?.[own], own, args[own]);
    if (ifMatch == null || !named) return inner(root, args, context, info);
    const { writing } = context;
    context.writing = async (em) => {
      await writing?.(em);
      await requireVersion(em, named, ifMatch, context.isRest ? 'If-Match' : IF_MATCH);
    };
    try {
      return await inner(root, args, context, info);
    } finally {
      if (writing) context.writing = writing;
      else delete context.writing;
    }
  };
}

/** Locks the record and compares its version, first in the transaction that changes it. One that does not exist is left to the change. */
async function requireVersion(
  em: EntityManager,
  { model, key }: { model: Model; key: string | number },
  ifMatch: string,
  field: string,
): Promise<void> {
  const stored = await em.findOne(model.class, { [model.key]: key }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!stored || namesVersion(ifMatch, String(model.derived.get(ETAG)!.compute(stored as never)))) return;
  throw new GatewayError('STALE_RECORD', `the record is no longer the version that ${field} names`, { field });
}
