// Reading business entities: the listing of registrations with its acknowledgements, government identifiers and signed file links.
import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { type ReadScope, type RequestContext, scopeOf } from '../../access/context.ts';
import { needs, projectionFor, projectionOf, type Row } from '../../database/reader/projection.ts';
import { documentLink } from '../../files/document-link.ts';
import { query, recordNumber, resolver } from '../../graphql/declared/fields.ts';
import { listField } from '../../graphql/declared/record-reads.ts';
import { byGroup, LevelLoaders } from '../../graphql/level-loaders.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { ownProperties, ownRecord } from '../../graphql/own-record.ts';
import { modelOf, type StoredRecord } from '../../records/metadata.ts';
import { PositiveInt, URLScalar } from '../../records/scalars.ts';
import { showsSecret } from '../../records/schema-extensions.ts';
import { today } from '../shared/dates.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { categoryOf } from './documents.ts';
import { DocumentCategory, DocumentSubType, EntityPurpose, EntityStanding } from './enums.ts';

@ObjectType({ description: 'A registration that uses a government identifier.', simpleResolvers: true })
export class LinkedRegistration {
  @Field(() => String, { description: 'Machine-readable name.' }) internalIdentifier!: string;
  @Field(() => String, { description: 'Name for people.' }) displayName!: string;
  @Field(() => EntityPurpose.values, { description: 'What the entity needs it for.' }) purpose!: string;
}

@ObjectType({ description: 'Document that proves a government identifier.', simpleResolvers: true })
export class SupportingDocument {
  @Field(() => PositiveInt, { description: 'Number of the document.' }) id!: number;
  @Field(() => String, { description: 'Name of the file.' }) fileName!: string;
  @showsSecret
  @Field(() => URLScalar, { description: 'Link to the file, valid for 15 minutes.' })
  fileUrl!: string;
  @Field(() => DocumentSubType.values, { description: 'Kind of document.' }) type!: string;
  @Field(() => DocumentCategory.values, { description: 'Category of the document.' }) category!: string;
  @Field(() => [String], { description: 'Allowed file extensions, lower case with a leading full stop.' })
  fileTypeSpecifiers!: string[];
}

@ObjectType({ description: 'The registrations of a business entity.', simpleResolvers: true })
export class BusinessEntityRegistrationList {
  @Field(() => [BusinessEntityRegistration], { description: 'The registrations, oldest first.' })
  registrations!: BusinessEntityRegistration[];
  @Field(() => Int, { description: 'Number of registrations.' }) count!: number;
}

/** Extensions that documents of authorities may have. */
const FILE_TYPES = ['.pdf', '.png', '.jpg', '.jpeg'];

type EntityKey = Pick<BusinessEntityRegistration, 'organisationId' | 'businessEntityId'>;

/** Oldest first: ids sort by the time they were made. */
const BY_ID = { by: ['id'] } as const;

const LINKED = ['id', 'businessEntityId', 'internalIdentifier', 'displayName', 'purpose'] as const;
type LinkedRow = StoredRecord<BusinessEntityRegistration, (typeof LINKED)[number]>;

const OF_IDENTIFIER = ['businessEntityId', 'registrationIds'] as const;
type IdentifierRow = Row & StoredRecord<GovernmentIdentifier, (typeof OF_IDENTIFIER)[number]>;

/** The loaders of records of entities: one statement for a level of a response, and organisation. */
const ofEntities = <R extends Pick<EntityKey, 'businessEntityId'>>(
  name: string,
  read: (context: RequestContext, info: GraphQLResolveInfo, businessEntityIds: number[], scope: ReadScope) => Promise<R[]>,
): LevelLoaders<EntityKey, R[]> =>
  new LevelLoaders(name, (context, info, keys) =>
    byGroup(
      keys,
      (key) => key.organisationId,
      async (group) => {
        const ids = [...new Set(group.map((key) => key.businessEntityId))];
        const rows = await read(context, info, ids, scopeOf(context, group[0]!.organisationId));
        const byEntity = Map.groupBy(rows, (row) => row.businessEntityId);
        return group.map((key) => byEntity.get(key.businessEntityId) ?? []);
      },
    ),
  );

const linkedRegistrations = ofEntities<LinkedRow>('linked_registrations', ({ services }, _info, ids, scope) =>
  services.reader.find(BusinessEntityRegistration, { where: { businessEntityId: { in: ids } }, order: BY_ID }, LINKED, scope),
);

const identifiers = ofEntities<IdentifierRow>('government_identifiers', ({ services }, info, ids, scope) => {
  const projection = projectionFor(modelOf(GovernmentIdentifier), lookAhead(info));
  return services.reader.findRows(projection, { where: { businessEntityId: { in: ids } }, order: BY_ID }, scope, OF_IDENTIFIER);
});

