// Writes of webhooks: registration, change, rotation of the secret, removal.
import { type RequestContext, type Services, tenantOf } from '../access/context.ts';
import { transaction } from '../access/transaction.ts';
import { type EntityManager, executeIn } from '../database/open.ts';
import { GatewayError, invalid, missing } from '../records/errors.ts';
import { isTypeId, newId } from '../records/ids.ts';
import { refuseResolvedUrl } from '../security/egress.ts';
import { generateSecret, previewSecret, refuseSecret } from './signature.ts';
import type { NewWebhook, WebhookChanges } from './webhook-inputs.ts';

/** Most webhooks of an organisation. */
const MOST_WEBHOOKS = 16;
/** How long the former secret signs beside the new one. */
const ROTATION_MS = 24 * 3_600_000;

/** The caller's organisation. FORBIDDEN for a key limited to some companies, because a webhook gets the events of every company. */
export function managedOrganisation(context: RequestContext): number {
  const { organisationId, companyIds } = tenantOf(context);
  if (companyIds !== null) throw new GatewayError('FORBIDDEN', 'a key limited to some companies cannot use webhooks');
  return organisationId;
}

export const unknownWebhook = (id: string): GatewayError =>
  new GatewayError('WEBHOOK_NOT_FOUND', isTypeId(id, 'whk') ? `webhook ${id} was not found` : 'no webhook has this id', { field: 'id' });

async function check(context: RequestContext, changes: WebhookChanges): Promise<void> {
  for (const name of ['url', 'topics', 'status'] as const) if (changes[name] === null) throw invalid(name, `${name} must not be null`);
  if (changes.topics && changes.topics.length > 1 && changes.topics.includes('ALL'))
    throw invalid('topics', 'topics must be the value for all topics alone, or a list without it');
  const secret = changes.secret == null ? null : refuseSecret(changes.secret);
  if (secret) throw invalid('secret', `secret ${secret}`, 'INVALID_FORMAT');
  if (changes.url) {
    const refusal = await refuseResolvedUrl(changes.url, { allowPrivate: context.services.config.webhookAllowPrivate });
    if (refusal) throw invalid('url', `url cannot be used: ${refusal}`);
  }
}

/** Registers a webhook; returns its id, and its secret when that was generated. */
export async function createWebhook(context: RequestContext, input: NewWebhook): Promise<{ id: string; secret: string | null }> {
  const organisationId = managedOrganisation(context);
  await check(context, input);
  const { clock, secrets } = context.services;
  const id = newId('whk');
  const secret = input.secret ?? generateSecret();
  const status = input.status ?? 'ENABLED';
  await transaction(context, async (em) => {
    // Holds the lock until commit, so that two requests cannot both register the sixteenth.
    await executeIn(em, `select pg_advisory_xact_lock(hashtext('webhooks of an organisation'), $1::int)`, [organisationId]);
    const rows = await executeIn(
      em,
      `insert into webhook (id, organisation_id, url, topics, name, description, secret_preview, status, disabled_reason, created_at, updated_at, sealed_secret)
       select $1, $2, $3, $4::text::jsonb, $5, $6, $7, $8, $9, $10::timestamptz, $10::timestamptz, $11
       where (select count(*) from webhook where organisation_id = $2 and deleted_at is null) < ${MOST_WEBHOOKS} returning id`,
      [
        id,
        organisationId,
        input.url,
        JSON.stringify(input.topics),
        input.name ?? null,
        input.description ?? null,
        previewSecret(secret),
        status,
        status === 'DISABLED' ? 'MANUAL' : null,
        clock.now().toISOString(),
        secrets.seal(secret, id),
      ],
    );
    if (rows.length === 0) throw new GatewayError('INVALID_PARAMS', `an organisation has at most ${MOST_WEBHOOKS} webhooks`);
  });
  return { id, secret: input.secret ? null : secret };
}

/** Changes a webhook. A new secret keeps the former one valid for 24 hours. */
export async function updateWebhook(context: RequestContext, id: string, changes: WebhookChanges): Promise<void> {
  const organisationId = managedOrganisation(context);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw missing('input', 'at least one field to change is required');
  await check(context, changes);
  if (changes.secret === null) throw invalid('secret', 'secret must not be null');
  await transaction(context, (em) => changeWebhook(em, context.services, organisationId, id, changes));
}

/** Stores checked changes; enabling clears the reason why the webhook was disabled. */
export async function changeWebhook(
  em: EntityManager,
  { clock, secrets }: Services,
  organisationId: number,
  id: string,
  changes: WebhookChanges,
): Promise<void> {
  const now = clock.now();
  const values: unknown[] = [organisationId, id, now.toISOString()];
  const sets = ['updated_at = $3::timestamptz'];
  const set = (column: string, value: unknown, type = 'text'): void => {
    values.push(value);
    sets.push(`${column} = $${values.length}::text::${type}`);
  };
  for (const name of ['url', 'name', 'description'] as const) if (changes[name] !== undefined) set(name, changes[name]);
  if (changes.topics) set('topics', JSON.stringify(changes.topics), 'jsonb');
  if (changes.status) {
    set('status', changes.status);
    set('disabled_reason', changes.status === 'DISABLED' ? 'MANUAL' : null);
    set('failing_since', null, 'timestamptz');
  }
  if (changes.secret) {
    sets.push('former_secret = sealed_secret');
    set('former_secret_until', new Date(now.getTime() + ROTATION_MS).toISOString(), 'timestamptz');
    set('sealed_secret', secrets.seal(changes.secret, id));
    set('secret_preview', previewSecret(changes.secret));
  }
  const rows = await executeIn(
    em,
    `update webhook set ${sets.join(', ')} where organisation_id = $1 and id = $2 and deleted_at is null returning id`,
    values,
  );
  if (rows.length === 0) throw unknownWebhook(id);
}

/** Most deliveries cancelled together with their webhook: updating 10,000 rows takes a fraction of the 5 s a statement may take. */
const MOST_CANCELLED = 10_000;

/**
 * Removes a webhook and cancels its pending deliveries; the retention of the delivery log removes its rows later. Skips locked deliveries,
 * because waiting for a job that is settling one could deadlock. Those, and any above the limit, are cancelled when their jobs run.
 */
export async function deleteWebhook(context: RequestContext, id: string): Promise<void> {
  const organisationId = managedOrganisation(context);
  const now = context.services.clock.now().toISOString();
  await transaction(context, async (em) => {
    const rows = await executeIn(
      em,
      `update webhook set deleted_at = $3::timestamptz, status = 'DISABLED' where organisation_id = $1 and id = $2 and deleted_at is null returning id`,
      [organisationId, id, now],
    );
    if (rows.length === 0) throw unknownWebhook(id);
    await executeIn(
      em,
      `update webhook_delivery set status = 'CANCELLED', next_attempt_at = null, finished_at = $2::timestamptz
       where id in (select id from webhook_delivery where webhook_id = $1 and finished_at is null limit ${MOST_CANCELLED} for update skip locked)`,
      [id, now],
    );
  });
}
