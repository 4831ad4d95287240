// The audit log as callers read it: an organisation its own entries, operators those of all, and the verification of its chains.
import { Arg, Args, Ctx, Extensions, Field, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { AuditActorKind } from '../access/audit-entry.ts';
import { access } from '../access/authorise.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { Organisation } from '../access/tables.ts';
import { systemTransaction } from '../database/transaction.ts';
import { cursorArguments, PageInfo } from '../graphql/connections.ts';
import { Cursors } from '../graphql/cursors.ts';
import { SUMMARY_PRICE } from '../graphql/summaries/summary-types.ts';
import { defineEnum } from '../records/enums.ts';
import { GatewayError, invalid } from '../records/errors.ts';
import { notFound } from '../records/not-found.ts';
import { DateTime } from '../records/scalars.ts';
import { type EntryPlace, type ListedEntry, lostHeads, pageOfEntries } from './audit.statements.ts';
import { type VerifiedTo, verifyChains } from './audit-chain.ts';

const HASH = 'SHA-256, hexadecimal';

@ObjectType({ description: 'Who made a write.', simpleResolvers: true })
export class AuditActor {
  @Field(() => AuditActorKind.values, { description: 'Kind of the caller.' }) kind!: string;
  @Field(() => String, { nullable: true, description: 'Id of the caller; null for the holder of a signed link.' }) id!: string | null;
}

@ObjectType({
  description: 'Entry of one write in the audit log, stored in the transaction of the write.',
  simpleResolvers: true,
})
export class AuditLogEntry {
  @Field(() => ID, { description: 'Unique id.' }) id!: string;
  @Field(() => DateTime, { description: 'When the write happened.' }) at!: string;
  @Field(() => AuditActor, { description: 'Caller that made the write.' }) actor!: AuditActor;
  @Field(() => String, {
    description: 'Name of the mutation, also for the REST route that runs it; `linkConnection` for the page of a connection.',
  })
  operation!: string;
  @Field(() => [ID], {
    description: 'Global ids of the first 100 written records. A batch, a pull or an import is one entry with the id of its sync or job.',
  })
  recordIds!: string[];
  @Field(() => Int, { description: 'Number of written records.' }) recordCount!: number;
  @Field(() => ID, {
    nullable: true,
    description: 'Public id of the organisation, `org_…`; null for content that all organisations share.',
  })
  organisationId!: string | null;
  @Field(() => String, { description: 'Request id, as in the response and the log.' }) requestId!: string;
  @Field(() => String, { nullable: true, description: 'IP address of the caller; null if unknown.' }) address!: string | null;
  @Field(() => String, { nullable: true, description: 'Reason that the operator gave.' }) reason!: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Hash of the content before the write, without lines and other children: the hash of one accounting record, or a SHA-256 over several. Null for new records and those without a hash.',
  })
  beforeHash!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Hash of the content after the write; null for deleted records and those without a hash.',
  })
  afterHash!: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Position in the chain of the organisation, from 1; null until the entry is sealed, a few seconds later.',
  })
  position!: number | null;
  @Field(() => String, {
    nullable: true,
    description: `Hash (${HASH}) of the entry and the hash of the previous one; null until the entry is sealed.`,
  })
  hash!: string | null;
}

@ObjectType({ description: 'A page of the audit log, newest entry first.', simpleResolvers: true })
export class AuditLogPage {
  @Field(() => [AuditLogEntry], {
    description:
      'Entries of the page. With a filter, a page examines at most 10,000 entries, so it may be short or empty although more follow.',
  })
  nodes!: AuditLogEntry[];
  @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
}

@InputType({ description: 'Conditions on entries of the audit log; all must match.' })
export class AuditLogFilter {
  @Field(() => ID, {
    nullable: true,
    description: 'Public id of the organisation, `org_…`. PARTNER_NOT_FOUND for one that you cannot read.',
  })
  organisationId?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the actor, as entries show it.' }) actorId?: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the mutation.' }) operation?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of a record, as entries show it.' }) recordId?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the request.' }) requestId?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Entries at or after this time.' }) since?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Entries before this time.' }) until?: string | null;
}

const AuditProblemKind = defineEnum('AuditProblemKind', 'Kind of a problem in a chain.', {
  ALTERED: 'The entry differs from the sealed one, or was moved.',
  MISSING: 'The entry was removed, perhaps with later ones.',
});

@ObjectType({ description: 'A position where the audit log was tampered with.', simpleResolvers: true })
export class AuditProblem {
  @Field(() => ID, { nullable: true, description: 'Public id of the organisation; null for content that all organisations share.' })
  organisationId!: string | null;
  @Field(() => Int, { description: 'Position in the chain of the organisation.' }) position!: number;
  @Field(() => ID, { nullable: true, description: 'Id of the entry; null if it is missing.' }) entryId!: string | null;
  @Field(() => AuditProblemKind.values, { description: 'Kind of the problem.' }) kind!: string;
}

@ObjectType({
  description: 'The newest entry of a chain. If you keep its hash elsewhere, it shows later whether the chain was rebuilt.',
  simpleResolvers: true,
})
export class AuditHead {
  @Field(() => ID, { nullable: true, description: 'Public id of the organisation; null for content that all organisations share.' })
  organisationId!: string | null;
  @Field(() => Int, { description: 'Position in the chain.' }) position!: number;
  @Field(() => String, { description: `Hash (${HASH}).` }) hash!: string;
}

@InputType({ description: 'Head of a chain, from an earlier verification or the log of the gateway.' })
export class AuditHeadInput {
  @Field(() => ID, { nullable: true, description: 'Public id of the organisation; null for content that all organisations share.' })
  organisationId?: string | null;
  @Field(() => Int, { description: 'Position in the chain.' }) position!: number;
  @Field(() => String, { description: `Hash (${HASH}).` }) hash!: string;
}

