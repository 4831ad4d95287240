// Sending a push: its calls to the source and the checks before them, so that it has one effect and overwrites nothing unseen.

import type { Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { digestOf } from '../../json/digest.ts';
import { isPlainObject } from '../../records/checked.ts';
import { GatewayError } from '../../records/errors.ts';
import type { RecordClass } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { isStorableText } from '../../records/storable.ts';
import type { CompanyRow } from '../companies/company.ts';
import type { Connector, PushRequest, PushResponse, SentPush, SourceRecord } from '../connectors/connector.ts';
import { type LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { type MetRecord, type RecordInput } from '../writes/change.ts';
import type { StoredForm } from '../writes/source-form.ts';
import { type ClaimedPush, sentForms } from './push.statements.ts';
import { recordCoercer, sourceDigest } from './source-record.ts';

/** A push that is ready to be sent. */
export interface Prepared {
  push: ClaimedPush;
  target: RecordClass<LedgerRecord>;
  company: CompanyRow;
  stored: StoredForm;
  /** The form that is sent. To create a record, it is the form of the first attempt, so that all attempts are the same request. */
  form: SourceRecord;
}

/** Whether a create sends the record as it was at its first attempt, and not as it is now. */
export const isEarlier = ({ stored, form }: Prepared): boolean =>
  !stored.isKnown && (stored.isDeleted || (form !== stored.record && digestOf(form) !== digestOf(stored.record)));

/**
 * Whether a push calls the source. It does not where its state says that it is decided already, or to delete what the source never had. One that an
 * attempt may have created is created for sure first, because its deletion needs its id.
 */
export const asksSource = ({ push, stored }: Prepared): boolean =>
  stored.sourceState === 'PENDING_PUSH' && !(stored.isDeleted && !stored.isKnown && push.sent.length === 0);

/** Sends a record, unless the source has it as an earlier attempt has sent it. Throws Conflict where it has changed there too. */
export async function sendPush(services: Services, connector: Connector, prepared: Prepared): Promise<SentPush> {
  const { push, stored } = prepared;
  if (!connector.push) throw new GatewayError('OPERATION_NOT_SUPPORTED', `the source takes no ${push.dataModel} records`);
  const request = requestOf(services, prepared);
  if (request.operation === 'CREATE') {
    const there = await sameThere(services, connector, prepared);
    if (there) return { platformId: stored.platformId, record: there };
  }
  const base = request.operation === 'CREATE' ? undefined : await readBase(services, connector, prepared);
  if (base === null) return { platformId: stored.platformId };
  if (base && hasEffect(services, base, prepared)) return { platformId: stored.platformId, record: base };
  const based = base ? { ...request, base } : request;
  const made = push.attempts > 0 ? await connector.findPushed?.(based) : null;
  const response = made ?? (await connector.push(based));
  if (!isStorableText(response.platformId))
    throw new GatewayError('PLATFORM_ERROR', 'the source gave the record an id that cannot be stored');
  return { ...response, leftOut: readable(() => leftOutOf(services, connector, prepared, based, response)) ?? [] };
}

/** The fields that a write gives or changes, that the source does not take, and that its record does not have like that. */
function leftOutOf(
  { schema }: Services,
  { taken }: Connector,
  { push, target, form }: Prepared,
  { operation, base }: PushRequest,
  { platformId, record }: PushResponse,
): string[] {
  const names = taken?.get(push.dataModel);
  if (!names || operation === 'DELETE' || (operation === 'UPDATE' && !base)) return [];
  const coerce = recordCoercer(schema, target);
  const given = coerce(form, 'data');
  const before = base && coerce(base, 'data');
  const there = record && readable(() => coerce({ ...record, platform_id: platformId }, 'data'));
  return [...new Set(Object.entries(given).flatMap(([name, value]) => leftOutIn(snakeCase(name), value, before?.[name], there?.[name])))];

  function leftOutIn(name: string, here: unknown, was: unknown, now: unknown): string[] {
    if (here == null || name.endsWith('platform_id') || names!.has(name)) return [];
    if (Array.isArray(here) && here.every(isPlainObject))
      return here.flatMap((child, at) =>
        Object.entries(child).flatMap(([inner, value]) =>
          leftOutIn(`${name}.${snakeCase(inner)}`, value, childOf(was, child, at)[inner], childOf(now, child, at)[inner]),
        ),
      );
    const isSame = (other: unknown): boolean => other != null && digestOf(other) === digestOf(here);
    return isSame(was) || isSame(now) ? [] : [name];
  }
}

/** What is read of a write or its response; undefined where it cannot be stored. The source has taken the write all the same. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

/** The same child of another version, by its id or, where the source has given it another one, by its place. */
function childOf(children: unknown, { platformId }: Record<string, unknown>, at: number): Record<string, unknown> {
  const known: unknown[] = Array.isArray(children) ? children : [];
  const found = known.find((child) => isPlainObject(child) && child.platformId === platformId) ?? known[at];
  return isPlainObject(found) ? found : {};
}

/** What a push asks of the source. A record is created once, so all attempts to create it have one key and one form, whatever was written since. */
function requestOf(
  { signer }: Services,
  { push: { companyId, dataModel, ledgerId }, stored: { isDeleted, isKnown, platformId, etag }, form }: Prepared,
): PushRequest {
  const operation = isKnown ? (isDeleted ? 'DELETE' : 'UPDATE') : 'CREATE';
  const version = operation === 'CREATE' ? 'new' : etag.replaceAll('"', '');
  return {
    dataModel,
    operation,
    platformId: isKnown ? platformId : null,
    record: form,
    // Signed, because several gateways may write to one source, each with its own numbers.
    idempotencyKey: signer.sign('push', `${companyId} ${dataModel} ${ledgerId} ${version}`),
  };
}

/** The record of the source with the id of one to create, where it is the same one. Throws Conflict where it has other values. */
async function sameThere(
  { schema }: Services,
  connector: Connector,
  { push, target, stored, form }: Prepared,
): Promise<SourceRecord | null> {
  const found = await connector.read?.(push.dataModel, stored.platformId);
  if (!found) return null;
  const coerce = recordCoercer(schema, target);
  if (!holds(coerce(found, 'data'), coerce(form, 'data'))) throw new Conflict(found);
  return found;
}

/**
 * The record of the source before it is overwritten. Undefined where it is not known, and null for a record that is deleted at both ends. Throws
 * Conflict where it changed there too.
 */
async function readBase(
  { schema }: Services,
  connector: Connector,
  { push, target, stored }: Prepared,
): Promise<SourceRecord | null | undefined> {
  const found = await connector.read?.(push.dataModel, stored.platformId);
  if (found === undefined || (found !== null && stored.sourceHash === '')) return found;
  if (found === null) {
    if (stored.isDeleted) return null;
    throw new Conflict({ deleted: true });
  }
  const coerce = recordCoercer(schema, target);
  const there = coerce(found, 'data');
  // What an earlier attempt has made of it, from the record as it was then, is no change of the source.
  if (sourceDigest(there) === stored.sourceHash || push.sent.some((form) => holds(there, coerce(form, 'data')))) return found;
  throw new Conflict(found);
}

/** Whether an earlier attempt of the push has had its effect: the record of the source has everything that the stored one has. */
function hasEffect({ schema }: Services, found: SourceRecord, { push, target, stored }: Prepared): boolean {
  if (push.attempts === 0 || stored.isDeleted) return false;
  const coerce = recordCoercer(schema, target);
  return holds(coerce(found, 'data'), coerce(stored.record, 'data'));
}

/** Numbers of the records that the source shows as an attempt that is not over may have left them. */
export async function ownEffects(
  em: EntityManager,
  { schema }: Pick<Services, 'schema'>,
  companyId: number,
  target: RecordClass<LedgerRecord>,
  met: readonly MetRecord[],
): Promise<ReadonlySet<number>> {
  const shown = new Map(met.map(({ ledgerId, input }) => [ledgerId, input]));
  const coerce = recordCoercer(schema, target);
  const pushes = await sentForms(em, { companyId, dataModel: namesOf(target).dataModel }, [...shown.keys()]);
  const own = pushes.filter(({ ledgerId, sent }) => sent.some((form) => holds(shown.get(ledgerId)!, coerce(form, 'data'))));
  return new Set(own.map(({ ledgerId }) => ledgerId));
}

/** Whether a record of the source has everything that a stored one has. What the source does not show, or adds to it, makes no difference. */
const holds = (there: RecordInput, here: RecordInput): boolean =>
  Object.entries(here).every(([name, value]) => value == null || there[name] === undefined || isWithin(value, there[name]));

/** Whether a value has everything of another: children in the same order, each with what it may have besides. */
function isWithin(here: unknown, there: unknown): boolean {
  if (Array.isArray(here))
    return Array.isArray(there) && here.length === there.length && here.every((entry, at) => isWithin(entry, there[at]));
  return isPlainObject(here) && isPlainObject(there) ? holds(there, here) : digestOf(here) === digestOf(there);
}

/** The record changed at the source since it was last seen. */
export class Conflict extends GatewayError {
  readonly version: Record<string, unknown>;
  constructor(version: Record<string, unknown>) {
    super(
      'STALE_RECORD',
      'the record changed here and at the source; `resolveConflict` decides which version stays, unless it was deleted here',
    );
    this.version = version;
  }
}
