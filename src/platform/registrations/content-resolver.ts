// Registration content: what can be registered where. The shipped pack is in force until an operator ingests another. Three queries read it.
import { Arg, Ctx, Extensions, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext } from '../../access/context.ts';
import { reasonArgument, recordOperatorAction } from '../../administration/audit-log.ts';
import { brokenConstraint } from '../../database/errors.ts';
import { executeIn } from '../../database/open.ts';
import { projectionOf, propOf, type Row } from '../../database/reader/projection.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { identifier, json, moment, record, text } from '../../records/decorators.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { newId } from '../../records/ids.ts';
import { modelOf } from '../../records/metadata.ts';
import { JSONValue, LocalDate } from '../../records/scalars.ts';
import { checkedValue } from '../shared/payloads.ts';
import { validatePack } from './content/content-pack.ts';
import type { ContentPack, InputField, Jurisdiction, RegistrationContent } from './content/content-shape.ts';
import { shippedContentPack } from './content/shipped-content.ts';
import { FilingFrequency, InputFieldType, JurisdictionType, SalesTaxType } from './enums.ts';

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
  @json('The pack.', { required: true }) pack!: unknown;
  @moment('When it was ingested.', { required: true }) createdAt!: string;
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

/** How long a process caches the content; an ingest by another process takes effect here after that. */
const CACHE_MS = 5_000;
const cached = new WeakMap<object, { content: Content; until: number }>();
let shipped: Content | undefined;

/** The content in force. */
export async function contentInForce({ services }: RequestContext): Promise<Content> {
  const now = services.clock.now().getTime();
  const known = cached.get(services.database);
  if (known && known.until > now) return known.content;
  const model = modelOf(RegistrationContentPack);
  const newest = await services.reader.row({
    projection: projectionOf(model, ['pack']),
    tenant: null,
    where: [],
    order: [{ prop: propOf(model, 'id'), descending: true }],
    primary: true,
  });
  shipped ??= indexed(shippedContentPack());
  const content = newest ? indexed(newest.pack as ContentPack) : shipped;
  cached.set(services.database, { content, until: now + CACHE_MS });
  return content;
}

@ObjectType({ description: 'A government, or a bloc of them, that registers sellers.', simpleResolvers: true })
export class RegistrationJurisdiction {
  @Field(() => ID, { description: 'Identifier.' }) jurisdictionId!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => JurisdictionType.values as never, { description: 'Level of government.' }) type!: string;
  @Field(() => String, { nullable: true, description: 'Country, two letters; null for a bloc.' }) country!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 3166-2 suffix of the sub-division.' }) stateOrProvince!: string | null;
  @Field(() => ID, { nullable: true, description: 'Jurisdiction this one is part of.' }) parentJurisdictionId!: string | null;
}

@ObjectType({ description: 'Jurisdictions in which registrations are offered.', simpleResolvers: true })
export class RegistrationJurisdictions {
  @Field(() => [RegistrationJurisdiction], { description: 'The jurisdictions.' }) jurisdictions!: RegistrationJurisdiction[];
}

@ObjectType({ description: 'A further tax type that goes with the main one.', simpleResolvers: true })
export class RelatedTaxType {
  @Field(() => SalesTaxType.values as never, { description: 'Tax type.' }) taxType!: string;
  @Field(() => Boolean, { description: 'Whether it may be left out.' }) optional!: boolean;
}

@ObjectType({ description: 'The answer on which a question depends.', simpleResolvers: true })
export class InputFieldDependency {
  @Field(() => String, { description: 'Key of the other question.' }) field!: string;
  @Field(() => JSONValue, { description: 'The answer that makes this question necessary.' }) value!: unknown;
}

@ObjectType({ description: 'A question of the authority; answers go into `inputValues`.', simpleResolvers: true })
export class RegistrationInputField {
  @Field(() => String, { description: 'Key of the answer.' }) key!: string;
  @Field(() => String, { description: 'The question.' }) name!: string;
  @Field(() => InputFieldType.values as never, { description: 'Kind of answer.' }) type!: string;
  @Field(() => Boolean, { description: 'Whether an answer is needed where the question is asked.' }) required!: boolean;
  @Field(() => String, { nullable: true, description: 'Anchored pattern the answer matches.' }) regex!: string | null;
  @Field(() => [String], { description: 'Choices of a select.' }) options!: string[];
  @Field(() => Boolean, { description: 'Whether each registration has an answer of its own.' }) isUniquePerRegistration!: boolean;
  @Field(() => Int, { description: 'Place in the form, from 1.' }) displayOrder!: number;
  @Field(() => InputFieldDependency, { nullable: true, description: 'When the question is asked; always when null.' })
  dependsOn!: InputFieldDependency | null;
}

