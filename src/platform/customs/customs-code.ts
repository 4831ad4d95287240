// The customs code of a product for one country, as it is stored and shown.
import { Field, ObjectType } from 'type-graphql';
import { CountryCode } from '../../records/scalars.ts';

/** The stored customs codes of a product by country: the digits, and the code as it was given. */
export type StoredCodes = Record<string, { digits: string; display: string }>;

@ObjectType({ description: 'The customs code of a product for one country.', simpleResolvers: true })
export class CustomsCode {
  @Field(() => CountryCode, { description: 'Two-letter country code (ISO 3166-1).' }) country!: string;
  @Field(() => String, { description: 'The code, digits only.' }) customsCode!: string;
  @Field(() => String, { description: 'The code as submitted.' }) customsCodeDisplay!: string;
}

/** A checked customs code as it is stored. */
export const storedCode = ({ digits, display }: StoredCodes[string]): StoredCodes[string] => ({ digits, display });

/** The stored codes as they are shown. */
export const codesOf = (row: { codes: StoredCodes }): CustomsCode[] =>
  Object.entries(row.codes).map(([country, code]) => ({ country, customsCode: code.digits, customsCodeDisplay: code.display }));
