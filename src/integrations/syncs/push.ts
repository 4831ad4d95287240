// Pushes: writes of callers on their way to the source, one after the other for each company, with at most one effect each. Here they are queued and taken
// in turn; push-sending.ts sends them, push-outcome.ts stores their outcomes.
import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { organisationTransaction } from '../../database/transaction.ts';
import { digestOf } from '../../json/digest.ts';
import { enqueue, type JobContext, type Task } from '../../queue/queue.ts';
import { GatewayError } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { connectedCompany } from '../companies/company.ts';
import { replaceCredentials } from '../connections/sign-in.ts';
import { openSource, type RunConnection } from '../connections/sources.ts';
import type { SentPush } from '../connectors/connector.ts';
import { namesOf, recordOf } from '../ledger/ledger-record.ts';
import type { WriteScope } from '../writes/change.ts';
import { deleteReported } from '../writes/record-store.ts';
import { storedForm } from '../writes/source-form.ts';
import { type ClaimedPush, claimPush, firstPush, insertPushes, refusedPushes, releasePush, renewClaim, reopen } from './push.statements.ts';
import { PushOutcomes } from './push-outcome.ts';
import { asksSource, type Prepared, sendPush } from './push-sending.ts';
import { SourcePush, type SyncKey } from './state/sync.ts';
import type { SyncState } from './state/sync-state.ts';

const TASK = 'source-push';
/** How often a job says that it still works on a push. Another one takes the push over seconds after that has stopped. */
const RENEWAL_MS = 1_000;
/** Work of one queue job, after which another continues: a job that runs for 15 minutes counts as lost. */
const TURN_MS = 600_000;
/** A push to store. */
type NewPush = Pick<SourcePush, 'id' | 'dataModel' | 'ledgerId'>;

/** The changes of a write whose records are sent to the source. */
export const pushesOf = ({ company, changes }: Pick<WriteScope, 'company' | 'changes'>): NewPush[] =>
  changes
    .filter(({ target }) => company.pushedModels?.includes(namesOf(target).dataModel))
    .map(({ target, ledgerId }) => ({ id: newId('push'), dataModel: namesOf(target).dataModel, ledgerId }));

/** Stores pushes in the transaction of their write, and enqueues the work. */
export async function queuePushes(
  em: EntityManager,
  services: Services,
  job: Pick<SourcePush, 'organisationId' | 'companyId' | 'syncId' | 'jobId'>,
  pushes: readonly NewPush[],
): Promise<void> {
  await insertPushes(em, job, pushes);
  resumePushes(em, services, job.organisationId, job.companyId);
}

/** Starts the work on the pushes of a company that wait for its connection. */
export function resumePushes(em: EntityManager, services: Services, organisationId: number, companyId: number): void {
  enqueue(em, services.queue, TASK, { organisationId, companyId }, { singletonKey: String(companyId) });
}

/** Whether pushes of a sync wait. */
export const hasPushes = async (em: EntityManager, { id, companyId }: SyncKey): Promise<boolean> =>
  (await em.count(SourcePush, { companyId, syncId: id })) > 0;

/**
 * The pushes of a sync that the source has rejected and that have not been written since, opened to be sent again. A record whose deletion was
 * rejected
 * is deleted again.
 */
export async function reopenPushes(em: EntityManager, scope: WriteScope, sync: SyncState): Promise<NewPush[]> {
  const reopened: NewPush[] = [];
  for (const [dataModel, refused] of Map.groupBy(await refusedPushes(em, sync), (push) => push.dataModel)) {
    const target = recordOf(dataModel)!;
    const refusedIds = refused.map(({ ledgerId }) => ledgerId);
    const ids = await reopen(em, modelOf(target), sync.companyId, refusedIds);
    for (const ledgerId of ids) reopened.push({ id: newId('push'), dataModel, ledgerId });
    if (sync.configMode !== 'DELETE' || !sync.dataModels.includes(dataModel)) continue;
    await deleteReported(em, scope, target, 'ledger_id = any($3::bigint[])', [ids]);
  }
  return reopened.toSorted((a, b) => a.ledgerId - b.ledgerId);
}

/** The task that sends the pushes of a company. */
export const pushTask = (services: Services): Task<{ organisationId: number; companyId: number }> => ({
  name: TASK,
  retry: { limit: 20, delaySeconds: 2, backoff: true, maxDelaySeconds: 900 },
  concurrency: 5,
  singleton: true,
  handler: ({ organisationId, companyId }, job) => new Pushes(services, organisationId, companyId, job).run(),
});

/** One run over the pushes of a company. */
class Pushes {
  readonly #services: Services;
  readonly #organisationId: number;
  readonly #companyId: number;
  readonly #job: JobContext;
  readonly #outcomes: PushOutcomes;
  readonly #began: number;
  /** The connection of the last call, with the credentials that it used. */
  #connection: RunConnection | undefined;
  /** Whether credentials that were rejected have been replaced since the last response. */
  #isRenewed = false;

  constructor(services: Services, organisationId: number, companyId: number, job: JobContext) {
    this.#services = services;
    this.#organisationId = organisationId;
    this.#companyId = companyId;
    this.#job = job;
    this.#outcomes = new PushOutcomes(services, organisationId, companyId);
    this.#began = services.clock.now().getTime();
  }

