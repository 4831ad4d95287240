// Countries and subdivisions in GraphQL, their names in many languages, and the ingest of new content.
import type { GraphQLResolveInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Arg, Ctx, Extensions, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { audit, auditRecords } from '../../access/audit.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import type { Where } from '../../database/reader/conditions.ts';
import { needs, projectionFor, type Row } from '../../database/reader/projection.ts';
import { argument, type FieldOptions, mutation, query, resolver } from '../../graphql/declared/fields.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { defineEnum } from '../../records/enums.ts';
import { invalid } from '../../records/errors.ts';
import { type Column, modelOf, type RecordClass } from '../../records/metadata.ts';
import { CountryCode, DateTime, JSONValue, Locale } from '../../records/scalars.ts';
import { CacheKey } from '../../runtime/caches.ts';
import { ingest } from './ingest.ts';
import { type IsoCode, IsoCountry, IsoFormer, IsoSubdivision } from './records.ts';
import { announceIsoContent, isoRegister } from './register.ts';

@ObjectType({ description: 'A name in a language.', simpleResolvers: true })
export class LocalName {
  @Field(() => Locale, { description: 'Language, as a BCP 47 tag.' }) language!: string;
  @Field(() => String, { description: 'Name in that language.' }) name!: string;
}

export const IngestMode = defineEnum('IngestMode', 'What an ingest does with codes missing from the document.', {
  MERGE: 'Keeps them.',
  REPLACE: 'Withdraws them in the parts and countries of the document.',
});

@ObjectType({ description: 'Source of ISO 3166 content.', simpleResolvers: true })
export class IsoSource {
  @Field(() => String, { description: 'Name of the source.' }) name!: string;
  @Field(() => String, { nullable: true, description: 'Version of the source.' }) version!: string | null;
  @Field(() => DateTime, { nullable: true, description: 'Publication time of the source.' }) publishedAt!: string | null;
}

@ObjectType({ description: 'Results of an ingest for a part.', simpleResolvers: true })
export class IngestPartCounts {
  @Field(() => Int, { description: 'Rows in the document.' }) received!: number;
  @Field(() => Int, { description: 'New rows.' }) inserted!: number;
  @Field(() => Int, { description: 'Updated rows.' }) updated!: number;
  @Field(() => Int, { description: 'Rows without a change.' }) unchanged!: number;
  @Field(() => Int, { description: 'Codes withdrawn because the document does not have them.' }) withdrawn!: number;
}

@ObjectType({ description: 'Results of an ingest, by part.', simpleResolvers: true })
export class IngestCounts {
  @Field(() => IngestPartCounts, { description: 'Countries (ISO 3166-1).' }) countries!: IngestPartCounts;
  @Field(() => IngestPartCounts, { description: 'Subdivisions (ISO 3166-2).' }) subdivisions!: IngestPartCounts;
  @Field(() => IngestPartCounts, { description: 'Former countries (ISO 3166-3).' }) former!: IngestPartCounts;
}

@ObjectType({ description: 'A warning about a document.', simpleResolvers: true })
export class IngestWarning {
  @Field(() => String, { description: 'Kind of warning.' }) code!: string;
  @Field(() => String, { description: 'JSON pointer to the first occurrence.' }) pointer!: string;
  @Field(() => String, { description: 'One sentence, with the number of occurrences.' }) message!: string;
}

@ObjectType({ description: 'An ingest of ISO 3166 content.', simpleResolvers: true })
export class IsoIngestion {
  @Field(() => Int, { description: 'Current version of the content; increases when an ingest changes something.' }) versionId!: number;
  @Field(() => IsoSource, { description: 'Source of the document, from its envelope.' }) source!: IsoSource;
  @Field(() => String, { description: 'SHA-256 of the canonical JSON of the document.' })
  sha256!: string;
  @Field(() => IngestMode.values, { description: 'What was done with codes missing from the document.' }) mode!: string;
  @Field(() => Boolean, { description: 'Whether it was a dry run, which stores nothing.' }) dryRun!: boolean;
  @Field(() => Boolean, { description: 'Whether the ingest changed anything.' }) applied!: boolean;
  @Field(() => IngestCounts, { description: 'Results by part.' }) counts!: IngestCounts;
  @Field(() => [IngestWarning], { description: 'Warnings about the document, one per kind.' }) warnings!: IngestWarning[];
}

@ObjectType({ description: 'Result of `ingestIso3166`.', simpleResolvers: true })
export class IngestIso3166Payload {
  @Field(() => IsoIngestion, { description: 'Record of the ingest.' }) ingestion!: IsoIngestion;
}

/** Every key may read the content. */
const anyRole = ['PLATFORM', 'ENTITIES', 'GEOCODE', 'MANAGE_CONTENT', 'INTEGRATIONS', 'ADMIN'] as const;

/** Languages of names when none are asked for: those of the United Nations, and German. */
const usualLanguages = ['en', 'fr', 'es', 'de', 'ru', 'zh', 'ar'];

const MAX_LANGUAGES = 20;

function languagesOf(given: string[] | null): string[] {
  if (!given) return usualLanguages;
  if (given.length > MAX_LANGUAGES) throw invalid('languages', `languages must have at most ${MAX_LANGUAGES} entries`, 'OUT_OF_RANGE');
  return given.map((tag) => {
    try {
      return Intl.getCanonicalLocales(tag)[0]!;
    } catch {
      throw invalid('languages', 'languages must be BCP 47 language tags such as pt-BR', 'INVALID_FORMAT');
    }
  });
}

/** Locale data by language; null where Node.js has none. Callers choose the tags, so their number is bounded. */
const localeNames = new CacheKey<Services, LRUCache<string, { display: Intl.DisplayNames | null }>>(
  'locale_names',
  () => new LRUCache({ max: 500 }),
);

/** The name of a country in a language, from the locale data of Node.js; undefined when it has none. */
function runtimeName({ caches }: Services, language: string, alpha2: string): string | undefined {
  const displays = caches.of(localeNames);
  let display = displays.get(language)?.display;
  if (display === undefined) {
    display =
      Intl.DisplayNames.supportedLocalesOf([language]).length > 0
        ? new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
        : null;
    displays.set(language, { display });
  }
  return display?.of(alpha2);
}

function namesIn(languages: string[], own: Record<string, string> | null, other: (language: string) => string | undefined): LocalName[] {
  return languages.flatMap((language) => {
    const name = own?.[language] ?? other(language);
    return name === undefined ? [] : [{ language, name }];
  });
}

const languagesArgument = {
  nullable: true,
  description: 'BCP 47 tags, at most 20; default the languages of the United Nations and German.',
} as const;

@Resolver(() => IsoCountry)
export class IsoCountryNames {
  @needs(IsoCountry, 'alpha2', 'localNames', 'status')
  @FieldResolver(() => [LocalName], {
    description: 'Name in these languages, from the content or the locale data of the server. Languages without a name are omitted.',
  })
  @Extensions({ rest: 'never' })
  names(
    @Root() row: Pick<IsoCountry, 'alpha2' | 'localNames' | 'status'>,
    @Arg('languages', () => [Locale], languagesArgument) languages: string[] | null,
    @Ctx() { services }: RequestContext,
  ): LocalName[] {
    // Locale data names the successor of a withdrawn code.
    const runtime = (language: string) => (row.status === 'CURRENT' ? runtimeName(services, language, row.alpha2) : undefined);
    return namesIn(languagesOf(languages), row.localNames, runtime);
  }
}

@Resolver(() => IsoSubdivision)
export class IsoSubdivisionNames {
  @needs(IsoSubdivision, 'localNames')
  @FieldResolver(() => [LocalName], { description: 'Name in these languages, if the content has it.' })
  @Extensions({ rest: 'never' })
  names(
    @Root() row: Pick<IsoSubdivision, 'localNames'>,
    @Arg('languages', () => [Locale], languagesArgument) languages: string[] | null,
  ): LocalName[] {
    return namesIn(languagesOf(languages), row.localNames, () => undefined);
  }
}

/** The codes that meet the conditions, in their order. */
const readCodes = <T extends IsoCode>(
  { services }: RequestContext,
  info: GraphQLResolveInfo,
  record: RecordClass<T>,
  where: Where<T>,
  also: Column<T>[] = [],
): Promise<Row[]> =>
  services.reader.findRows(projectionFor(modelOf(record), lookAhead(info)), { where, order: { by: [] } }, { tenant: null }, also);

/**
 * The countries of ISO 3166-3 that meet the conditions, the last to be withdrawn first, as rows of ISO 3166-1. The few without a code of two or three
 * letters, which every country has there, are left out.
 */
async function readFormer({ services: { reader } }: RequestContext, where: Where<IsoFormer>): Promise<(Row & { alpha2: string })[]> {
  const fields = ['alpha2', 'alpha3', 'numeric', 'name', 'supersededBy', 'withdrawalDate'] as const;
  const rows = await reader.find(IsoFormer, { where }, fields, { tenant: null });
  // A two-letter code may have another country now, whose subdivisions and names are not those of this one.
  const absent = { officialName: null, commonName: null, localNames: null, withdrawnAt: null, subdivisions: [] };
  return rows
    .flatMap(({ alpha2, alpha3, ...row }) => (alpha2 && alpha3 ? [{ ...row, ...absent, alpha2, alpha3, status: 'WITHDRAWN' }] : []))
    .toSorted((a, b) => (b.withdrawalDate ?? '').localeCompare(a.withdrawalDate ?? ''));
}

/** The condition for codes in force, unless withdrawn ones are wanted too. */
const inForce = (includeWithdrawn: boolean): { status?: string } => (includeWithdrawn ? {} : { status: 'CURRENT' });

/** The codes of a country, by the column that has them. */
const codeForms = [
  ['alpha2', /^[A-Za-z]{2}$/],
  ['alpha3', /^[A-Za-z]{3}$/],
  ['numeric', /^\d{3}$/],
] as const;

const includeWithdrawn = argument<boolean>(() => Boolean, 'Also return withdrawn codes.', { defaultValue: false });

/** Reference data with as many entries. */
const reference = (size?: number): FieldOptions => ({ roles: anyRole, extensions: { isReference: true, ...(size ? { size } : {}) } });

export const IsoResolver = resolver({
  countries: query(() => [IsoCountry], reference(250))(
    'Countries, sorted by code.',
    { includeWithdrawn },
    async ({ includeWithdrawn }, { context, info }) => {
      const countries = await readCodes(context, info, IsoCountry, inForce(includeWithdrawn), ['alpha3']);
      if (!includeWithdrawn) return countries;
      // A country that an ingest withdrew may be in the list of former ones as well.
      const codesOf = ({ alpha2, alpha3 }: Row): string => `${alpha2} ${alpha3}`;
      const known = new Set(countries.map(codesOf));
      const former = (await readFormer(context, {})).filter((row) => !known.has(codesOf(row)));
      return [...countries, ...former].toSorted((a, b) => String(a.alpha2).localeCompare(String(b.alpha2), 'en'));
    },
  ),
  country: query(() => IsoCountry, { ...reference(), nullable: true })(
    'Country with this code, in force or not; null if no country has it.',
    { code: argument<string>(() => String, 'Two-letter, three-letter or three-digit code.') },
    async ({ code }, { context, info }) => {
      const [column] = codeForms.find(([, form]) => form.test(code)) ?? [];
      if (!column) throw invalid('code', 'code must be an ISO 3166-1 code of two letters, three letters or three digits', 'INVALID_FORMAT');
      // A three-letter or numeric code may have belonged to another country before.
      const find = (includeWithdrawn: boolean): Promise<Row[]> =>
        readCodes(context, info, IsoCountry, { [column]: code.toUpperCase(), ...inForce(includeWithdrawn) });
      return (await find(false))[0] ?? (await find(true))[0] ?? (await readFormer(context, { [column]: code.toUpperCase() }))[0] ?? null;
    },
  ),
  subdivisions: query(() => [IsoSubdivision], reference(100))(
    'Subdivisions of a country, of every level, sorted by code.',
    { country: argument<string>(() => CountryCode, 'Two-letter code of the country.'), includeWithdrawn },
    ({ country, includeWithdrawn }, { context, info }) => {
      if (!/^[A-Za-z]{2}$/.test(country)) throw invalid('country', 'country must be a two-letter ISO 3166-1 code', 'INVALID_FORMAT');
      return readCodes(context, info, IsoSubdivision, { country: country.toUpperCase(), ...inForce(includeWithdrawn) });
    },
  ),
  ingestIso3166: mutation(() => IngestIso3166Payload, { roles: ['MANAGE_CONTENT'] })(
    'Ingests ISO 3166 content in one transaction. Nothing is deleted, and a retry with the same content changes nothing.',
    {
      data: argument<unknown>(
        () => JSONValue,
        'The document, in one of the published shapes (arrays `3166-1`, `3166-2`, `3166-3`; `iso31661`, `iso31662`, `iso31663`; `countries`, `subdivisions`, `former`; an array of countries; countries by code), or an envelope `{ source: { name, version, published_at }, mode: "merge" | "replace", dry_run, force, data }`.',
      ),
    },
    async ({ data }, { context }) => {
      const { services } = context;
      const changed = async (em: EntityManager): Promise<void> => {
        await announceIsoContent(services)(em);
        audit(em, context, null);
        auditRecords(em, [{ id: 'iso_3166' }]);
      };
      const ingestion = await ingest(data, { database: services.database, now: services.clock.now(), changed });
      // The notification reaches this process a moment later, but the next result must show the change already.
      await services.caches.of(isoRegister).refresh();
      return { ingestion };
    },
  ),
});
