// The audit log as callers read it: an organisation its own entries, operators those of all, and the verification of its chains.
import { Arg, Args, Ctx, Field, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { AuditActorKind } from '../access/audit-entry.ts';
import { access } from '../access/authorise.ts';
import { type RequestContext, tenantOf } from '../access/context.ts';
import { Organisation } from '../access/tables.ts';
import { systemTransaction } from '../database/transaction.ts';
import { forwardArguments, PageInfo } from '../graphql/connections.ts';
import { Cursors } from '../graphql/cursors.ts';
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
  @Field(() => String, { nullable: true, description: 'Which one; null for the holder of a signed link.' }) id!: string | null;
}

@ObjectType({
  description: 'The entry of one write in the audit log. It was stored in the transaction of the write.',
  simpleResolvers: true,
})
export class AuditLogEntry {
  @Field(() => ID, { description: 'Identifier.' }) id!: string;
  @Field(() => DateTime, { description: 'When.' }) at!: string;
  @Field(() => AuditActor, { description: 'Who.' }) actor!: AuditActor;
  @Field(() => String, {
    description:
      'Name of the mutation; a REST route has that of the mutation it runs, and what is done on the page of a connection is `linkConnection`.',
  })
  operation!: string;
  @Field(() => [ID], {
    description:
      'Global ids of the records that it wrote, at most the first 100; `recordCount` is their number. A batch, a pull or an import is one entry, with the id of its sync or job.',
  })
  recordIds!: string[];
  @Field(() => Int, { description: 'Number of records that it wrote.' }) recordCount!: number;
  @Field(() => ID, {
    nullable: true,
    description: 'Public id of the organisation, `org_…`; null for content that all organisations share.',
  })
  organisationId!: string | null;
  @Field(() => String, { description: 'Id of the request, as its answer and the log have it.' }) requestId!: string;
  @Field(() => String, { nullable: true, description: 'Address of the caller; null when it is not known.' }) address!: string | null;
  @Field(() => String, { nullable: true, description: 'Why, in the words of an operator.' }) reason!: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Hash of the own content of the records before, without their lines and other children: of one accounting record that of its version, of several the SHA-256 over all; null for new ones and for those that keep none.',
  })
  beforeHash!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The same afterwards; null for deleted records and for those that keep none.',
  })
  afterHash!: string | null;
  @Field(() => Int, {
    nullable: true,
    description: 'Place in the chain of the organisation, from 1; null for some seconds, until the entry is sealed.',
  })
  position!: number | null;
  @Field(() => String, {
    nullable: true,
    description: `Hash over the entry and the hash of the entry before it (${HASH}); null until the entry is sealed.`,
  })
  hash!: string | null;
}

@ObjectType({ description: 'A page of the audit log, newest entry first.', simpleResolvers: true })
export class AuditLogPage {
  @Field(() => [AuditLogEntry], {
    description:
      'The entries. With a filter a page looks at 10,000 entries at most, so that it may have fewer than asked for, or none, while others follow.',
  })
  nodes!: AuditLogEntry[];
  @Field(() => PageInfo, { description: 'Position of the page in the list.' }) pageInfo!: PageInfo;
}

@InputType({ description: 'Which entries of the audit log; all conditions must hold.' })
export class AuditLogFilter {
  @Field(() => ID, {
    nullable: true,
    description: 'Public id of the organisation, `org_…`. PARTNER_NOT_FOUND for one that the caller may not see.',
  })
  organisationId?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the actor, as entries show it.' }) actorId?: string | null;
  @Field(() => String, { nullable: true, description: 'Name of the mutation.' }) operation?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of a record, as entries show it.' }) recordId?: string | null;
  @Field(() => String, { nullable: true, description: 'Id of the request.' }) requestId?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Entries of this time or later.' }) since?: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Entries before this time.' }) until?: string | null;
}

