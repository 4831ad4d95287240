// Contacts of a company with the addresses, phone numbers and links that belong to them.

import type { Collection } from '@mikro-orm/core';
import { enumeration, key, moment, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { currency, ParentType } from '../ledger/enums.ts';
import { ChildRecord, ledgerRecord, owned, SourcedRecord } from '../ledger/ledger-record.ts';
import { Currency } from './currency.ts';

export const AddressType = defineEnum(
  'AddressType',
  'What an address is for.',
  {
    BILLING: 'Invoices go here.',
    SHIPPING: 'Goods go here.',
    PRIMARY: 'The main address.',
    HOME: 'A home.',
    WORK: 'A place of work.',
    POSTAL: 'Letters go here.',
    OTHER: 'Something else.',
    UNKNOWN: 'A kind of the source that has no counterpart here.',
  },
  { DELIVERY: 'SHIPPING', STREET: 'PRIMARY', POBOX: 'POSTAL', OFFICE: 'WORK' },
);

export const PhoneType = defineEnum(
  'PhoneType',
  'What a phone number is for.',
  {
    MOBILE: 'A mobile phone.',
    LANDLINE: 'A fixed line.',
    HOME: 'A home.',
    WORK: 'A place of work.',
    FAX: 'A fax machine.',
    PRIMARY: 'The main number.',
    OTHER: 'Something else.',
    UNKNOWN: 'A kind of the source that has no counterpart here.',
  },
  { DDI: 'WORK', OFFICE: 'WORK', DEFAULT: 'PRIMARY' },
);

export const LinkType = defineEnum('LinkType', 'What a link leads to.', {
  WEBSITE: 'A web site.',
  SOCIAL: 'A social media profile.',
  PORTAL: 'A portal to log in to.',
  OTHER: 'Something else.',
  UNKNOWN: 'A kind of the source that has no counterpart here.',
});

export const ContactType = defineEnum('ContactType', 'How a contact relates to the company.', {
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
    SUSPENDED: 'Blocked for now.',
    ARCHIVED: 'No longer in use.',
    UNKNOWN: 'A state of the source that has no counterpart here.',
  },
  { GDPRREQUEST: 'ARCHIVED' },
);

@ledgerRecord({ description: 'A postal address of a contact, account or document.', plural: 'addresses', dataModel: 'Postal addresses.' })
export class Address extends ChildRecord {
  @enumeration(ParentType, 'Record type the address belongs to.', { list: 'scanned' }) parentType!: string | null;
  @enumeration(AddressType, 'What the address is for.', { list: 'scanned' }) type!: string | null;
  @text('Street and house number.') street!: string | null;
  @text('Second line.') street2!: string | null;
  @text('Part of the city, or village.') locality!: string | null;
  @text('City.') city!: string | null;
  @text('State or province.') state!: string | null;
  @text('Postal code.') postalCode!: string | null;
  @text('Country, as the source writes it.') country!: string | null;
}

@ledgerRecord({ description: 'A phone number of a contact.' })
export class PhoneNumber extends ChildRecord {
  @enumeration(ParentType, 'Record type the number belongs to.', { list: 'scanned' }) parentType!: string | null;
  @text('The number, as the source writes it.') number!: string | null;
  @enumeration(PhoneType, 'What the number is for.', { list: 'scanned' }) type!: string | null;
}

@ledgerRecord({ description: 'A link of a contact.', dataModel: 'Links.' })
export class ExternalLink extends ChildRecord {
  @enumeration(ParentType, 'Record type the link belongs to.', { list: 'scanned' }) parentType!: string | null;
  @text('The address of the page, as the source writes it.') link!: string | null;
  @enumeration(LinkType, 'What the link leads to.', { list: 'scanned' }) type!: string | null;
}

@ledgerRecord({ description: 'A customer or vendor of a company.' })
export class Contact extends SourcedRecord {
  @text('Name of the business or person.', { list: 'indexed', search: true }) name!: string | null;
  @text('Person to talk to.', { search: true }) contactName!: string | null;
  @text('E-mail address, as the source writes it.', { list: 'indexed', search: true }) email!: string | null;
  @text('Main phone number.', { search: true }) phone!: string | null;
  @key('Tax number.', { search: true }) taxNumber!: string | null;
  @enumeration(ContactType, 'How the contact relates to the company.') type!: string | null;
  @enumeration(ContactStatus, 'Whether the contact is in use.') status!: string | null;
  @currency(() => Currency) currencyId!: string | null;
  currency?: Currency | null;
  @key('Number in the company register.', { search: true }) registrationNumber!: string | null;
  @text('Web site, as the source writes it.', { search: true }) website!: string | null;
  @moment('When the record was created in the source system.') createdAt!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
  @owned(() => Address, 'Postal addresses.') addresses!: Collection<Address>;
  @owned(() => PhoneNumber, 'Phone numbers.') phoneNumbers!: Collection<PhoneNumber>;
  @owned(() => ExternalLink, 'Links.') externalLinks!: Collection<ExternalLink>;
}