  async run(): Promise<void> {
    for (;;) {
      this.#job.signal.throwIfAborted();
      const prepared = await this.#transaction((em) => this.#next(em));
      if (!prepared) return;
      try {
        await this.#finish(prepared, await this.#held(prepared.push, () => this.#send(prepared)));
        this.#isRenewed = false;
      } catch (error) {
        if (!(error instanceof GatewayError)) {
          // The outcome is not known; the next attempt looks it up.
          await this.#ending(prepared.push, (em) => releasePush(em, prepared.push)).catch(() => {});
          throw error;
        }
        if (await this.#isOver(prepared, error)) return;
      }
    }
  }

  /** Claims the next push; undefined when none is due. A push that a job works on is left to that job, which looks for others afterwards. */
  async #next(em: EntityManager): Promise<Prepared | undefined> {
    const now = this.#services.clock.now();
    const first = await firstPush(em, this.#companyId);
    const isTurnOver = now.getTime() - this.#began > TURN_MS;
    // The job that has the push continues with the others, unless its process was killed: then it does not renew its claim.
    const takenMs = first && first.claimedBy !== this.#job.id ? first.heldMs : 0;
    const due = new Date(Math.max(now.getTime() + takenMs, first?.due?.getTime() ?? 0));
    if (!first || due > now || isTurnOver) {
      if (first) this.#again(em, due);
      await this.#job.completeIn(em.getTransactionContext());
      return undefined;
    }
    const { push } = first;
    const company = await connectedCompany(em, this.#organisationId, this.#companyId);
    const target = recordOf(push.dataModel)!;
    const stored = await storedForm(em, this.#outcomes.formOf(target, push));
    const form = (stored.isKnown ? undefined : push.sent[0]) ?? stored.record;
    const isNew = !stored.isDeleted && !push.sent.some((earlier) => digestOf(earlier) === digestOf(form));
    await claimPush(em, push, this.#job.id, isNew ? [...push.sent, form] : push.sent);
    return { push, target, company, stored, form };
  }

  #again(em: EntityManager, runAfter: Date): void {
    const payload = { organisationId: this.#organisationId, companyId: this.#companyId };
    // Of a key of its own, so that the next write need not wait for it.
    enqueue(em, this.#services.queue, TASK, payload, { singletonKey: `${this.#companyId} again`, runAfter });
  }

  /** Keeps the claim of a push while work on it continues. */
  async #held<T>(push: ClaimedPush, work: () => Promise<T>): Promise<T> {
    // A renewal that fails is made up for by the next; the response is only stored under the claim.
    const timer = setInterval(() => void this.#transaction((em) => renewClaim(em, push, this.#job.id)).catch(() => {}), RENEWAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Runs a transaction that ends an attempt. Throws where another job has taken the push over, because this process was not heard of. */
  #ending<T>(push: ClaimedPush, work: (em: EntityManager) => Promise<T>): Promise<T> {
    return this.#transaction(async (em) => {
      if (!(await renewClaim(em, push, this.#job.id))) throw new Error(`push ${push.id} was taken over by another job`);
      return work(em);
    });
  }

  /** Sends a push over the connection of the company; null where there is nothing to send. */
  async #send(prepared: Prepared): Promise<SentPush | null> {
    if (!asksSource(prepared)) return null;
    this.#connection = undefined;
    const { integrationType } = prepared.company;
    const company = { organisationId: this.#organisationId, ledgerId: this.#companyId, integrationType };
    const source = await openSource(this.#services, company, this.#job.signal, (connection) => {
      // Rejected credentials are not tried again for each write: new ones start the pushes.
      if (connection.status === 'NEEDS_REAUTH') throw new GatewayError('CONNECTION_EXPIRED', 'the connection needs new credentials');
      this.#connection = connection;
    });
    try {
      return await sendPush(this.#services, source.connector, prepared);
    } finally {
      await source.close();
    }
  }

  /** Stores a response; without the record that it shows where that cannot be stored. */
  async #finish(prepared: Prepared, response: SentPush | null): Promise<void> {
    try {
      await this.#ending(prepared.push, (em) => this.#outcomes.done(em, prepared, response, this.#connection));
    } catch (error) {
      if (!(error instanceof GatewayError) || !response?.record) throw error;
      const { platformId } = response;
      await this.#ending(prepared.push, (em) => this.#outcomes.done(em, prepared, { platformId }, this.#connection));
    }
  }

  /** Notes a failed attempt; returns whether this run is over. Credentials that are rejected are replaced once, where there are others. */
  async #isOver(prepared: Prepared, error: GatewayError): Promise<boolean> {
    const used = this.#connection;
    if (error.code === 'CONNECTION_EXPIRED' && used && !this.#isRenewed) {
      this.#isRenewed = await replaceCredentials(this.#services, this.#organisationId, used);
      if (this.#isRenewed) return false;
    }
    return this.#ending(prepared.push, async (em) => {
      const due = await this.#outcomes.failed(em, prepared, error, used);
      if (due === undefined) return false;
      if (due) this.#again(em, due);
      await this.#job.completeIn(em.getTransactionContext());
      return true;
    });
  }

  #transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return organisationTransaction(this.#services.database, this.#organisationId, work);
  }
}
