// Parties as contacts, with their addresses, phone numbers and links.
import type { SourceRecord } from '../connector.ts';
import type { Row, TrytonClient } from './client.ts';
import { cannotSay } from './errors.ts';
import { type Command, changedValues, childCommands, childrenOf, type Stream } from './stream.ts';
import { latest, stampMoment } from './values.ts';

interface PartyRow extends Row {
  name: string | null;
  active: boolean;
  create_date: string;
  'tax_identifier.': { code: string } | null;
}

interface AddressRow extends Row {
  party: number;
  street: string | null;
  city: string | null;
  postal_code: string | null;
  invoice: boolean;
  delivery: boolean;
  'country.': { code: string } | null;
  'subdivision.': { name: string } | null;
}

interface MechanismRow extends Row {
  party: number;
  type: string;
  value: string | null;
  active: boolean;
}

interface IdentifierRow extends Row {
  party: number;
  type: string | null;
  code: string;
}

const ADDRESS_FIELDS = ['street', 'city', 'postal_code', 'invoice', 'delivery', 'country.code', 'subdivision.name'];
const phoneTypes: Record<string, string> = { phone: 'LANDLINE', mobile: 'MOBILE', fax: 'FAX' };

/** An address as a child of a contact. */
function addressRecord(row: AddressRow): SourceRecord {
  const [street = null, ...rest] = row.street?.split('\n') ?? [];
  return {
    platform_id: String(row.id),
    type: row.invoice ? 'BILLING' : row.delivery ? 'SHIPPING' : 'PRIMARY',
    street,
    street2: rest.length > 0 ? rest.join('\n') : null,
    city: row.city,
    state: row['subdivision.']?.name ?? null,
    postal_code: row.postal_code,
    country: row['country.']?.code ?? null,
  };
}

function contactRecord(party: PartyRow, addresses: AddressRow[], mechanisms: MechanismRow[], identifiers: IdentifierRow[]): SourceRecord {
  const first = (...types: string[]): string | null => mechanisms.find(({ type }) => types.includes(type))?.value ?? null;
  return {
    platform_id: String(party.id),
    name: party.name,
    email: first('email'),
    phone: first('phone') ?? first('mobile'),
    website: first('website'),
    tax_number: party['tax_identifier.']?.code ?? identifiers.find(({ type }) => type === null)?.code ?? null,
    type: 'UNKNOWN',
    status: party.active ? 'ACTIVE' : 'ARCHIVED',
    created_at: party.create_date,
    updated_at: stampMoment(latest([party, ...addresses, ...mechanisms, ...identifiers].map(({ _timestamp }) => _timestamp))),
    addresses: addresses.map(addressRecord),
    phone_numbers: mechanisms
      .filter(({ type }) => type in phoneTypes)
      .map(({ id, type, value }) => ({ platform_id: String(id), number: value, type: phoneTypes[type] })),
    external_links: mechanisms
      .filter(({ type }) => type === 'website')
      .map(({ id, value }) => ({ platform_id: String(id), link: value, type: 'WEBSITE' })),
  };
}

async function read(client: TrytonClient, ids: readonly number[]): Promise<SourceRecord[]> {
  const parties = await client.rowsOf<PartyRow>('party.party', ids, ['name', 'active', 'create_date', 'tax_identifier.code']);
  const live = [...parties.keys()];
  const addresses = await client.rowsBy<AddressRow>('party.address', 'party', live, [...ADDRESS_FIELDS, 'active']);
  const mechanisms = await client.rowsBy<MechanismRow>('party.contact_mechanism', 'party', live, ['type', 'value', 'active']);
  const identifiers = await client.rowsBy<IdentifierRow>('party.identifier', 'party', live, ['type', 'code']);
  const used = <T extends Row>(rows: T[] = []): T[] => rows.filter((row) => (row as T & { active?: boolean }).active !== false);
  return [...parties.values()].map((party) =>
    contactRecord(party, used(addresses.get(party.id)), used(mechanisms.get(party.id)), identifiers.get(party.id) ?? []),
  );
}