@ObjectType({ description: 'Result of one call that verifies a part of the audit log.', simpleResolvers: true })
export class AuditVerification {
  @Field(() => Int, { description: 'Number of verified entries.' }) checked!: number;
  @Field(() => [AuditProblem], { description: 'Problems found; empty if the entries are unchanged.' }) problems!: AuditProblem[];
  @Field(() => [AuditHead], { description: 'Heads of the completely verified chains.' }) heads!: AuditHead[];
  @Field(() => String, { nullable: true, description: '`from` of the next call; null when everything is verified.' })
  next!: string | null;
}

const PageOptions = cursorArguments(20);

const isOperator = (context: RequestContext): boolean => context.principal!.roles.has('ADMIN');

/** The organisation whose entries the caller may read; undefined for operators, who read those of all. */
function auditedOrganisation(context: RequestContext): number | undefined {
  if (isOperator(context)) return undefined;
  const { organisationId, companyIds } = tenantOf(context);
  if (companyIds !== null) throw new GatewayError('FORBIDDEN', 'a key limited to some companies cannot read the audit log');
  return organisationId;
}

/** The number of the organisation of a filter. A foreign one returns the error of one that does not exist. */
async function organisationOf(context: RequestContext, publicId: string): Promise<number> {
  const found = await context.services.reader.one(Organisation, { publicId }, ['id'], { tenant: null });
  const own = auditedOrganisation(context);
  if (!found || (own !== undefined && found.id !== own)) throw notFound(Organisation, publicId, 'filter.organisationId');
  return found.id;
}

const cursorsOf = ({ services }: RequestContext, list: string, organisationId: number | undefined, filter: unknown): Cursors =>
  new Cursors(services.signer, { list, organisationId: organisationId ?? 0, order: 'time', filter });

const shown = ({ place: _, actorKind, actorId, ...entry }: ListedEntry): AuditLogEntry => ({
  ...entry,
  actor: { kind: actorKind, id: actorId },
});

/** What a verification costs: it reads and hashes thousands of entries, and returns a few problems. */
const VERIFICATION_PRICE = 10 * SUMMARY_PRICE;

@Resolver()
export class AuditLogResolver {
  @access('PLATFORM', 'ADMIN')
  @Query(() => AuditLogPage, {
    description:
      'Audit log: one entry per accepted write of every endpoint. A key reads the entries of its organisation, an operator all of them. FORBIDDEN for keys limited to some companies.',
  })
  async auditLog(
    @Args(() => PageOptions) page: InstanceType<typeof PageOptions>,
    @Arg('filter', () => AuditLogFilter, { nullable: true, description: 'Conditions on the entries.' }) filter: AuditLogFilter | null,
    @Ctx() context: RequestContext,
  ): Promise<AuditLogPage> {
    const { organisationId, ...conditions } = filter ?? {};
    const organisation = organisationId ? await organisationOf(context, organisationId) : auditedOrganisation(context);
    const cursors = cursorsOf(context, 'audit log', organisation, conditions);
    const first = page.first ?? 20;
    if (first < 1 || first > 100) throw invalid('first', 'first must be an integer from 1 to 100', 'OUT_OF_RANGE');
    const after = page.after == null ? null : (cursors.decode(page.after, 'after') as EntryPlace);
    const { entries, seenTo } = await systemTransaction(context.services.database, (em) =>
      pageOfEntries(em, { ...conditions, organisation }, after, first + 1),
    );
    const listed = entries.slice(0, first);
    const last = entries.length > first ? listed.at(-1)!.place : (seenTo ?? listed.at(-1)?.place);
    const cursor = (place: EntryPlace | undefined): never => (place === undefined ? null : cursors.encode(place)) as never;
    return {
      nodes: listed.map(shown),
      pageInfo: {
        hasNextPage: entries.length > first || seenTo !== null,
        hasPreviousPage: after !== null,
        startCursor: cursor(listed[0]?.place),
        endCursor: cursor(last),
      },
    };
  }

  @access('PLATFORM', 'ADMIN')
  @Query(() => AuditVerification, {
    description:
      'Verifies the chains of the audit log, at most 10,000 entries per call: those of your organisation, or all for an operator. FORBIDDEN for keys limited to some companies.',
  })
  @Extensions({ price: VERIFICATION_PRICE })
  async auditVerification(
    @Arg('from', () => String, { nullable: true, description: '`next` of the previous call; default the start.' }) given: string | null,
    @Arg('heads', () => [AuditHeadInput], {
      nullable: true,
      description:
        'Heads kept outside the database. The call then only compares them with the chains, which detects removed or resealed entries.',
    })
    heads: AuditHeadInput[] | null,
    @Ctx() context: RequestContext,
  ): Promise<AuditVerification> {
    const organisation = auditedOrganisation(context);
    if (heads) {
      const foreign = organisation && heads.find(({ organisationId }) => organisationId !== context.principal!.organisation);
      if (foreign) throw notFound(Organisation, String(foreign.organisationId), 'heads.organisationId');
      const problems = await systemTransaction(context.services.database, (em) => lostHeads(em, heads));
      return { checked: 0, problems, heads: [], next: null };
    }
    const cursors = cursorsOf(context, 'audit verification', organisation, null);
    const from = given == null ? null : (cursors.decode(given, 'from')[0] as VerifiedTo);
    const { next, ...result } = await verifyChains(context.services, organisation, from);
    return { ...result, next: next && cursors.encode([next]) };
  }
}
