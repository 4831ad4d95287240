// Administrators' operations on access keys.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Field, ID, Info, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { KeyRequest, WithKey } from '../access/access-keys.ts';
import { audit, auditRecords } from '../access/audit.ts';
import { access } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { requireQuota } from '../access/quotas.ts';
import { AccessKey } from '../access/tables.ts';
import type { ReadScope } from '../database/reader/conditions.ts';
import type { FieldTree } from '../database/reader/field-tree.ts';
import { projectionFor, type Row } from '../database/reader/projection.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../graphql/connections.ts';
import { AGENT_TOOLS, requireTools } from '../graphql/endpoint/operation-tools.ts';
import { createInput, ReadArg } from '../graphql/input-types.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../graphql/list-inputs.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { ownRecord } from '../graphql/own-record.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { modelOf } from '../records/metadata.ts';
import { showsSecret } from '../records/schema-extensions.ts';
import { keyText } from '../records/text.ts';

export const IssueAccessKeyInput = createInput(AccessKey, 'A key to issue.', { name: 'IssueAccessKeyInput', trims: false });

const AccessKeyConnection = connectionOf(AccessKey);
const PageOptions = pageArguments(100);

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

const readKey = async (context: RequestContext, id: string, tree: FieldTree | undefined): Promise<Row> =>
  tree ? ownRecord(context, tree, AccessKey, { id }, { id, field: 'id' }, ALL) : {};

/** The organisation whose keys are asked for, by its name in the form in which names are stored. */
const OrganisationArg = (): ParameterDecorator =>
  ReadArg(
    'organisationName',
    () => String,
    { description: 'Name of the organisation.' },
    (name) => keyText(String(name)),
  );

const HOUR = 3_600_000;

const auditOf =
  (context: RequestContext): WithKey =>
  (em, organisationId, id) => {
    audit(em, context, organisationId);
    auditRecords(em, [{ id }]);
  };

@Resolver()
export class AccessResolver {
  @access('ADMIN')
  @Mutation(() => IssuedAccessKey, { description: 'Issues a key. Its value is shown only in the response.' })
  async issueAccessKey(
    @Arg('input', () => IssueAccessKeyInput, { description: 'The key to issue.' }) input: KeyRequest & {
      expiresAt?: string | null;
      tools?: string[] | null;
    },
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if (input.expiresAt && input.expiresAt <= context.services.clock.now().toISOString())
      throw invalid('expiresAt', 'expiresAt must be in the future');
    requireTools(context.services.schema, input.tools ?? [], 'tools', AGENT_TOOLS);
    const also = async (...[em, organisationId, keyId]: Parameters<WithKey>): Promise<void> => {
      await requireQuota(em, context.services.config, organisationId, 'keys');
      auditOf(context)(em, organisationId, keyId);
    };
    const { key, id } = await context.services.keys.issue(input, { also });
    return { key, accessKey: await readKey(context, id, lookAhead(info).fields.get('accessKey')) };
  }

  @access('ADMIN')
  @Mutation(() => RevokeAccessKeyPayload, { description: 'Revokes a key. Every process rejects it within five seconds.' })
  async revokeAccessKey(
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    await context.services.keys.end(id, context.services.clock.now(), 'revokedAt', auditOf(context));
    return { accessKey: await readKey(context, id, lookAhead(info).fields.get('accessKey')) };
  }

  @access('ADMIN')
  @Mutation(() => IssuedAccessKey, {
    description: 'Issues a new key with the same rights. The old key keeps working during the grace period.',
  })
  async rotateAccessKey(
    @Arg('id', () => ID, { description: 'Id of the key to replace.' }) id: string,
    @Arg('graceHours', () => Int, { defaultValue: 24, description: 'Hours for which the old key keeps working, 0 to 720.' })
    graceHours: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    if (graceHours < 0 || graceHours > 720) throw invalid('graceHours', 'graceHours must be between 0 and 720', 'OUT_OF_RANGE');
    const { keys, clock, reader } = context.services;
    const old = await reader.one(
      AccessKey,
      { id },
      ['organisationName', 'roles', 'label', 'companyIds', 'tools', 'expiresAt', 'revokedAt'],
      ALL,
    );
    if (!old || old.revokedAt !== null) throw new GatewayError('ACCESS_KEY_NOT_FOUND', 'no live access key has this id', { field: 'id' });
    const { revokedAt: _, ...rights } = old;
    const ends = new Date(clock.now().getTime() + graceHours * HOUR);
    const issued = await keys.rotate(id, rights, ends, auditOf(context));
    return { key: issued.key, accessKey: await readKey(context, issued.id, lookAhead(info).fields.get('accessKey')) };
  }

  @access('ADMIN')
  @Query(() => [AccessKey], { description: 'Keys of an organisation, oldest first.' })
  accessKeys(
    @OrganisationArg() organisationName: string,
    @Arg('first', () => Int, { defaultValue: 100, description: 'Page size, 1 to 100.' }) first: number,
    @Arg('after', () => ID, { nullable: true, description: 'Id of the last key of the previous page.' }) after: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row[]> {
    if (first < 1 || first > 100) throw invalid('first', 'first must be an integer from 1 to 100', 'OUT_OF_RANGE');
    return context.services.reader.findRows(
      projectionFor(modelOf(AccessKey), lookAhead(info)),
      { where: { organisationName, ...(after ? { id: { gt: after } } : {}) }, order: { by: [] }, limit: first },
      ALL,
    );
  }

  @access('ADMIN')
  @Query(() => AccessKeyConnection, { description: 'Keys of an organisation as a connection, oldest first.' })
  accessKeyConnection(
    @OrganisationArg() organisationName: string,
    @Args(() => PageOptions) page: PageArguments,
    @FilterArg(AccessKey) filter: FilterInput | null,
    @OrderArg(AccessKey) orderBy: OrderInput[] | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Page> {
    return readConnection(context, info, page, {
      record: AccessKey,
      // Operators have no organisation; the name of the list binds its cursors.
      organisationId: 0,
      list: `keys of ${organisationName}`,
      where: { organisationName },
      filter,
      orderBy,
    });
  }
}
