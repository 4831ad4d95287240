// Legal forms of companies in GraphQL.
import { Arg, Extensions, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { CountryCode } from '../../records/scalars.ts';
import { isReference } from '../../records/schema-extensions.ts';
import { checkCountry, checkSubdivision } from '../shared/countries.ts';
import { checkedValue } from '../shared/payloads.ts';
import { EntityLegalForm, FORMS_BY_COUNTRY } from './forms.ts';

/** Forms of the country that has most of them. */
const MAX_FORMS = [...FORMS_BY_COUNTRY.values()].reduce((most, { length }) => Math.max(most, length), 0);

@Resolver()
export class EntityFormResolver {
  @access('PLATFORM', 'ENTITIES')
  @isReference
  @Query(() => [EntityLegalForm], {
    description:
      'Legal forms of a country (ISO 20275, list 1.5 of the Global Legal Entity Identifier Foundation); empty for countries outside the list.',
  })
  @Extensions({ size: MAX_FORMS })
  entityForms(
    @Arg('country', () => CountryCode, { description: 'Two-letter country code (ISO 3166-1).' }) country: string,
    @Arg('state', () => String, {
      nullable: true,
      description: 'ISO 3166-2 suffix: forms of that state and of the whole country; default all forms of the country.',
    })
    state: string | null | undefined,
  ): readonly EntityLegalForm[] {
    const code = checkedValue(checkCountry(country.toUpperCase(), 'country'));
    const forms = FORMS_BY_COUNTRY.get(code) ?? [];
    const suffix = state?.trim().toUpperCase();
    if (!suffix) return forms;
    const wanted = checkedValue(checkSubdivision(code, suffix));
    return forms.filter((form) => form.state === null || form.state === wanted);
  }
}
