// Registration content: what can be registered where. The shipped pack is in force until an operator ingests another. Three queries read it.
import { Extensions, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { audit, auditRecords } from '../../access/audit.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import { reason } from '../../administration/operator-transaction.ts';
import { brokenConstraint } from '../../database/errors.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { argument, type FieldOptions, mutation, query, resolver } from '../../graphql/declared/fields.ts';
import { identifier, json, moment, record, text } from '../../records/decorators.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { CountryCode, JSONValue } from '../../records/scalars.ts';
import { CacheKey, Kept, ShortLived } from '../../runtime/caches.ts';
import { requireCountryCodes } from '../shared/countries.ts';
import { checkedValue } from '../shared/payloads.ts';
import { validatePack } from './content/content-pack.ts';
import type { ContentPack, Jurisdiction, RegistrationContent } from './content/content-shape.ts';
import { shippedContentPack } from './content/shipped-content.ts';
import { optionOf, RegistrationInputOptions, RegistrationJurisdictions, RegistrationPortals } from './content-types.ts';
import { JurisdictionType } from './enums.ts';

@record({
  description: 'A registration content pack an operator ingested; the newest one is in force.',
  scope: 'shared',
  key: 'id',
  prefix: 'pack',
  primaryKey: ['id'],
  unique: [{ name: 'registration_content_pack_version_key', columns: 'version' }],
  internal: true,
})
export class RegistrationContentPack {
  @identifier('Identifier, sorted by time of ingest.', { required: true }) id!: string;
  @text('Version the pack gives itself.', { required: true }) version!: string;
  @json('The pack.', { required: true }) pack!: ContentPack;
  @moment('When it was ingested.', { required: true }) createdAt!: Date;
}

/** A pack with its look-up tables. */
export interface Content {
  pack: ContentPack;
  jurisdictions: ReadonlyMap<string, Jurisdiction>;
  entries: ReadonlyMap<string, RegistrationContent>;
}

const indexed = (pack: ContentPack): Content => ({
  pack,
  jurisdictions: new Map(pack.jurisdictions.map((one) => [one.jurisdictionId, one])),
  entries: new Map(pack.content.map((one) => [one.registrationContentId, one])),
});

/** The content that ships with the program, read at its first use. */
const shipped = new CacheKey<Services, Kept<Content>>('shipped_registration_content', () => new Kept(() => indexed(shippedContentPack())));

/** How long a process caches the content; an ingest by another process takes effect here after that. */
const CACHE_MS = 5_000;
const cached = new CacheKey<Services, ShortLived<Content>>('registration_content', () => new ShortLived(CACHE_MS));

/** The content in force. */
export const contentInForce = ({ services }: Pick<RequestContext, 'services'>): Promise<Content> =>
  services.caches.of(cached).get(services.clock.now(), () => readContent(services));

async function readContent(services: Services): Promise<Content> {
  const latest = { where: {}, order: { by: ['id'] as const, descending: true }, limit: 1 };
  const [newest] = await services.reader.find(RegistrationContentPack, latest, ['pack'], { tenant: null });
  return newest ? indexed(newest.pack) : services.caches.of(shipped).get();
}

const CountryList = { rules: { maxItems: 250 } };

@InputType({ description: 'Conditions on jurisdictions; all must match. Values of a list are alternatives.' })
@Extensions({ trims: true })
export class RegistrationJurisdictionFilters {
  @Field(() => [CountryCode], { nullable: true, description: 'Two-letter country codes (ISO 3166-1).' })
  @Extensions(CountryList)
  countries?: string[] | null;
  @Field(() => [JurisdictionType.values], { nullable: true, description: 'Levels of government.' }) types?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Part of the name, case-insensitive.' })
  @Extensions({ rules: { maxLength: 200 } })
  name?: string | null;
}

@InputType({ description: 'Input of `registrationJurisdictions`.' })
export class RegistrationJurisdictionsInput {
  @Field(() => RegistrationJurisdictionFilters, { nullable: true, description: 'Conditions on the jurisdictions; default all.' })
  filters?: RegistrationJurisdictionFilters | null;
}

const IdList = { rules: { minItems: 1, maxItems: 100, unique: true } };

@InputType({ description: 'Requested jurisdictions.' })
export class RegistrationInputOptionFilters {
  @Field(() => [ID], { description: 'Jurisdictions, 1 to 100.' }) @Extensions(IdList) jurisdictionIds!: string[];
}

@InputType({ description: 'Input of `registrationInputOptions`.' })
export class RegistrationInputOptionsInput {
  @Field(() => RegistrationInputOptionFilters, { description: 'Conditions on the result.' }) filters!: RegistrationInputOptionFilters;
}

@InputType({ description: 'Requested content entries.' })
export class RegistrationPortalFilters {
  @Field(() => [ID], { description: 'Content ids, 1 to 100.' }) @Extensions(IdList) registrationContentIds!: string[];
}

@InputType({ description: 'Input of `registrationPortals`.' })
export class RegistrationPortalsInput {
  @Field(() => RegistrationPortalFilters, { description: 'Conditions on the result.' }) filters!: RegistrationPortalFilters;
}

@ObjectType({ description: 'Result of `ingestRegistrationContent`.', simpleResolvers: true })
export class IngestRegistrationContentPayload {
  @Field(() => String, { description: 'Version that is now in force.' }) version!: string;
  @Field(() => Int, { description: 'Number of jurisdictions.' }) jurisdictionCount!: number;
  @Field(() => Int, { description: 'Number of registrations that can be made.' }) contentCount!: number;
}

/** Reference data that is read for each entry of a list. */
const reference = (sizedBy?: string): FieldOptions => ({
  roles: ['PLATFORM'],
  extensions: { isReference: true, ...(sizedBy ? { sizedBy: [sizedBy] } : {}) },
});

export const RegistrationContentResolver = resolver({
  registrationJurisdictions: query(() => RegistrationJurisdictions, reference())(
    'Jurisdictions that offer registrations: governments, and blocs of them.',
    { input: argument<RegistrationJurisdictionsInput>(() => RegistrationJurisdictionsInput, 'Conditions on the jurisdictions.') },
    async ({ input: { filters } }, { context }) => {
      const { countries, types, name } = filters ?? {};
      requireCountryCodes('filters.countries', countries);
      const part = name?.toLowerCase();
      const matches = (one: Jurisdiction): boolean =>
        (!countries?.length || (one.country !== null && countries.includes(one.country))) &&
        (!types?.length || types.includes(one.type)) &&
        (!part || one.name.toLowerCase().includes(part));
      return { jurisdictions: (await contentInForce(context)).pack.jurisdictions.filter(matches) };
    },
  ),
  registrationInputOptions: query(() => RegistrationInputOptions, reference('input.filters.jurisdictionIds'))(
    'Registrations available in jurisdictions, with the questions of each.',
    { input: argument<RegistrationInputOptionsInput>(() => RegistrationInputOptionsInput, 'Jurisdictions to look up.') },
    async ({ input: { filters } }, { context }) => {
      const { pack, jurisdictions } = await contentInForce(context);
      const field = 'filters.jurisdictionIds';
      const options = filters.jurisdictionIds.map((jurisdictionId) => {
        const jurisdiction = jurisdictions.get(jurisdictionId);
        if (!jurisdiction) throw invalid(field, `${field} names ${jurisdictionId}, which is not a jurisdiction`, 'NOT_FOUND');
        const registrations = pack.content.filter((entry) => entry.jurisdictionId === jurisdictionId).map((entry) => optionOf(entry, pack));
        return { jurisdictionId, jurisdictionName: jurisdiction.name, registrations };
      });
      return { options };
    },
  ),
  registrationPortals: query(() => RegistrationPortals, reference('input.filters.registrationContentIds'))(
    'Websites on which authorities take registrations.',
    { input: argument<RegistrationPortalsInput>(() => RegistrationPortalsInput, 'The content entries.') },
    async ({ input: { filters } }, { context }) => {
      const { pack, entries } = await contentInForce(context);
      const wanted = new Set(
        filters.registrationContentIds.flatMap((id) => contentEntry(entries, id, 'filters.registrationContentIds').portalIds),
      );
      return {
        portals: pack.portals.filter((portal) => wanted.has(portal.portalId)).map((portal) => ({ ...portal, credentialFields: [] })),
      };
    },
  ),
  ingestRegistrationContent: mutation(() => IngestRegistrationContentPayload, { roles: ['ADMIN', 'MANAGE_CONTENT'] })(
    'Activates a content pack. Existing registrations keep their values.',
    {
      json: argument<unknown>(() => JSONValue, 'The content pack. Every issue names its path, such as `json.content.0.taxType`.'),
      reason,
    },
    async ({ json, reason }, { context }) => {
      const pack = checkedValue(validatePack(json));
      const { services } = context;
      const id = newId('pack');
      await systemTransaction(services.database, async (em) => {
        em.persist(em.create(RegistrationContentPack, { id, version: pack.version, pack, createdAt: services.clock.now() }));
        audit(em, context, null);
        auditRecords(em, [], reason);
      }).catch((error: unknown) => {
        if (brokenConstraint(error) !== 'registration_content_pack_version_key') throw error;
        throw new GatewayError('RECORD_ALREADY_EXISTS', `version ${pack.version} was ingested before`, { field: 'json' });
      });
      services.caches.of(cached).clear();
      return { version: pack.version, jurisdictionCount: pack.jurisdictions.length, contentCount: pack.content.length };
    },
  ),
});

/** The content entry with this id; REGISTRATION_CONTENT_NOT_FOUND if it does not exist. */
export function contentEntry(entries: Content['entries'], id: string, field = 'registrationContentId'): RegistrationContent {
  const entry = entries.get(id);
  if (!entry)
    throw new GatewayError('REGISTRATION_CONTENT_NOT_FOUND', `${field} names ${id}, which is not registration content`, { field });
  return entry;
}