@ObjectType({ description: 'Registrations of which one is needed first.', simpleResolvers: true })
export class RegistrationPrerequisite {
  @Field(() => [ID], { description: 'Content ids; one of them is enough.' }) anyOf!: string[];
}

@ObjectType({ description: 'A registration that can be made.', simpleResolvers: true })
export class RegistrationOption {
  @Field(() => ID, { description: 'Identifier to create the registration with.' }) registrationContentId!: string;
  @Field(() => String, { description: 'Name.' }) name!: string;
  @Field(() => SalesTaxType.values as never, { description: 'Main tax type.' }) taxType!: string;
  @Field(() => [FilingFrequency.values as never], { description: 'Filing frequencies to choose from.' }) frequencies!: string[];
  @Field(() => [RelatedTaxType], { description: 'Further tax types.' }) relatedTaxTypes!: RelatedTaxType[];
  @Field(() => [RegistrationInputField], { description: 'Questions of the authority.' }) inputFields!: InputField[];
  @Field(() => [RegistrationPrerequisite], { description: 'What must be registered first.' }) prerequisites!: RegistrationPrerequisite[];
  @Field(() => LocalDate, { nullable: true, description: 'Since when the tax exists.' }) effectiveStartDate!: string | null;
}

@ObjectType({ description: 'What can be registered in one jurisdiction.', simpleResolvers: true })
export class JurisdictionOptions {
  @Field(() => ID, { description: 'The jurisdiction.' }) jurisdictionId!: string;
  @Field(() => String, { description: 'Its name.' }) jurisdictionName!: string;
  @Field(() => [RegistrationOption], { description: 'The registrations it offers.' }) registrations!: Row[];
}

@ObjectType({ description: 'What can be registered, by jurisdiction.', simpleResolvers: true })
export class RegistrationInputOptions {
  @Field(() => [JurisdictionOptions], { description: 'One entry per jurisdiction asked for, in that order.' })
  options!: JurisdictionOptions[];
}

@ObjectType({ description: 'A web site on which an authority takes registrations and returns.', simpleResolvers: true })
export class RegistrationPortal {
  @Field(() => ID, { description: 'Identifier.' }) portalId!: string;
  @Field(() => String, { description: 'Name.' }) portalName!: string;
  @Field(() => String, { description: 'Address.' }) portalUrl!: string;
  @Field(() => [String], { description: 'Always empty: logins of authorities are not stored.' }) credentialFields!: string[];
}

@ObjectType({ description: 'Portals of registrations.', simpleResolvers: true })
export class RegistrationPortals {
  @Field(() => [RegistrationPortal], { description: 'Each portal once.' }) portals!: RegistrationPortal[];
}

const CountryList = { rules: { maxItems: 250 } };

@InputType({ description: 'Which jurisdictions to return; conditions must all hold, values of a list are alternatives.' })
@Extensions({ trims: true })
export class RegistrationJurisdictionFilters {
  @Field(() => [String], { nullable: true, description: 'Countries, two letters.' }) @Extensions(CountryList) countries?: string[] | null;
  @Field(() => [JurisdictionType.values as never], { nullable: true, description: 'Levels of government.' }) types?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Part of the name, in any case.' }) @Extensions({ rules: { maxLength: 200 } }) name?:
    | string
    | null;
}

@InputType({ description: 'Input of `registrationJurisdictions`.' })
export class RegistrationJurisdictionsInput {
  @Field(() => RegistrationJurisdictionFilters, { nullable: true, description: 'Which to return; all when absent.' })
  filters?: RegistrationJurisdictionFilters | null;
}

const IdList = { rules: { minItems: 1, maxItems: 100, unique: true } };

@InputType({ description: 'The jurisdictions asked about.' })
export class RegistrationInputOptionFilters {
  @Field(() => [ID], { description: 'Jurisdictions, 1 to 100.' }) @Extensions(IdList) jurisdictionIds!: string[];
}

@InputType({ description: 'Input of `registrationInputOptions`.' })
export class RegistrationInputOptionsInput {
  @Field(() => RegistrationInputOptionFilters, { description: 'What to return.' }) filters!: RegistrationInputOptionFilters;
}

@InputType({ description: 'The content entries asked about.' })
export class RegistrationPortalFilters {
  @Field(() => [ID], { description: 'Content ids, 1 to 100.' }) @Extensions(IdList) registrationContentIds!: string[];
}

@InputType({ description: 'Input of `registrationPortals`.' })
export class RegistrationPortalsInput {
  @Field(() => RegistrationPortalFilters, { description: 'What to return.' }) filters!: RegistrationPortalFilters;
}

@ObjectType({ description: 'Result of `ingestRegistrationContent`.', simpleResolvers: true })
export class IngestRegistrationContentPayload {
  @Field(() => String, { description: 'Version now in force.' }) version!: string;
  @Field(() => Int, { description: 'Number of jurisdictions.' }) jurisdictionCount!: number;
  @Field(() => Int, { description: 'Number of registrations that can be made.' }) contentCount!: number;
}

