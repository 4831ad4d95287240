// Writes of webhooks: registration, change, rotation of the secret, removal.
import { createHash, timingSafeEqual } from 'node:crypto';
import { type EntityData, LockMode, raw } from '@mikro-orm/core';
import { auditRecords } from '../access/audit.ts';
import { type RequestContext, type Services, scopeOf, tenantOf } from '../access/context.ts';
import { transaction } from '../access/transaction.ts';
import { changeTime } from '../database/change-times.ts';
import { lockUntilCommit } from '../database/locks.ts';
import type { EntityManager } from '../database/open.ts';
import { emitEvents, sourceOf } from '../events/events.ts';
import { recordFiltersOf } from '../events/record-filters.ts';
import { accept } from '../records/checked.ts';
import { GatewayError, invalid, missing } from '../records/errors.ts';
import { checkChange, checkNew, differing } from '../records/fields.ts';
import { newId } from '../records/ids.ts';
import { modelOf, namedBy, propOf, writableProps } from '../records/metadata.ts';
import { notFound } from '../records/not-found.ts';
import { refuseResolvedUrl } from '../security/egress.ts';
import { cancelPending } from './deliveries.statements.ts';
import { generateSecret, previewSecret, refuseSecret } from './signature.ts';
import { Webhook } from './webhook.ts';
import { stateEvent } from './webhook-events.ts';
import type { NewWebhook, WebhookChanges } from './webhook-inputs.ts';

/** Most webhooks of an organisation. */
const MAX_WEBHOOKS = 16;
/** How long the former secret signs as well as the new one. */
const ROTATION_MS = 24 * 3_600_000;

/** The companies that the caller is limited to; null for all. */
type Limit = readonly number[] | null;

/** Whether a caller manages a webhook: a key limited to some companies those limited to companies of these. */
export function isManaged({ companyIds }: Pick<Webhook, 'companyIds'>, limit: Limit): boolean {
  const own = limit && new Set(limit);
  return own === null || (companyIds?.every((id) => own.has(id)) ?? false);
}

async function check(context: RequestContext, changes: WebhookChanges): Promise<void> {
  for (const { name, required } of writableProps(Webhook))
    if (required && changes[name] === null) throw invalid(name, `${name} must not be null`);
  if (changes.topics && changes.topics.length > 1 && changes.topics.includes('ALL'))
    throw invalid('topics', 'topics must be the value for all topics alone, or a list without it');
  if (changes.companyIds === null && tenantOf(context).companyIds !== null)
    throw invalid('companyIds', 'companyIds must name companies, because this key is limited to some', 'REQUIRED');
  await requireCompanies(context, changes.companyIds ?? []);
  if (changes.filter && recordFiltersOf(changes.filter).size === 0)
    throw invalid('filter', 'filter must have a record type; null for every event', 'REQUIRED');
  const secret = changes.secret == null ? null : refuseSecret(changes.secret);
  if (secret) throw invalid('secret', `secret ${secret}`, 'INVALID_FORMAT');
  if (changes.url) {
    const refusal = await refuseResolvedUrl(changes.url, { allowPrivate: context.services.config.webhookAllowPrivate });
    if (refusal) throw invalid('url', `url cannot be used: ${refusal}`);
  }
}

/** Rejects numbers of companies that the organisation does not have. */
async function requireCompanies(context: RequestContext, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const [company] = namedBy(Webhook, propOf(modelOf(Webhook), 'companyIds'))();
  const found = await context.services.reader.find(company!.class, { where: { ledgerId: { in: ids } } }, ['ledgerId'], scopeOf(context));
  const known = new Set<unknown>(found.map(({ ledgerId }) => ledgerId));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalid('companyIds', `companyIds has ${unknown}, which is not a company that the key may use`, 'NOT_FOUND');
}

const reasonOf = (status: string | undefined): string | null => (status === 'DISABLED' ? 'MANUAL' : null);

/** Registers a webhook; returns its id, and its secret when that was generated. */
export async function createWebhook(context: RequestContext, input: NewWebhook): Promise<{ id: string; secret: string | null }> {
  const { organisationId } = tenantOf(context);
  await check(context, { ...input, companyIds: input.companyIds ?? null });
  const { clock, secrets } = context.services;
  const id = newId('whk');
  const secret = input.secret ?? generateSecret();
  const { secret: _given, apiVersion: _only, ...given } = input;
  const fields = accept(checkNew(Webhook, given), '');
  const now = clock.now();
  await transaction(context, async (em) => {
    // Two requests cannot both register the sixteenth.
    await lockUntilCommit(em, `webhooks of organisation ${organisationId}`);
    if ((await em.count(Webhook, { deletedAt: null })) >= MAX_WEBHOOKS)
      throw new GatewayError('INVALID_PARAMS', `an organisation has at most ${MAX_WEBHOOKS} webhooks`);
    em.persist(
      em.create(Webhook, {
        ...fields,
        id,
        organisationId,
        secretPreview: previewSecret(secret),
        sealedSecret: secrets.seal(secret, id),
        disabledReason: reasonOf(fields.status),
        createdAt: now,
        updatedAt: now,
      }),
    );
  });
  return { id, secret: input.secret ? null : secret };
}

