// The caller of a request, to itself: its organisation, roles and key, and what is left of its allowance.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Extensions, Field, ID, Info, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../access/authorise.ts';
import type { RequestContext } from '../access/context.ts';
import { quotaNames } from '../access/quotas.statements.ts';
import { usedOf } from '../access/quotas.ts';
import { AccessKey } from '../access/tables.ts';
import { systemTransaction } from '../database/transaction.ts';
import { lookAhead } from '../graphql/look-ahead.ts';
import { isTypeId } from '../records/ids.ts';
import { modelOf } from '../records/metadata.ts';
import { Role, type RoleName } from '../records/roles.ts';
import { DateTime } from '../records/scalars.ts';

@ObjectType({ description: 'Organisation of a caller.', simpleResolvers: true })
export class ViewerOrganisation {
  @Field(() => ID, { description: 'Public id, `org_…`; the `organizationId` of its records.' }) id!: string;
  @Field(() => String, { description: 'Display name.' }) name!: string;
}

@ObjectType({ description: 'Access key of a caller.', simpleResolvers: true })
export class ViewerKey {
  @Field(() => ID, { description: 'Identifier, `key_…`.' }) id!: string;
  @Field(() => String, { nullable: true, description: 'Free text that identifies the key for people.' }) label!: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When the key expires; null for never.' }) expiresAt!: string | null;
}

@ObjectType({ description: 'Request allowance of a caller, as in the `X-RateLimit` headers.', simpleResolvers: true })
export class ViewerAllowance {
  @Field(() => Int, { description: 'Number of requests in a full allowance.' }) limit!: number;
  @Field(() => Int, { description: 'Number of requests left after this one.' }) remaining!: number;
  @Field(() => DateTime, { description: 'When the allowance is full again without further requests.' }) resetsAt!: Date;
}

@ObjectType({ description: 'A quota of an organisation.', simpleResolvers: true })
export class ViewerQuota {
  @Field(() => String, { description: 'Name of the quota, such as `companies`.' }) name!: string;
  @Field(() => Int, { description: 'Number in use.' }) used!: number;
  @Field(() => Int, { nullable: true, description: 'Limit; null for unlimited.' }) limit!: number | null;
}

@ObjectType({ description: 'Caller, with the rights of the credential.', simpleResolvers: true })
export class Viewer {
  @Field(() => ViewerOrganisation, { nullable: true, description: 'Organisation of the caller; null for an operator without one.' })
  organisation!: ViewerOrganisation | null;
  @Field(() => [Role.values], { description: 'Roles of the caller: the permitted operations.' }) roles!: RoleName[];
  @Field(() => ViewerKey, { nullable: true, description: 'Access key; null for tokens.' }) key!: ViewerKey | null;
  @Field(() => ViewerAllowance, { nullable: true, description: 'Request allowance; null if requests are not limited.' })
  allowance!: ViewerAllowance | null;
  @Field(() => [ViewerQuota], { description: 'Quotas of the organisation; empty for an operator without one.' })
  @Extensions({ size: quotaNames.length })
  quotas!: ViewerQuota[];
}

@Resolver()
export class ViewerResolver {
  @access('PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ADMIN', 'AGENT_WRITE')
  @Query(() => Viewer, { description: 'Owner and rights of the credential. Available to every role.' })
  async viewer(@Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Viewer> {
    const { organisation, organisationName, organisationId, roles, identity } = context.principal!;
    return {
      organisation: organisation && organisationName ? { id: organisation, name: organisationName } : null,
      roles: [...roles],
      key: await keyOf(context, identity),
      allowance: context.allowance?.() ?? null,
      quotas: organisationId !== null && lookAhead(info).fields.has('quotas') ? await quotasOf(context, organisationId) : [],
    };
  }
}

/** What an organisation has of each quota. */
const quotasOf = ({ services: { config, database } }: RequestContext, organisationId: number): Promise<ViewerQuota[]> =>
  systemTransaction(database, async (em) => {
    const found: ViewerQuota[] = [];
    for (const name of quotaNames) found.push({ name, used: await usedOf(em, organisationId, name), limit: config.quotas[name] || null });
    return found;
  });

/** The access key with this identity; null for a caller without a key. */
async function keyOf({ services }: RequestContext, id: string): Promise<ViewerKey | null> {
  if (!isTypeId(id, modelOf(AccessKey).prefix)) return null;
  return (await services.reader.one(AccessKey, { id }, ['id', 'label', 'expiresAt'], { tenant: null })) ?? null;
}
