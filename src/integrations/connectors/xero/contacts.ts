// Contacts, with their addresses and phone numbers.
import type { SourceRecord } from '../connector.ts';
import type { Row } from './client.ts';
import { cannotSay } from './errors.ts';
import { quoted, type Stream } from './stream.ts';
import { given, joined, moment, named } from './values.ts';

interface PhoneRow {
  PhoneType?: string;
  PhoneNumber?: string;
  PhoneAreaCode?: string;
  PhoneCountryCode?: string;
}

interface AddressRow {
  AddressType?: string;
  AddressLine1?: string;
  AddressLine2?: string;
  AddressLine3?: string;
  AddressLine4?: string;
  City?: string;
  Region?: string;
  PostalCode?: string;
  Country?: string;
}

interface ContactRow extends Row {
  ContactID: string;
  Name?: string;
  FirstName?: string;
  LastName?: string;
  EmailAddress?: string;
  TaxNumber?: string;
  CompanyNumber?: string;
  ContactStatus?: string;
  DefaultCurrency?: string;
  IsCustomer?: boolean;
  IsSupplier?: boolean;
  Website?: string;
  Phones?: PhoneRow[];
  Addresses?: AddressRow[];
  UpdatedDateUTC?: string;
}

const states = { ACTIVE: 'ACTIVE', ARCHIVED: 'ARCHIVED', GDPRREQUEST: 'ARCHIVED' };
const givenStates = { ACTIVE: 'ACTIVE', ARCHIVED: 'ARCHIVED', INACTIVE: 'ARCHIVED' };
const addressTypes = { POBOX: 'POSTAL', STREET: 'PRIMARY' };
const phoneTypes = { DEFAULT: 'PRIMARY', DDI: 'WORK', MOBILE: 'MOBILE', FAX: 'FAX', OFFICE: 'WORK' };
const givenPhoneTypes = { MOBILE: 'MOBILE', FAX: 'FAX', WORK: 'DDI' };

const numberOf = ({ PhoneCountryCode, PhoneAreaCode, PhoneNumber }: PhoneRow): string | null =>
  joined([PhoneCountryCode, PhoneAreaCode, PhoneNumber]);

function roleOf({ IsCustomer, IsSupplier }: ContactRow): string {
  if (IsCustomer) return IsSupplier ? 'BOTH' : 'CUSTOMER';
  return IsSupplier ? 'VENDOR' : 'UNKNOWN';
}

const addressRecord = (row: AddressRow): SourceRecord => ({
  type: named(addressTypes, row.AddressType),
  street: row.AddressLine1 || null,
  street2: joined([row.AddressLine2, row.AddressLine3, row.AddressLine4], ', '),
  city: row.City || null,
  state: row.Region || null,
  postal_code: row.PostalCode || null,
  country: row.Country || null,
});

/** Xero shows every kind of address and number, also those without a value. */
const isEntered = ({ AddressLine1, City, PostalCode, Country }: AddressRow): boolean =>
  Boolean(AddressLine1 || City || PostalCode || Country);

function contactRecord(row: ContactRow): SourceRecord {
  const phones = (row.Phones ?? []).filter(({ PhoneNumber }) => PhoneNumber);
  const main = phones.find(({ PhoneType }) => PhoneType === 'DEFAULT');
  return {
    platform_id: row.ContactID,
    name: row.Name ?? null,
    contact_name: joined([row.FirstName, row.LastName]),
    email: row.EmailAddress || null,
    phone: main ? numberOf(main) : null,
    tax_number: row.TaxNumber || null,
    registration_number: row.CompanyNumber || null,
    type: roleOf(row),
    status: named(states, row.ContactStatus),
    source_status: row.ContactStatus ?? null,
    currency_id: row.DefaultCurrency || null,
    website: row.Website || null,
    updated_at: moment(row.UpdatedDateUTC),
    addresses: (row.Addresses ?? []).filter(isEntered).map(addressRecord),
    phone_numbers: phones.map((phone) => ({ type: named(phoneTypes, phone.PhoneType), number: numberOf(phone) })),
  };
}

