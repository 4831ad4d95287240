// The Harmonized System and national tariffs in GraphQL: browsing and searching their codes, suggestions for a product, and the description of a product's code.
import { Arg, Ctx, Field, FieldResolver, Float, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import type { Reader } from '../../database/reader/reader.ts';
import { GatewayError, invalid, missing } from '../../records/errors.ts';
import { CountryCode, LocalDate } from '../../records/scalars.ts';
import { isReference } from '../../records/schema-extensions.ts';
import { today } from '../shared/dates.ts';
import { checkedValue } from '../shared/payloads.ts';
import { CustomsCode } from './customs-code.ts';
import { harmonizedSystem, type TariffEntry } from './harmonized-system.ts';
import {
  checkTariffCountry,
  linesFrom,
  linesUnder,
  NationalTariff,
  type TariffInForce,
  type TariffLine,
  tariffOn,
} from './national/national-tariff.ts';
import { tariffSearch } from './tariff-search.ts';

const MAX_LISTED = 200;
const MAX_SUGGESTED = 5;
const MAX_CHARACTERS = { search: 200, name: 500, description: 2_000 };

@ObjectType('TariffCode', {
  description:
    'A section, chapter, heading or six-digit code of the Harmonized System of the World Customs Organization, edition 2022, or a longer code of a national tariff.',
  simpleResolvers: true,
})
export class TariffCode implements TariffEntry {
  @Field(() => String, { description: 'Roman numeral of a section; otherwise two, four or six digits, or more in a national tariff.' })
  code!: string;
  @Field(() => String, { description: 'Description in English, or in the words of the national tariff.' }) description!: string;
  @Field(() => Int, { description: 'Number of digits; 0 for a section.' }) level!: number;
  @Field(() => String, { nullable: true, description: 'Parent code; null for a section.' }) parent!: string | null;
}

@ObjectType({ description: 'Codes of the Harmonized System, or of a national tariff below it.', simpleResolvers: true })
export class TariffCodeList {
  @Field(() => [TariffCode], {
    description: 'Codes: those below `parent` in order, those of a search best first.',
  })
  nodes!: readonly TariffEntry[];
  @Field(() => String, { description: 'Edition of the system.' }) edition!: string;
  @Field(() => NationalTariff, { nullable: true, description: 'The requested national tariff; null without one.' })
  tariff!: TariffInForce | null;
}

/** A line of a national tariff as an entry. */
const entryOf = ({ code, description, parent }: TariffLine): TariffEntry => ({ code, description, level: code.length, parent });

@ObjectType({ description: 'A suggested six-digit code for a product. A suggestion is not a classification.', simpleResolvers: true })
export class TariffSuggestion {
  @Field(() => String, { description: 'The code, six digits.' }) code!: string;
  @Field(() => String, { description: 'Description in English.' }) description!: string;
  @Field(() => Float, { description: 'Score from 0 to 1, comparable within one response only.' })
  score!: number;
  @Field(() => [String], {
    description:
      'Up to four words of the description that led to the suggestion, most relevant first; `sofa: seats` if a word of the name means them.',
  })
  reasons!: string[];
}

function within(field: keyof typeof MAX_CHARACTERS, text: string | null | undefined): string {
  const most = MAX_CHARACTERS[field];
  if (text && text.length > most) throw invalid(field, `${field} must have at most ${most} characters`, 'TOO_LONG');
  return text ?? '';
}

function atMost(first: number, most: number): number {
  if (first < 1 || first > most) throw invalid('first', `first must be an integer from 1 to ${most}`, 'OUT_OF_RANGE');
  return first;
}

/** What a caller asks for. */
interface Wanted {
  under: string | null;
  /** Words or digits; empty without a search. */
  text: string;
  most: number;
}

/** Entries of the Harmonized System that a text finds under a code; without a text those directly under it. */
function entriesOf({ caches }: Services, { under, text, most }: Wanted): readonly TariffEntry[] {
  if (text === '') return caches.of(harmonizedSystem).get().below(under).slice(0, most);
  const found = caches.of(tariffSearch).get().search(text, under, most);
  return found.map(({ entry }) => entry);
}

/**
 * Codes of a national tariff under a code, or found by a text. They are found by its digits, or below the six-digit codes that its words find,
 * because many descriptions there, such as "Other", say nothing on their own.
 */
async function nationalEntries(services: Services, tariff: TariffInForce, { under, text, most }: Wanted): Promise<TariffEntry[]> {
  const { reader } = services;
  if (text === '') return (await linesUnder(reader, tariff, [under!], most)).map(entryOf);
  const digits = text.replace(/[\s.-]/g, '');
  if (/^[0-9]+$/.test(digits)) {
    const first = firstDigits(services, under, digits);
    return first === null ? [] : (await linesFrom(reader, tariff, first, most)).map(entryOf);
  }
  const found = entriesOf(services, { under, text, most: MAX_LISTED }).filter(({ level }) => level === 6);
  const codes = found.map(({ code }) => code);
  return (await linesUnder(reader, tariff, codes, most)).slice(0, most).map(entryOf);
}

/** The first digits of the codes that begin with given ones and are under a code; null without any. */
function firstDigits({ caches }: Services, under: string | null, digits: string): string | null {
  const section = caches.of(harmonizedSystem).get().find(digits.slice(0, 2))?.parent;
  if (under === null || digits.startsWith(under) || section === under) return digits;
  return under.startsWith(digits) ? under : null;
}

/** Whether the codes directly under a code are longer than six digits. */
const isLong = (code: string | null): boolean => code !== null && /^[0-9]{6,}$/.test(code);

/** Whether a tariff has a code, or longer ones that begin with it. */
const reaches = async (reader: Reader, tariff: TariffInForce, code: string): Promise<boolean> =>
  /^[0-9]+$/.test(code) && (await linesFrom(reader, tariff, code, 1)).length > 0;

@Resolver(() => CustomsCode)
export class TariffResolver {
  @access('PLATFORM', 'ENTITIES')
  @isReference
  @Query(() => TariffCodeList, {
    description:
      'Codes of the Harmonized System. `search` returns headings and codes with its words, or that begin with its digits; `parent` returns its direct children; without both, the sections are returned. `country` adds the longer codes of an imported national tariff: those below a `parent` of six or more digits, and for a `search` those that begin with its digits or are directly below the six-digit codes found. CUSTOMS_CODE_NOT_FOUND for an unknown parent.',
  })
  async customsCodes(
    @Arg('search', () => String, { nullable: true, description: 'Words of a common name or a description, or the first digits.' })
    search: string | null | undefined,
    @Arg('parent', () => String, {
      nullable: true,
      description: 'Code of a section, chapter or heading such as `XVI`, `84` or `8471`; a longer one with `country`.',
    })
    parent: string | null | undefined,
    @Arg('first', () => Int, { defaultValue: 100, description: `Number of codes, 1 to ${MAX_LISTED}.` }) first: number,
    @Arg('country', () => CountryCode, {
      nullable: true,
      description: 'Two-letter country code of the tariff; EU for the Combined Nomenclature of the member states.',
    })
    country: string | null | undefined,
    @Arg('validOn', () => LocalDate, { nullable: true, description: 'Day for which the tariff applies; default today.' })
    validOn: string | null | undefined,
    @Ctx() { services }: RequestContext,
  ): Promise<TariffCodeList> {
    const system = services.caches.of(harmonizedSystem).get();
    const most = atMost(first, MAX_LISTED);
    const under = parent?.replace(/[\s.]/g, '').toUpperCase() || null;
    const text = within('search', search).normalize('NFKC').trim();
    const asked = country ? checkedValue(checkTariffCountry(country.toUpperCase())) : null;
    const tariff = asked === null ? undefined : await tariffOn(services.reader, asked, validOn ?? today(services.clock));
    if (under !== null && !system.has(under) && !(tariff && (await reaches(services.reader, tariff, under)))) {
      const message = `${under} is not a code of ${tariff ? `the tariff of ${tariff.country}` : 'the Harmonized System'}`;
      throw new GatewayError('CUSTOMS_CODE_NOT_FOUND', message, { field: 'parent' });
    }
    const wanted = { under, text, most };
    const nodes = tariff && (text || isLong(under)) ? await nationalEntries(services, tariff, wanted) : entriesOf(services, wanted);
    return { nodes, edition: system.meta.edition, tariff: tariff ?? null };
  }

  @access('PLATFORM', 'ENTITIES')
  @isReference
  @Query(() => [TariffSuggestion], {
    description: 'Suggests six-digit codes for a product: at most five of different headings, best first. Information, not advice.',
  })
  suggestCustomsCodes(
    @Arg('name', () => String, {
      description: `Common English name of the product, not blank, at most ${MAX_CHARACTERS.name} characters.`,
    })
    name: string,
    @Arg('description', () => String, {
      nullable: true,
      description: `Distinguishing details such as the material, at most ${MAX_CHARACTERS.description} characters.`,
    })
    description: string | null | undefined,
    @Ctx() { services }: RequestContext,
  ): TariffSuggestion[] {
    if (name.trim() === '') throw missing('name');
    return services.caches
      .of(tariffSearch)
      .get()
      .suggest(within('name', name), within('description', description), MAX_SUGGESTED)
      .map(({ entry, score, reasons }) => ({
        code: entry.code,
        description: entry.description,
        score: Math.round(score * 100) / 100,
        reasons,
      }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Description of the six-digit code (HS 2022, in English); null outside the Harmonized System.',
  })
  description(@Root() { customsCode }: CustomsCode, @Ctx() { services }: RequestContext): string | null {
    return services.caches.of(harmonizedSystem).get().find(customsCode)?.description ?? null;
  }
}
