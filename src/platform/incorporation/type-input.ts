// The typed choice of a corporation type: exactly one country, with the types and the state that are asked there.
import { type InputClass, type InputField, inputType } from '../../graphql/input-types.ts';
import { defineEnum } from '../../records/enums.ts';
import { CORPORATION_COUNTRIES, type CorporationCountry, typeNameOf } from '../shared/corporation-types.ts';

const stateTexts = {
  required: 'State or subdivision of registration: the suffix of its ISO 3166-2 code.',
  optional: 'State or subdivision of registration, if any: the suffix of its ISO 3166-2 code.',
};

/** The choice in one country. */
function countryInput(country: string, { stateRule, types }: CorporationCountry): InputClass {
  const values = types.map((type) => [typeNameOf(type), `${type.request} of ${country}.`]);
  const Types = defineEnum(`${country}CorporationType`, `Corporation types that can be formed in ${country}.`, Object.fromEntries(values));
  const state: InputField[] =
    stateRule === 'absent'
      ? []
      : [{ name: 'state', type: () => String, description: stateTexts[stateRule], nullable: stateRule === 'optional' }];
  return inputType(`${country}CorporationTypeInput`, `Legal form of a company in ${country}.`, [
    ...state,
    { name: 'corporationType', type: () => Types.values, description: 'Legal form of the company.', nullable: false },
  ]);
}

/** Exactly one country with its choice. */
export const CorporationTypeInput = inputType(
  'CorporationTypeInput',
  'Corporation type to form, under exactly the country in `country`.',
  Object.entries(CORPORATION_COUNTRIES).map(([country, rules]): InputField => {
    const Input = countryInput(country, rules);
    return { name: country, type: () => Input, description: `Legal form of a company in ${country}.`, nullable: true };
  }),
  { isOneOf: true },
);