const optionOf = (entry: RegistrationContent, pack: ContentPack): Row => ({
  ...entry,
  inputFields: [...pack.fieldSets[entry.fieldSet]!].sort((a, b) => a.displayOrder - b.displayOrder),
});

@Resolver()
export class RegistrationContentResolver {
  @access('PLATFORM')
  @Query(() => RegistrationJurisdictions, { description: 'The jurisdictions in which registrations are offered.' })
  async registrationJurisdictions(
    @Arg('input', () => RegistrationJurisdictionsInput, { description: 'Which to return.' }) { filters }: RegistrationJurisdictionsInput,
    @Ctx() context: RequestContext,
  ): Promise<RegistrationJurisdictions> {
    const { countries, types, name } = filters ?? {};
    const part = name?.toLowerCase();
    const matches = (one: Jurisdiction): boolean =>
      (!countries?.length || (one.country !== null && countries.includes(one.country))) &&
      (!types?.length || types.includes(one.type)) &&
      (!part || one.name.toLowerCase().includes(part));
    return { jurisdictions: (await contentInForce(context)).pack.jurisdictions.filter(matches) };
  }

  @access('PLATFORM')
  @Query(() => RegistrationInputOptions, { description: 'What can be registered in jurisdictions, and what each registration asks for.' })
  async registrationInputOptions(
    @Arg('input', () => RegistrationInputOptionsInput, { description: 'The jurisdictions.' }) { filters }: RegistrationInputOptionsInput,
    @Ctx() context: RequestContext,
  ): Promise<RegistrationInputOptions> {
    const { pack, jurisdictions } = await contentInForce(context);
    const options = filters.jurisdictionIds.map((jurisdictionId) => {
      const jurisdiction = jurisdictions.get(jurisdictionId);
      if (!jurisdiction)
        throw invalid(
          'filters.jurisdictionIds',
          `filters.jurisdictionIds names ${jurisdictionId}, which is not a jurisdiction`,
          'NOT_FOUND',
        );
      const registrations = pack.content.filter((entry) => entry.jurisdictionId === jurisdictionId).map((entry) => optionOf(entry, pack));
      return { jurisdictionId, jurisdictionName: jurisdiction.name, registrations };
    });
    return { options };
  }

  @access('PLATFORM')
  @Query(() => RegistrationPortals, { description: 'The web sites on which authorities take registrations.' })
  async registrationPortals(
    @Arg('input', () => RegistrationPortalsInput, { description: 'The content entries.' }) { filters }: RegistrationPortalsInput,
    @Ctx() context: RequestContext,
  ): Promise<RegistrationPortals> {
    const { pack, entries } = await contentInForce(context);
    const wanted = new Set(
      filters.registrationContentIds.flatMap((id) => contentEntry(entries, id, 'filters.registrationContentIds').portalIds),
    );
    return { portals: pack.portals.filter((portal) => wanted.has(portal.portalId)).map((portal) => ({ ...portal, credentialFields: [] })) };
  }

  @access('ADMIN', 'MANAGE_CONTENT')
  @Mutation(() => IngestRegistrationContentPayload, {
    description: 'Puts another content pack in force. Existing registrations keep the values they copied from theirs.',
  })
  async ingestRegistrationContent(
    @Arg('json', () => JSONValue, { description: 'The pack. Every issue names its path, such as `json.content.0.taxType`.' })
    given: unknown,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<IngestRegistrationContentPayload> {
    const pack = checkedValue(validatePack(given));
    const { services } = context;
    const id = newId('pack');
    await systemTransaction(services.database, async (em) => {
      await executeIn(
        em,
        'insert into registration_content_pack (id, version, pack, created_at) values ($1, $2, $3::jsonb, $4::timestamptz)',
        [id, pack.version, JSON.stringify(pack), services.clock.now().toISOString()],
      );
      await recordOperatorAction(em, context, null, { action: 'ingestRegistrationContent', id, reason });
    }).catch((error: unknown) => {
      if (brokenConstraint(error) !== 'registration_content_pack_version_key') throw error;
      throw new GatewayError('RECORD_ALREADY_EXISTS', `version ${pack.version} was ingested before`, { field: 'json' });
    });
    cached.delete(services.database);
    return { version: pack.version, jurisdictionCount: pack.jurisdictions.length, contentCount: pack.content.length };
  }
}

/** The content entry with this id; REGISTRATION_CONTENT_NOT_FOUND when there is none. */
export function contentEntry(entries: Content['entries'], id: string, field = 'registrationContentId'): RegistrationContent {
  const entry = entries.get(id);
  if (!entry)
    throw new GatewayError('REGISTRATION_CONTENT_NOT_FOUND', `${field} names ${id}, which is not registration content`, { field });
  return entry;
}
