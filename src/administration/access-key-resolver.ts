// Administrators' operations on access keys.
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { isLive, type KeyRequest, type WithKey } from '../access/access-keys.ts';
import { audit, auditRecords } from '../access/audit.ts';
import type { RequestContext } from '../access/context.ts';
import { requireQuota } from '../access/quotas.ts';
import { AccessKey } from '../access/tables.ts';
import type { ReadScope } from '../database/reader/conditions.ts';
import { projectionFor, type Row } from '../database/reader/projection.ts';
import { connectionOf, pageArguments, readConnection } from '../graphql/connections.ts';
import { type Argument, argument, type Call, id, listArguments, mutation, optional, query, resolver } from '../graphql/declared/fields.ts';
import { AGENT_TOOLS, requireTools } from '../graphql/endpoint/operation-tools.ts';
import { createInput, ReadArg } from '../graphql/input-types.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { ownRecord } from '../graphql/own-record.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { showsSecret } from '../records/schema-extensions.ts';
import { keyText } from '../records/text.ts';

export const IssueAccessKeyInput = createInput(AccessKey, 'A key to issue.', { name: 'IssueAccessKeyInput', trims: false });

const AccessKeyConnection = connectionOf(AccessKey);

@ObjectType({ description: 'A newly issued key.', simpleResolvers: true })
export class IssuedAccessKey {
  @showsSecret
  @Field(() => String, { description: 'Value of the key. It is shown only here.' })
  key!: string;
  @Field(() => AccessKey, { description: 'The record of the key.' }) accessKey!: AccessKey;
}

@ObjectType({ description: 'Result of `revokeAccessKey`.', simpleResolvers: true })
export class RevokeAccessKeyPayload {
  @Field(() => AccessKey, { description: 'The record of the key.' }) accessKey!: AccessKey;
}

/** Operators see the keys of every organisation. */
const ALL: ReadScope = { tenant: null };

const HOUR = 3_600_000;

const auditOf =
  (context: RequestContext): WithKey =>
  (em, organisationId, id) => {
    audit(em, context, organisationId);
    auditRecords(em, [{ id }]);
  };

/** The record of a key, with what the operation selected of it. */
const shown = async ({ context, info }: Call, id: string): Promise<Row> => {
  const tree = lookAhead(info).fields.get('accessKey');
  return tree ? ownRecord(context, tree, AccessKey, { id }, { id, field: 'id' }, ALL) : {};
};

const roles = ['ADMIN'] as const;

/** The organisation whose keys are asked for, by its name in the form in which names are stored. */
const organisationName: Argument<string> = {
  decorate: (name) =>
    ReadArg(
      name,
      () => String,
      { description: 'Name of the organisation.' },
      (written) => keyText(String(written)),
    ),
};

/** A key to issue. */
type NewKey = KeyRequest & { expiresAt?: string | null; tools?: string[] | null };

const issuing = mutation(() => IssuedAccessKey, { roles });

export const AccessResolver = resolver({
  issueAccessKey: issuing(
    'Issues a key. Its value is shown only in the response.',
    { input: argument<NewKey>(() => IssueAccessKeyInput, 'The key to issue.') },
    async ({ input }, call) => {
      const { services } = call.context;
      if (input.expiresAt && input.expiresAt <= services.clock.now().toISOString())
        throw invalid('expiresAt', 'expiresAt must be in the future');
      requireTools(services.schema, input.tools ?? [], 'tools', AGENT_TOOLS);
      const also = async (...[em, organisationId, keyId]: Parameters<WithKey>): Promise<void> => {
        await requireQuota(em, services.config, organisationId, 'keys');
        auditOf(call.context)(em, organisationId, keyId);
      };
      const { key, id } = await services.keys.issue(input, { also });
      return { key, accessKey: await shown(call, id) };
    },
  ),
  revokeAccessKey: mutation(() => RevokeAccessKeyPayload, { roles })(
    'Revokes a key. Every process rejects it within five seconds.',
    { id: id('Id of the key.') },
    async ({ id }, call) => {
      const { keys, clock } = call.context.services;
      await keys.end(id, clock.now(), 'revokedAt', auditOf(call.context));
      return { accessKey: await shown(call, id) };
    },
  ),
  rotateAccessKey: issuing(
    'Issues a new key with the same rights. The old key keeps working during the grace period.',
    {
      id: id('Id of the key to replace.'),
      graceHours: argument<number>(() => Int, 'Hours for which the old key keeps working, 0 to 720.', { defaultValue: 24 }),
    },
    async ({ id, graceHours }, call) => {
      if (graceHours < 0 || graceHours > 720) throw invalid('graceHours', 'graceHours must be between 0 and 720', 'OUT_OF_RANGE');
      const { keys, clock, reader } = call.context.services;
      const old = await reader.one(
        AccessKey,
        { id },
        ['organisationName', 'roles', 'label', 'companyIds', 'tools', 'expiresAt', 'revokedAt'],
        ALL,
      );
      if (!old || !isLive(old, clock.now()))
        throw new GatewayError('ACCESS_KEY_NOT_FOUND', 'no live access key has this id', { field: 'id' });
      const { revokedAt: _, ...rights } = old;
      const ends = new Date(clock.now().getTime() + graceHours * HOUR);
      const issued = await keys.rotate(id, rights, ends, auditOf(call.context));
      return { key: issued.key, accessKey: await shown(call, issued.id) };
    },
  ),
  accessKeys: query(() => [AccessKey], { roles })(
    'Keys of an organisation, oldest first.',
    {
      organisationName,
      first: argument<number>(() => Int, 'Page size, 1 to 100.', { defaultValue: 100 }),
      after: optional<string>(() => ID, 'Id of the last key of the previous page.'),
    },
    ({ organisationName, first, after }, { context, info }) => {
      if (first < 1 || first > 100) throw invalid('first', 'first must be an integer from 1 to 100', 'OUT_OF_RANGE');
      return context.services.reader.findRows(
        projectionFor(modelOf(AccessKey), lookAhead(info)),
        { where: { organisationName, ...(after ? { id: { gt: after } } : {}) }, order: { by: [] }, limit: first },
        ALL,
      );
    },
  ),
  accessKeyConnection: query(() => AccessKeyConnection, { roles })(
    'Keys of an organisation as a connection, oldest first.',
    { organisationName, ...listArguments(AccessKey, pageArguments(100)) },
    ({ organisationName, page, filter, orderBy }, { context, info }) =>
      readConnection(context, info, page, {
        record: AccessKey,
        // Operators have no organisation; the name of the list binds its cursors.
        organisationId: 0,
        list: `keys of ${organisationName}`,
        where: { organisationName },
        filter,
        orderBy,
      }),
  ),
});
