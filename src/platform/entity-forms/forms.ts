// Legal forms of companies by country and state: the ISO 20275 code list as shipped.
import { Field, ObjectType } from 'type-graphql';
import { CountryCode, Locale } from '../../records/scalars.ts';
import { packageTable } from '../../runtime/package-root.ts';

@ObjectType({
  description: 'A legal form of ISO 20275 (Entity Legal Forms) in one language. A form with names in two languages is listed twice.',
  simpleResolvers: true,
})
export class EntityLegalForm {
  @Field(() => String, { description: 'Code of ISO 20275, four letters and digits.' }) code!: string;
  @Field(() => CountryCode, { description: 'Two-letter country code (ISO 3166-1).' }) country!: string;
  @Field(() => String, {
    nullable: true,
    description: 'ISO 3166-2 suffix of the state of the form; null for the whole country.',
  })
  state!: string | null;
  @Field(() => String, { description: 'Name in its language.' }) name!: string;
  @Field(() => Locale, { description: 'Two-letter language code (ISO 639-1).' }) language!: string;
  @Field(() => String, { nullable: true, description: 'Name in Latin letters, if the language uses others.' })
  transliteration!: string | null;
  @Field(() => String, { nullable: true, description: 'Usual abbreviation, such as GmbH; several are separated by semicolons.' })
  abbreviation!: string | null;
}

function readForms(): ReadonlyMap<string, readonly EntityLegalForm[]> {
  const path = 'src/platform/entity-forms/tables/forms.tsv';
  const lines = packageTable(path, 'code', 'country', 'subdivision', 'language', 'name', 'latin', 'abbreviation');
  const forms = lines.map(
    ({ subdivision, latin, abbreviation, ...form }): EntityLegalForm => ({
      ...form,
      state: subdivision.slice(form.country.length + 1) || null,
      transliteration: latin && latin !== form.name ? latin : null,
      abbreviation: abbreviation || null,
    }),
  );
  return Map.groupBy(forms, ({ country }) => country);
}

/**
 * The codes by country of forms as people write them: SARL in France, K.K. in Japan, Ltd in Hong Kong. They are forms for which the list has another
 * spelling, none, or several with one abbreviation. Each line of the table has a country, a code, and the ways to write it.
 */
function readUsualNames(): ReadonlyMap<string, readonly UsualName[]> {
  const names = packageTable('src/platform/entity-forms/tables/usual.tsv', 'country', 'code', 'written').map(
    ({ country, code, written }): UsualName => ({ country, code, written: written.split(';') }),
  );
  return Map.groupBy(names, ({ country }) => country);
}

/** A form of a country as people write it. */
export interface UsualName {
  country: string;
  code: string;
  written: readonly string[];
}

export const USUAL_NAMES = readUsualNames();

/** The forms by country, some 3,600 in all. */
export const FORMS_BY_COUNTRY = readForms();