/** A name in the two parts that Xero keeps: the last word is the last name. */
function nameRow(name: unknown): Row {
  if (name === undefined) return {};
  const words = String(name ?? '')
    .trim()
    .split(/\s+/);
  const last = words.length > 1 ? words.pop()! : '';
  return { FirstName: words.join(' '), LastName: last };
}

/** Xero keeps one postal and one street address. */
function addressRows(addresses: readonly SourceRecord[]): Row[] {
  const rows = addresses.map((address) => ({
    AddressType: address.type === 'POSTAL' || address.type === 'BILLING' ? 'POBOX' : 'STREET',
    AddressLine1: address.street ?? '',
    AddressLine2: address.street2 ?? '',
    AddressLine3: '',
    AddressLine4: '',
    City: joined([address.locality as string, address.city as string], ', ') ?? '',
    Region: address.state ?? '',
    PostalCode: address.postal_code ?? '',
    Country: address.country ?? '',
  }));
  if (new Set(rows.map(({ AddressType }) => AddressType)).size < rows.length)
    throw cannotSay('A contact has one postal address and one other address in Xero');
  return rows;
}

const phoneRow = (type: string, number: unknown): Row => ({
  PhoneType: type,
  PhoneNumber: number ?? '',
  PhoneAreaCode: '',
  PhoneCountryCode: '',
});

/** Xero keeps one number of each kind. The main one is the one that changed. */
function phoneRows({ phone, phone_numbers }: SourceRecord, base: SourceRecord | undefined): Row[] | undefined {
  if (phone === undefined && phone_numbers === undefined) return undefined;
  const numbers = (phone_numbers ?? []) as SourceRecord[];
  const listed = numbers.find(({ type }) => named(givenPhoneTypes, String(type), 'DEFAULT') === 'DEFAULT')?.number;
  const main = phone !== (base?.phone ?? undefined) && phone != null ? phone : (listed ?? phone);
  const others = numbers.map(({ type, number }) => phoneRow(named(givenPhoneTypes, String(type), 'DEFAULT'), number));
  const rows = others.filter(({ PhoneType }) => PhoneType !== 'DEFAULT');
  return main == null ? rows : [phoneRow('DEFAULT', main), ...rows];
}

/** Contacts. That one is a customer or a vendor follows from its documents. */
export const contacts: Stream = {
  dataModel: 'CONTACT',
  endpoint: 'Contacts',
  id: 'ContactID',
  query: { includeArchived: 'true' },
  pages: 'sized',
  reportsChanges: true,
  fields: {
    read: ['platform_id', 'type', 'source_status', 'website', 'updated_at'],
    both: [
      ...['contact_name', 'email', 'phone', 'tax_number', 'registration_number', 'status', 'currency_id'],
      ...['type', 'street', 'street2', 'city', 'state', 'postal_code', 'country'].map((name) => `addresses.${name}`),
      ...['phone_numbers.type', 'phone_numbers.number'],
    ],
    required: ['name'],
  },
  record: (row) => contactRecord(row as ContactRow),
  writes: {
    row: (_client, record, base) =>
      given({
        Name: record.name ?? undefined,
        ...nameRow(record.contact_name),
        EmailAddress: record.email === null ? '' : record.email,
        TaxNumber: record.tax_number === null ? '' : record.tax_number,
        CompanyNumber: record.registration_number === null ? '' : record.registration_number,
        DefaultCurrency: record.currency_id ?? undefined,
        ContactStatus: named(givenStates, record.status as string, '') || undefined,
        Addresses: Array.isArray(record.addresses) ? addressRows(record.addresses) : undefined,
        Phones: phoneRows(record, base),
      }),
    // A number that only applications see, that finds a contact whose creation got no response.
    created: (idempotencyKey) => ({ ContactNumber: idempotencyKey.slice(0, 50) }),
    isChangeable: true,
    removed: () => ({ ContactStatus: 'ARCHIVED' }),
    search: (_record, idempotencyKey) => ({ where: `ContactNumber==${quoted(idempotencyKey.slice(0, 50))}`, page: '1' }),
    isSame: () => true,
  },
};
