// What a person does on the hosted form before submission: answers are saved at every step, and a new link can be requested for an expired one.
import type { RequestContext } from '../../access/context.ts';
import { Organisation } from '../../access/tables.ts';
import { transactionFor } from '../../access/transaction.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { digestOf } from '../../json/digest.ts';
import { GatewayError } from '../../records/errors.ts';
import { lockRecord } from '../shared/transitions.ts';
import { type FormLink, linkedRequest, type OpenForm } from './form-resolver.ts';
import { emitIncorporation, IncorporationRequest, isOpen } from './request.ts';

/** Who asks for the form. */
export const organisationOf = ({ services }: RequestContext, id: number): Promise<string> =>
  systemTransaction(services.database, async (em) => (await em.findOneOrFail(Organisation, { id })).name);

/** Identifies the answers to some questions, so that a page can detect whether they were saved again since it was shown. */
export const markOf = (answers: Readonly<Record<string, unknown>>, names: readonly string[]): string =>
  digestOf(names.map((name) => answers[name] ?? null)).slice(0, 16);

/** The answers after saving, or, where nothing was saved, those that another window has saved since the page was shown. */
export type Saved = { isStale: boolean; answers: Record<string, unknown> };

/**
 * Adds typed answers to those saved before; undefined takes one away. Given the mark of those that the page has shown, nothing is saved
 * over others that were saved since.
 */
export async function saveTyped(
  context: RequestContext,
  { organisationId, nonce, form: { id }, typed }: OpenForm,
  changes: Record<string, unknown>,
  shownMark?: string,
): Promise<Saved> {
  context.mutation = 'saveIncorporationForm';
  return transactionFor(context, organisationId, async (em) => {
    const stored = await lockRecord(em, IncorporationRequest, { id, nonce }, { id, field: 'id' });
    if (!isOpen(stored.status)) throw new GatewayError('INVALID_STATE_TRANSITION', 'this form was already submitted', { field: 'status' });
    const before: Record<string, unknown> = { ...(stored.draft ?? typed) };
    // Through JSON, which leaves out what is taken away.
    const answers = JSON.parse(JSON.stringify({ ...before, ...changes })) as Record<string, unknown>;
    const names = Object.keys(changes);
    const mark = markOf(before, names);
    if (shownMark !== undefined && mark !== shownMark && mark !== markOf(answers, names)) return { isStale: true, answers: before };
    stored.draft = answers;
    return { isStale: false, answers };
  });
}

/** Who can renew an expired link, and whether they were asked already. */
export async function expiredForm(context: RequestContext, link: FormLink): Promise<{ organisation: string; isAsked: boolean }> {
  const request = await renewable(context, link);
  return { organisation: await organisationOf(context, request.organisationId), isAsked: request.linkRequestedAt !== null };
}

async function renewable(context: RequestContext, link: FormLink): Promise<IncorporationRequest> {
  const { request, isExpired } = await linkedRequest(context, link);
  if (!isExpired) throw new GatewayError('INVALID_STATE_TRANSITION', 'this link still works');
  if (!isOpen(request.status)) throw new GatewayError('INVALID_STATE_TRANSITION', 'this form was already submitted', { field: 'status' });
  return request;
}

/** Notifies the organisation once that the person with an expired link requests a new one. The person gets nothing from the gateway: the organisation sends the link. */
export async function askForFormLink(context: RequestContext, link: FormLink): Promise<void> {
  const { id, organisationId, nonce, linkRequestedAt } = await renewable(context, link);
  if (linkRequestedAt) return;
  context.mutation = 'requestIncorporationLink';
  await transactionFor(context, organisationId, async (em) => {
    const stored = await lockRecord(em, IncorporationRequest, { id, nonce }, { id, field: 'id' });
    if (stored.linkRequestedAt) return;
    stored.linkRequestedAt = context.services.clock.now();
    emitIncorporation(em, context, organisationId, id, 'INCORPORATION_REQUEST.LINK_REQUESTED');
  });
}