/** The country that a record names by its ISO 3166 code or its name, and the state in it. */
async function placeOf(client: TrytonClient, address: SourceRecord): Promise<Record<string, unknown>> {
  const { country, state } = address;
  if (!country) return { country: null, subdivision: null };
  const found = await client.find('country.country', [['OR', ['code', '=', country], ['name', '=', country]]]);
  if (found === null) throw cannotSay(`Tryton has no country ${country}`);
  if (!state) return { country: found, subdivision: null };
  const named = ['OR', ['name', '=', state], ['code', '=', state], ['code', '=', `${country}-${state}`]];
  const subdivision = await client.find('country.subdivision', [['country', '=', found], named]);
  if (subdivision === null) throw cannotSay(`Tryton has no state ${state} in ${country}`);
  return { country: found, subdivision };
}

async function addressValues(client: TrytonClient, address: SourceRecord): Promise<Record<string, unknown>> {
  const street = [address.street, address.street2].filter(Boolean).join('\n');
  return {
    street: street || null,
    city: address.city ?? null,
    postal_code: address.postal_code ?? null,
    ...(await placeOf(client, address)),
    ...(address.type === 'BILLING' ? { invoice: true } : address.type === 'SHIPPING' ? { delivery: true } : {}),
  };
}

async function addressCommands(client: TrytonClient, record: SourceRecord, current: SourceRecord): Promise<Command[]> {
  return childCommands(childrenOf(record, 'addresses'), childrenOf(current, 'addresses') ?? [], async (address, existing) => {
    const values = await addressValues(client, address);
    return existing ? changedValues(values, await addressValues(client, existing)) : values;
  });
}

const phoneValues = ({ number, type }: SourceRecord): Record<string, unknown> => ({
  type: type === 'MOBILE' ? 'mobile' : type === 'FAX' ? 'fax' : 'phone',
  value: number ?? null,
});
const linkValues = ({ link }: SourceRecord): Record<string, unknown> => ({ type: 'website', value: link ?? null });

/** The command that gives the first mechanism of a type a value. Returns none where the mechanism has it, or where a list of them has it. */
async function mainCommands(client: TrytonClient, id: number | null, type: string, value: unknown, listed: boolean): Promise<Command[]> {
  if (value === undefined || listed) return [];
  const types = type === 'phone' ? ['phone', 'mobile'] : [type];
  const domain = [
    ['party', '=', id],
    ['type', 'in', types],
    ['active', '=', true],
  ];
  const rows = id === null ? [] : await client.rows<MechanismRow>('party.contact_mechanism', { domain, fields: ['type', 'value'] });
  const current = rows.find((row) => row.type === type) ?? rows[0];
  if ((current?.value ?? null) === (value || null)) return [];
  if (!value) return [['delete', [current!.id]]];
  return current ? [['write', [current.id], { value }]] : [['create', [{ type, value }]]];
}

async function mechanismCommands(client: TrytonClient, id: number | null, record: SourceRecord, current: SourceRecord): Promise<Command[]> {
  const lists: Command[] = [];
  const kinds = [
    ['phone_numbers', phoneValues],
    ['external_links', linkValues],
  ] as const;
  for (const [name, valuesOf] of kinds)
    lists.push(
      ...(await childCommands(childrenOf(record, name), childrenOf(current, name) ?? [], async (child, existing) =>
        existing ? changedValues(valuesOf(child), valuesOf(existing)) : valuesOf(child),
      )),
    );
  const numbers = childrenOf(record, 'phone_numbers')?.map(({ number }) => number);
  const links = childrenOf(record, 'external_links')?.map(({ link }) => link);
  return [
    ...lists,
    ...(await mainCommands(client, id, 'email', record.email, false)),
    ...(await mainCommands(client, id, 'phone', record.phone, Boolean(numbers && (!record.phone || numbers.includes(record.phone))))),
    ...(await mainCommands(client, id, 'website', record.website, Boolean(links && (!record.website || links.includes(record.website))))),
  ];
}

