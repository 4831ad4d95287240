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

@ObjectType({ description: 'The organisation of a caller.', simpleResolvers: true })
export class ViewerOrganisation {
  @Field(() => ID, { description: 'Public id, `org_…`; the `organizationId` of its records.' }) id!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
}

@ObjectType({ description: 'The access key of a caller.', simpleResolvers: true })
export class ViewerKey {
  @Field(() => ID, { description: 'Identifier, `key_…`.' }) id!: string;
  @Field(() => String, { nullable: true, description: 'Free text that helps to recognise the key.' }) label!: string | null;
  @Field(() => DateTime, { nullable: true, description: 'When the key stops working; null means never.' }) expiresAt!: string | null;
}

@ObjectType({ description: 'The allowance of requests of a caller, as the `X-RateLimit` headers tell it.', simpleResolvers: true })
export class ViewerAllowance {
  @Field(() => Int, { description: 'Requests of a full allowance.' }) limit!: number;
  @Field(() => Int, { description: 'Requests left, after this one.' }) remaining!: number;
  @Field(() => DateTime, { description: 'When it is full again, if no more requests are sent.' }) resetsAt!: Date;
}

@ObjectType({ description: 'A quota of an organisation.', simpleResolvers: true })
export class ViewerQuota {
  @Field(() => String, { description: 'What it limits, such as `companies`.' }) name!: string;
  @Field(() => Int, { description: 'What the organisation has.' }) used!: number;
  @Field(() => Int, { nullable: true, description: 'What it may have; null where that is not limited.' }) limit!: number | null;
}

@ObjectType({ description: 'Who calls, and what the credential allows.', simpleResolvers: true })
export class Viewer {
  @Field(() => ViewerOrganisation, { nullable: true, description: 'The organisation of the caller; null for an operator without one.' })
  organisation!: ViewerOrganisation | null;
  @Field(() => [Role.values], { description: 'The roles of the caller: the operations it may use.' }) roles!: RoleName[];
  @Field(() => ViewerKey, { nullable: true, description: 'The access key; null for a token or the admin token.' }) key!: ViewerKey | null;
  @Field(() => ViewerAllowance, { nullable: true, description: 'The allowance of requests; null where requests are not limited.' })
  allowance!: ViewerAllowance | null;
  @Field(() => [ViewerQuota], { description: 'The quotas of the organisation; none for an operator without one.' })
  @Extensions({ size: quotaNames.length })
  quotas!: ViewerQuota[];
}

@Resolver()
export class ViewerResolver {
  @access('PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ADMIN', 'AGENT_WRITE')
  @Query(() => Viewer, { description: 'Whose credential this is. Every role may ask.' })
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
