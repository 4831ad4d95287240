// Contacts of a company with the addresses, phone numbers and links that belong to them.

import type { Collection } from '@mikro-orm/core';
import { enumeration, key, moment, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, ParentType } from '../ledger/enums.ts';
import { ChildRecord, ledgerRecord, owned, SourcedRecord } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';

export const AddressType = defineEnum(
  'AddressType',
  'Use of an address.',
  {
    BILLING: 'Address for invoices.',
    SHIPPING: 'Address for deliveries.',
    PRIMARY: 'Main address.',
    HOME: 'At home.',
    WORK: 'At work.',
    POSTAL: 'Address for mail.',
    OTHER: 'Any other use.',
    UNKNOWN: 'A kind of the source without an equivalent.',
  },
  { DELIVERY: 'SHIPPING', STREET: 'PRIMARY', POBOX: 'POSTAL', OFFICE: 'WORK' },
);

export const PhoneType = defineEnum(
  'PhoneType',
  'Use of a phone number.',
  {
    MOBILE: 'Mobile phone.',
    LANDLINE: 'Landline phone.',
    HOME: 'At home.',
    WORK: 'At work.',
    FAX: 'Fax machine.',
    PRIMARY: 'Main number.',
    OTHER: 'Any other use.',
    UNKNOWN: 'A kind of the source without an equivalent.',
  },
  { DDI: 'WORK', OFFICE: 'WORK', DEFAULT: 'PRIMARY' },
);

export const LinkType = defineEnum('LinkType', 'Target of a link.', {
  WEBSITE: 'A website.',
  SOCIAL: 'A social media profile.',
  PORTAL: 'A portal to log in to.',
  OTHER: 'Any other use.',
  UNKNOWN: 'A kind of the source without an equivalent.',
});

export const ContactType = defineEnum('ContactType', 'Relation of a contact to the company.', {
  CUSTOMER: 'Buys from the company.',
  VENDOR: 'Sells to the company.',
  BOTH: 'Buys and sells.',
  UNKNOWN: 'The source does not say.',
});

export const ContactStatus = defineEnum(
  'ContactStatus',
  'Whether a contact is in use.',
  {
    ACTIVE: 'In use.',
    INACTIVE: 'Not in use.',
    SUSPENDED: 'Temporarily blocked.',
    ARCHIVED: 'No longer in use.',
    UNKNOWN: 'A state of the source without an equivalent.',
  },
  { GDPRREQUEST: 'ARCHIVED' },
);

@ledgerRecord({ description: 'A postal address of a contact, account or document.', plural: 'addresses', dataModel: 'Postal addresses.' })
export class Address extends ChildRecord {
  @enumeration(ParentType, 'Record type of `parentId`.', { list: 'scanned' }) parentType!: string | null;
  @enumeration(AddressType, 'Use of the address.', { list: 'scanned' }) type!: string | null;
  @text('Street and house number.') street!: string | null;
  @text('Second line of the address.') street2!: string | null;
  @text('District or village.') locality!: string | null;
  @text('City or town.') city!: string | null;
  @text('State or province.') state!: string | null;
  @text('Postal or ZIP code.') postalCode!: string | null;
  @text('Country, as the source writes it.') country!: string | null;
}

@ledgerRecord({ description: 'A phone number of a contact.' })
export class PhoneNumber extends ChildRecord {
  @enumeration(ParentType, 'Record type of `parentId`.', { list: 'scanned' }) parentType!: string | null;
  @text('Phone number, as in the source.') number!: string | null;
  @enumeration(PhoneType, 'Use of the number.', { list: 'scanned' }) type!: string | null;
}

@ledgerRecord({ description: 'A link of a contact.', dataModel: 'Links of the contact.' })
export class ExternalLink extends ChildRecord {
  @enumeration(ParentType, 'Record type of `parentId`.', { list: 'scanned' }) parentType!: string | null;
  @text('URL, as in the source.') link!: string | null;
  @enumeration(LinkType, 'Target of the link.', { list: 'scanned' }) type!: string | null;
}

@ledgerRecord({ description: 'A customer or vendor of a company.' })
export class Contact extends SourcedRecord {
  @text('Name of the business or person.', { list: 'indexed', search: true }) name!: string | null;
  @text('Name of a contact person.', { search: true }) contactName!: string | null;
  @text('Email address, as in the source.', { list: 'indexed', search: true }) email!: string | null;
  @text('Main phone number.', { search: true }) phone!: string | null;
  @key('Tax id, such as a VAT number.', { search: true }) taxNumber!: string | null;
  @enumeration(ContactType, 'Relation to the company.') type!: string | null;
  @enumeration(ContactStatus, 'Whether the contact is in use.') status!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @key('Company registration number.', { search: true }) registrationNumber!: string | null;
  @text('Website, as in the source.', { search: true }) website!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => Address, 'Postal addresses.') addresses!: Collection<Address>;
  @owned(() => PhoneNumber, 'Phone numbers.') phoneNumbers!: Collection<PhoneNumber>;
  @owned(() => ExternalLink, 'Links of the contact.') externalLinks!: Collection<ExternalLink>;
}
