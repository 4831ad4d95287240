// The registered address of a corporation: its type, its input and its check.

import { createInput } from '../../graphql/input-types.ts';
import { country, embeddable, text } from '../../records/decorators.ts';
import { checkEmbedded } from '../../records/fields.ts';
import { line } from '../../records/text.ts';
import { countryCode } from '../shared/countries.ts';

@embeddable('The registered address of a corporation.')
export class RegisteredAddress {
  @text('First line of the address.', { required: true, check: line(255), jsonName: 'address_line_1' }) addressLine1!: string;
  @text('Second line of the address.', { check: line(255), jsonName: 'address_line_2' }) addressLine2!: string | null;
  @text('City or town.', { check: line(255) }) city!: string | null;
  @text('State or province.', { check: line(255) }) state!: string | null;
  @text('Postal or ZIP code.', { check: line(255) }) postalCode!: string | null;
  @country('Two-letter country code (ISO 3166-1).', {
    required: true,
    check: countryCode,
    createDescription: 'Country, two letters (ISO 3166-1).',
  })
  country!: string;
}

export const RegisteredAddressInput = createInput(
  RegisteredAddress,
  'Registered address of a corporation; lines of at most 255 characters.',
  { name: 'RegisteredAddressInput' },
);

/** Checks an address. */
export const checkAddress = checkEmbedded(RegisteredAddress);
