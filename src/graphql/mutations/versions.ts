// The member `ifMatch` of every mutation that names the record it changes, where records of that type show a version.
import { LockMode } from '@mikro-orm/core';
import type { GraphQLArgument } from 'graphql';
import type { EntityManager } from '../../database/open.ts';
import { GatewayError } from '../../records/errors.ts';
import type { Model } from '../../records/metadata.ts';
import { namesVersion } from '../../records/version.ts';
import { ETAG, IF_MATCH } from './declare.ts';
import type { MutationField } from './input-argument.ts';
import { namedBy } from './missing-records.ts';

/** Has a mutation compare the version that its input or a header names, before it changes the record that its argument `own` names. */
export function takeVersion(field: MutationField, own: GraphQLArgument): void {
  const inner = field.resolve!;
  field.resolve = async (root, args, context, info) => {
    const ifMatch: string | null | undefined = args[IF_MATCH] ?? context.ifMatch;
    const named = ifMatch == null ? undefined : namedBy(own.type, own.extensions.names, own.name, args[own.name]);
    if (ifMatch == null || !named) return inner(root, args, context, info);
    const { writing } = context;
    const comparing = async (em: EntityManager): Promise<void> => {
      await writing?.(em);
      await requireVersion(em, named, ifMatch, context.isRest ? 'If-Match' : IF_MATCH);
    };
    context.writing = comparing;
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
