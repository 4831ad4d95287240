// How a sale, a purchase or an invoice is written: its header, with what the form of Tryton fills in, and its lines.
import type { SourceRecord } from '../connector.ts';
import type { TrytonClient } from './client.ts';
import { cannotSay } from './errors.ts';
import { type LineKind, lineCommands, newLines, withMark } from './lines.ts';
import { changedValues, type Writes } from './stream.ts';

/** A kind of document. */
export interface DocumentKind {
  model: string;
  lines: LineKind;
  /** Values that every new document of the kind has, such as the direction of an invoice. */
  fixed: Record<string, unknown>;
  /** The header of a record, of the members that it has. */
  header(record: SourceRecord): Record<string, unknown>;
  /** What the form fills in beyond what follows from the party. */
  defaults?(client: TrytonClient, document: Record<string, unknown>): Promise<Record<string, unknown>>;
}

const HEADER_DEFAULTS = ['payment_term', 'invoice_address', 'shipment_address', 'invoice_method', 'journal', 'currency'];

async function headerValues(client: TrytonClient, kind: DocumentKind, record: SourceRecord): Promise<Record<string, unknown>> {
  const { contact_id, currency_id } = record;
  const values = {
    ...(contact_id === undefined ? {} : { party: contact_id === null ? null : Number(contact_id) }),
    ...kind.header(record),
  };
  if (!currency_id) return values;
  const currency = await client.find('currency.currency', [['code', '=', currency_id]]);
  if (currency === null) throw cannotSay(`Tryton has no currency ${currency_id}`);
  return { ...values, currency };
}

/** What the form fills in when the party is chosen. */
async function partyDefaults(
  client: TrytonClient,
  kind: DocumentKind,
  document: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!document.party) return {};
  const changes = await client.changed(kind.model, document, [...Object.keys(kind.fixed), 'party']);
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => HEADER_DEFAULTS.includes(name) && value !== null));
}

/** How documents of a kind are written. */
export const documentWrites = (kind: DocumentKind): Pick<Writes, 'marked' | 'create' | 'update'> => ({
  marked: (mark) => [
    ['lines.note', 'like', `%${mark.replace(/[%_\\]/g, '\\$&')}`],
    ...Object.entries(kind.fixed).map(([name, value]) => [name, '=', value]),
  ],
  async create(client, record, mark) {
    const header = await headerValues(client, kind, record);
    const base = { ...kind.fixed, company: await client.company(), ...header };
    const document = { ...(await partyDefaults(client, kind, base)), ...base };
    const filled = { ...document, ...(await kind.defaults?.(client, document)) };
    return { ...filled, lines: await newLines(client, kind.lines, record, filled, mark) };
  },
  async update(client, id, record, current, mark) {
    const [next, before] = [await headerValues(client, kind, record), await headerValues(client, kind, current)];
    const values = changedValues(next, before);
    const document = { ...kind.fixed, company: await client.company(), ...before, ...values };
    const defaults = values.party ? await partyDefaults(client, kind, document) : {};
    const commands = await lineCommands(client, kind.lines, record, current, document);
    if (Object.keys(values).length === 0 && commands.length === 0) return null;
    return { ...defaults, ...values, lines: await withMark(client, kind.lines, id, commands, mark) };
  },
});