type DocumentFields = 'documentId' | 'documentFileId' | 'documentFileName' | 'documentSubType';

@Resolver(() => GovernmentIdentifier)
export class GovernmentIdentifierResolver {
  @FieldResolver(() => [LinkedRegistration], { description: 'Registrations of the entity that use the number.' })
  @needs(GovernmentIdentifier, 'registrationIds', 'organisationId', 'businessEntityId')
  async linkedRegistrations(
    @Root() identifier: EntityKey & Pick<GovernmentIdentifier, 'registrationIds'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<LinkedRegistration[]> {
    const all = await linkedRegistrations.load(context, info, identifier);
    return all.filter(({ id }) => identifier.registrationIds.includes(id));
  }

  @FieldResolver(() => SupportingDocument, { nullable: true, description: 'Document that proves the number.' })
  @needs(GovernmentIdentifier, 'documentId', 'documentFileId', 'documentFileName', 'documentSubType')
  supportingDocument(
    @Root() { documentId, documentFileId, documentFileName, documentSubType }: Pick<GovernmentIdentifier, DocumentFields>,
    @Ctx() { services }: RequestContext,
  ): SupportingDocument | null {
    if (documentId === null) return null;
    return {
      id: documentId,
      fileName: documentFileName!,
      fileUrl: documentLink(services, documentFileId!),
      type: documentSubType!,
      category: categoryOf(documentSubType!),
      fileTypeSpecifiers: FILE_TYPES,
    };
  }
}

@Resolver(() => Acknowledgement)
export class AcknowledgementResolver {
  @showsSecret
  @FieldResolver(() => URLScalar, { description: 'Link to the file, valid for 15 minutes.' })
  @needs(Acknowledgement, 'fileId')
  fileUrl(@Root() { fileId }: Pick<Acknowledgement, 'fileId'>, @Ctx() { services }: RequestContext): string {
    return documentLink(services, fileId);
  }
}

type StandingFields = 'storedStanding' | 'effectiveEndDate';

@Resolver(() => BusinessEntityRegistration)
export class EntityRegistrationResolver {
  @FieldResolver(() => EntityStanding.values, { description: 'Current status at the authority.' })
  @needs(BusinessEntityRegistration, 'storedStanding', 'effectiveEndDate')
  registrationStatus(
    @Root() { storedStanding, effectiveEndDate }: Pick<BusinessEntityRegistration, StandingFields>,
    @Ctx() { services }: RequestContext,
  ): string {
    return storedStanding === 'ACTIVE' && effectiveEndDate !== null && effectiveEndDate < today(services.clock)
      ? 'EXPIRED'
      : storedStanding;
  }

  @FieldResolver(() => [GovernmentIdentifier], { description: 'Government identifiers that the registration uses.' })
  @needs(BusinessEntityRegistration, 'id', 'organisationId', 'businessEntityId')
  async governmentIdentifiers(
    @Root() registration: EntityKey & Pick<BusinessEntityRegistration, 'id'>,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row[]> {
    const all = await identifiers.load(context, info, registration);
    return all.filter(({ registrationIds }) => registrationIds.includes(registration.id));
  }
}

const businessEntityId = recordNumber(() => BusinessEntity, 'Number of the entity.');
const roles = ['ENTITIES'] as const;

export const BusinessEntityResolver = resolver({
  businessEntities: listField(BusinessEntity, { roles, description: 'Business entities of the organisation, newest first.' }),
  businessEntity: query(() => BusinessEntity, { roles, nullable: true })(
    'Business entity with this number. BUSINESS_ENTITY_NOT_FOUND if you cannot read it.',
    { businessEntityId },
    ({ businessEntityId }, { context, info }) =>
      ownRecord(context, info, BusinessEntity, { businessEntityId }, { id: businessEntityId, field: 'businessEntityId' }),
  ),
  businessEntityRegistrations: query(() => BusinessEntityRegistrationList, { roles })(
    'Registrations of a business entity, oldest first.',
    { businessEntityId },
    async ({ businessEntityId }, { context, info }) => {
      const given = { id: businessEntityId, field: 'businessEntityId' };
      await ownProperties(context, BusinessEntity, { businessEntityId }, ['businessEntityId'], given);
      const model = modelOf(BusinessEntityRegistration);
      const tree = lookAhead(info).fields.get('registrations');
      const projection = tree ? projectionFor(model, tree) : projectionOf(model, ['id']);
      const query = { where: { businessEntityId }, order: BY_ID };
      const registrations = await context.services.reader.findRows(projection, query, scopeOf(context));
      return { registrations, count: registrations.length };
    },
  ),
});