const AuditProblemKind = defineEnum('AuditProblemKind', 'What is wrong at a place of a chain.', {
  ALTERED: 'The entry is not what was sealed, or not where it was sealed.',
  MISSING: 'There is no entry at this place; it was removed, and perhaps others after it.',
});

@ObjectType({ description: 'A place where the audit log was tampered with.', simpleResolvers: true })
export class AuditProblem {
  @Field(() => ID, { nullable: true, description: 'Public id of the organisation; null for content that all organisations share.' })
  organisationId!: string | null;
  @Field(() => Int, { description: 'Place in the chain of the organisation.' }) position!: number;
  @Field(() => ID, { nullable: true, description: 'Id of the entry; null where there is none.' }) entryId!: string | null;
  @Field(() => AuditProblemKind.values, { description: 'What is wrong.' }) kind!: string;
}

@ObjectType({
  description: 'The newest entry of a chain. Kept elsewhere, its hash shows later whether the chain was made anew.',
  simpleResolvers: true,
})
export class AuditHead {
  @Field(() => ID, { nullable: true, description: 'Public id of the organisation; null for content that all organisations share.' })
  organisationId!: string | null;
  @Field(() => Int, { description: 'Place in the chain.' }) position!: number;
  @Field(() => String, { description: `Hash (${HASH}).` }) hash!: string;
}

@InputType({ description: 'The head of a chain as a verification or the log of the gateway showed it.' })
export class AuditHeadInput {
  @Field(() => ID, { nullable: true, description: 'Public id of the organisation; null for content that all organisations share.' })
  organisationId?: string | null;
  @Field(() => Int, { description: 'Place in the chain.' }) position!: number;
  @Field(() => String, { description: `Hash (${HASH}).` }) hash!: string;
}

@ObjectType({ description: 'A part of the verification of the audit log.', simpleResolvers: true })
export class AuditVerification {
  @Field(() => Int, { description: 'Number of entries that were verified.' }) checked!: number;
  @Field(() => [AuditProblem], { description: 'What is wrong; empty when the entries are as they were sealed.' }) problems!: AuditProblem[];
  @Field(() => [AuditHead], { description: 'The heads of the chains that were verified to their ends.' }) heads!: AuditHead[];
  @Field(() => String, { nullable: true, description: 'Where to go on, as `from` of the next call; null when all is verified.' })
  next!: string | null;
}

const PageOptions = forwardArguments(20);

const isOperator = (context: RequestContext): boolean => context.principal!.roles.has('ADMIN');

/** The organisation whose entries the caller may read; undefined for operators, who read those of all. */
function auditedOrganisation(context: RequestContext): number | undefined {
  if (isOperator(context)) return undefined;
  const { organisationId, companyIds } = tenantOf(context);
  if (companyIds !== null) throw new GatewayError('FORBIDDEN', 'a key limited to some companies cannot read the audit log');
  return organisationId;
}

/** The number of the organisation of a filter. A foreign one is answered as if it did not exist. */
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

@Resolver()
export class AuditLogResolver {
  @access('PLATFORM', 'ADMIN')
  @Query(() => AuditLogPage, {
    description:
      'What was written: every accepted write of every endpoint has one entry. A key reads the entries of its organisation, an operator those of all. FORBIDDEN for a key limited to some companies.',
  })
  async auditLog(
    @Args(() => PageOptions) page: InstanceType<typeof PageOptions>,
    @Arg('filter', () => AuditLogFilter, { nullable: true, description: 'Which entries.' }) filter: AuditLogFilter | null,
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
      'Verifies the chains of the audit log, at most 10,000 entries a call: of the own organisation, or for an operator of all. FORBIDDEN for a key limited to some companies.',
  })
  async auditVerification(
    @Arg('from', () => String, { nullable: true, description: '`next` of the call before; the start when absent.' }) given: string | null,
    @Arg('heads', () => [AuditHeadInput], {
      nullable: true,
      description:
        'Heads that were kept outside the database. With them a call only compares these with the chains, which finds entries that were cut off or sealed again.',
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