/** Changes a webhook. A new secret keeps the former one valid for 24 hours. */
export async function updateWebhook(context: RequestContext, id: string, changes: WebhookChanges): Promise<void> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  if (given.length === 0) throw missing('input', 'at least one field to change is required');
  await check(context, changes);
  if (changes.secret === null) throw invalid('secret', 'secret must not be null');
  await transaction(context, (em) => changeWebhook(em, context.services, { id, limit: tenantOf(context).companyIds }, changes));
}

/** Changes the webhook with this id by one statement; WEBHOOK_NOT_FOUND when the organisation has none. */
async function storeChange(em: EntityManager, id: string, values: EntityData<Webhook>): Promise<void> {
  const changed = await em.nativeUpdate(Webhook, { id, deletedAt: null }, values);
  if (changed === 0) throw notFound(Webhook, id, 'id');
  auditRecords(em, [{ id }]);
}

/** Which webhook, and what its caller is limited to. */
interface Managed {
  id: string;
  limit: Limit;
}

/** The webhook with this id, for something to send; WEBHOOK_DISABLED when nothing would be sent. `field` is the argument with the id. */
export async function enabledWebhook(em: EntityManager, { id, limit }: Managed, field: string): Promise<Webhook> {
  const webhook = await em.findOne(Webhook, { id, deletedAt: null });
  if (!webhook || !isManaged(webhook, limit)) throw notFound(Webhook, id, field);
  if (webhook.status !== 'ENABLED') throw new GatewayError('WEBHOOK_DISABLED', `webhook ${id} is disabled`, { field });
  return webhook;
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Whether a secret is the present one; false if its sealing key was lost, which a new secret repairs. */
function isPresent({ secrets }: Services, { id, sealedSecret }: Webhook, secret: string): boolean {
  try {
    return timingSafeEqual(digest(secrets.open(sealedSecret, id)), digest(secret));
  } catch {
    return false;
  }
}

/** Stores checked changes; enabling clears the reason why the webhook was disabled. */
export async function changeWebhook(em: EntityManager, services: Services, { id, limit }: Managed, changes: WebhookChanges): Promise<void> {
  const { clock, secrets } = services;
  const now = clock.now();
  const { secret: given, ...others } = changes;
  const stored = await em.findOne(Webhook, { id, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!stored || !isManaged(stored, limit)) throw notFound(Webhook, id, 'id');
  const fields = differing(accept(checkChange(Webhook, others, stored), ''), stored);
  // The present secret again, as in a retry, must not take the place of the former one.
  const secret = given && !isPresent(services, stored, given) ? given : null;
  if (!secret && Object.keys(fields).length === 0) {
    auditRecords(em, [{ id }]);
    return;
  }
  const switched =
    fields.status === undefined ? {} : { disabledReason: reasonOf(fields.status), failingSince: null, failingReportedAt: null };
  const rotated = secret
    ? {
        formerSecret: raw<string>('sealed_secret'),
        formerSecretUntil: new Date(now.getTime() + ROTATION_MS),
        sealedSecret: secrets.seal(secret, id),
        secretPreview: previewSecret(secret),
      }
    : {};
  await storeChange(em, id, { ...fields, ...switched, ...rotated, updatedAt: changeTime(now) });
  if (fields.status !== 'DISABLED') return;
  const disabled = { id, url: fields.url ?? stored.url, status: 'DISABLED', disabledReason: 'MANUAL', failingSince: null };
  emitEvents(em, sourceOf(services, stored.organisationId), [stateEvent(disabled)]);
}

/**
 * Removes a webhook and cancels its pending deliveries; the retention of the delivery log removes its rows later. Deliveries that
 * `cancelPending` leaves are cancelled when their jobs run.
 */
export async function deleteWebhook(context: RequestContext, id: string): Promise<void> {
  const now = context.services.clock.now();
  const { companyIds } = tenantOf(context);
  await transaction(context, async (em) => {
    const stored = await em.findOne(Webhook, { id, deletedAt: null });
    if (!stored || !isManaged(stored, companyIds)) throw notFound(Webhook, id, 'id');
    await storeChange(em, id, { deletedAt: now, status: 'DISABLED', updatedAt: changeTime(now) });
    await cancelPending(em, { id }, now);
  });
}