/** Countries whose tax numbers begin with their code and are checked as European ones. */
const EUROPEAN = /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[0-9A-Z]/;

async function identifierCommands(
  client: TrytonClient,
  id: number | null,
  record: SourceRecord,
  current: SourceRecord,
): Promise<Command[]> {
  const code = record.tax_number;
  if (code === undefined || (code || null) === (current.tax_number ?? null)) return [];
  const domain = [
    ['party', '=', id],
    ['code', '=', current.tax_number],
  ];
  const rows = current.tax_number ? await client.rows('party.identifier', { domain, fields: [] }) : [];
  if (!code) return [['delete', rows.map((row) => row.id)]];
  const values = { type: EUROPEAN.test(String(code)) ? 'eu_vat' : null, code };
  return rows[0] ? [['write', [rows[0].id], values]] : [['create', [values]]];
}

const partyValues = (record: SourceRecord): Record<string, unknown> => ({
  ...(record.name === undefined ? {} : { name: record.name }),
  ...(typeof record.status === 'string' ? { active: record.status === 'ACTIVE' || record.status === 'UNKNOWN' } : {}),
});

async function partyCommands(client: TrytonClient, id: number | null, record: SourceRecord, current: SourceRecord) {
  const commands = {
    addresses: await addressCommands(client, record, current),
    contact_mechanisms: await mechanismCommands(client, id, record, current),
    identifiers: await identifierCommands(client, id, record, current),
  };
  return Object.fromEntries(Object.entries(commands).filter(([, list]) => list.length > 0)) as Record<string, Command[]>;
}

/** The mark is a way to reach the party that is never shown, because it is not active. */
async function markCommand(client: TrytonClient, id: number | null, mark: string): Promise<Command> {
  const domain = [
    ['party', '=', id],
    ['type', '=', 'other'],
    ['value', 'like', `${mark.split(':')[0]}:%`],
  ];
  const [row] = id === null ? [] : await client.rows('party.contact_mechanism', { domain, fields: [] });
  return row ? ['write', [row.id], { value: mark }] : ['create', [{ type: 'other', name: 'Ledger Gateway', value: mark, active: false }]];
}

/** Parties. */
export const contacts: Stream = {
  dataModel: 'CONTACT',
  model: 'party.party',
  domain: () => [],
  parts: [
    { model: 'party.address', field: 'party' },
    { model: 'party.contact_mechanism', field: 'party' },
    { model: 'party.identifier', field: 'party' },
  ],
  children: { addresses: 'party.address', phone_numbers: 'party.contact_mechanism', external_links: 'party.contact_mechanism' },
  fields: {
    read: ['platform_id', 'type', 'created_at', 'updated_at', 'external_links.type'],
    both: [
      ...['name', 'email', 'phone', 'website', 'tax_number', 'status', 'phone_numbers.number', 'phone_numbers.type', 'external_links.link'],
      ...['type', 'street', 'street2', 'city', 'state', 'postal_code', 'country'].map((name) => `addresses.${name}`),
    ],
  },
  read,
  writes: {
    marked: (mark) => [
      [
        'contact_mechanisms',
        'where',
        [
          ['value', '=', mark],
          ['active', 'in', [true, false]],
        ],
      ],
    ],
    async create(client, record, mark) {
      const { contact_mechanisms = [], ...commands } = await partyCommands(client, null, record, {});
      return { ...partyValues(record), ...commands, contact_mechanisms: [...contact_mechanisms, await markCommand(client, null, mark)] };
    },
    async update(client, id, record, current, mark) {
      const values = changedValues(partyValues(record), partyValues(current));
      const { contact_mechanisms = [], ...commands } = await partyCommands(client, id, record, current);
      const change = { ...values, ...commands };
      if (Object.keys(change).length === 0 && contact_mechanisms.length === 0) return null;
      return { ...change, contact_mechanisms: [...contact_mechanisms, await markCommand(client, id, mark)] };
    },
  },
};
