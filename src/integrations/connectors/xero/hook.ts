// The messages that Xero sends of changes, signed with the key of the application's webhook.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { decodeUtf8 } from '../../../json/exact-json.ts';
import type { SourceChange, SourceHook } from '../connector.ts';

/** The data models of Xero's categories of events; an event does not say of which of them its record is. */
const models: Readonly<Record<string, readonly string[]>> = {
  CONTACT: ['CONTACT'],
  INVOICE: ['INVOICE', 'BILL'],
  CREDITNOTE: ['INVOICE_CREDIT_NOTE', 'BILL_CREDIT_NOTE'],
  PAYMENT: ['PAYMENT'],
};

interface Message {
  events?: { tenantId?: string; eventCategory?: string }[];
}

function isSigned(body: Buffer, signature: string | undefined, key: string): boolean {
  const expected = createHmac('sha256', key).update(body).digest();
  const given = Buffer.from(signature ?? '', 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function messageIn(body: Buffer): Message {
  try {
    return (JSON.parse(decodeUtf8(body)) as Message | null) ?? {};
  } catch {
    return {};
  }
}

/** The webhook of Xero. A check of its intent to receive is a message without events. */
export const hook: SourceHook = {
  read({ headers, body }, key) {
    if (!isSigned(body, headers['x-xero-signature'], key)) return null;
    const { events } = messageIn(body);
    const changes = new Map<string, Set<string>>();
    for (const event of Array.isArray(events) ? events : []) {
      const dataModels = models[String(event?.eventCategory)];
      if (typeof event?.tenantId !== 'string' || !dataModels) continue;
      const known = changes.get(event.tenantId) ?? new Set();
      changes.set(event.tenantId, new Set([...known, ...dataModels]));
    }
    return [...changes].map(([tenantId, dataModels]): SourceChange => ({ settings: { tenantId }, dataModels: [...dataModels] }));
  },
};
