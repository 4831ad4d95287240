// Reading business entities: the listing of registrations with its acknowledgements, government identifiers and signed file links.
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, Info, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import {
  type Projection,
  projectionFor,
  projectionOf,
  projectionWith,
  propOf,
  type Row,
  resolverNeeds,
} from '../../database/reader/projection.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { today } from '../shared/dates.ts';
import { documentLink } from '../shared/document-link.ts';
import { Acknowledgement, BusinessEntity, BusinessEntityRegistration, GovernmentIdentifier } from './business-entity.ts';
import { categoryOf } from './documents.ts';
import { DocumentCategory, DocumentSubType, EntityPurpose, EntityStanding } from './enums.ts';

resolverNeeds('BusinessEntityRegistration', 'registrationStatus', ['storedStanding', 'effectiveEndDate']);
resolverNeeds('BusinessEntityRegistration', 'governmentIdentifiers', ['id', 'organisationId', 'businessEntityId']);
resolverNeeds('Acknowledgement', 'fileUrl', ['fileId']);
resolverNeeds('GovernmentIdentifier', 'linkedRegistrations', ['registrationIds', 'organisationId', 'businessEntityId']);
resolverNeeds('GovernmentIdentifier', 'supportingDocument', ['documentId', 'documentFileId', 'documentFileName', 'documentSubType']);

@ObjectType({ description: 'A registration that uses a government identifier.', simpleResolvers: true })
export class LinkedRegistration {
  @Field(() => String, { description: 'Machine-readable name.' }) internalIdentifier!: string;
  @Field(() => String, { description: 'Name.' }) displayName!: string;
  @Field(() => EntityPurpose.values as never, { description: 'What the registration is for.' }) purpose!: string;
}

@ObjectType({ description: 'A document that proves a government identifier.', simpleResolvers: true })
export class SupportingDocument {
  @Field(() => PositiveInt, { description: 'Number of the document.' }) id!: number;
  @Field(() => String, { description: 'Name of the file.' }) fileName!: string;
  @Field(() => String, { description: 'Link to the file, good for 15 minutes.' }) fileUrl!: string;
  @Field(() => DocumentSubType.values as never, { description: 'Kind.' }) type!: string;
  @Field(() => DocumentCategory.values as never, { description: 'Category.' }) category!: string;
  @Field(() => [String], { description: 'Extensions the file may have, lower case with a leading full stop.' })
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

interface EntityKey {
  organisationId: number;
  businessEntityId: number;
}

const loaders = new WeakMap<RequestContext, Map<Projection, DataLoader<EntityKey, Row[], string>>>();

/** Records of a type that belong to an entity. A DataLoader joins the reads of one level of an answer into one statement per organisation. */
function ofEntity(context: RequestContext, projection: Projection, key: EntityKey): Promise<Row[]> {
  const own = loaders.get(context) ?? new Map<Projection, DataLoader<EntityKey, Row[], string>>();
  loaders.set(context, own);
  const cacheKeyFn = (one: EntityKey): string => `${one.organisationId}:${one.businessEntityId}`;
  const loader = own.get(projection) ?? new DataLoader((keys) => readEntities(context, projection, keys), { cacheKeyFn });
  own.set(projection, loader);
  return loader.load(key);
}

async function readEntities(context: RequestContext, projection: Projection, keys: readonly EntityKey[]): Promise<Row[][]> {
  const { model } = projection;
  const found = new Map<number, Row[]>();
  for (const [organisationId, group] of Map.groupBy(keys, (key) => key.organisationId)) {
    const rows = await context.services.reader.rows({
      projection,
      tenant: { organisationId, companyIds: null },
      where: [{ prop: propOf(model, 'businessEntityId'), operator: 'in', value: group.map((key) => key.businessEntityId) }],
      order: [{ prop: propOf(model, 'id'), descending: false }],
      primary: context.primary,
    });
    for (const [entity, own] of Map.groupBy(rows, (row) => row.businessEntityId as number)) found.set(entity, own);
  }
  return keys.map((key) => found.get(key.businessEntityId) ?? []);
}

let linkedProjection: Projection | undefined;

@Resolver(() => GovernmentIdentifier)
export class GovernmentIdentifierResolver {
  @FieldResolver(() => [LinkedRegistration], { description: 'Registrations of the same entity that use it.' })
  async linkedRegistrations(@Root() row: Row, @Ctx() context: RequestContext): Promise<Row[]> {
    const ids = row.registrationIds as string[];
    linkedProjection ??= projectionOf(modelOf(BusinessEntityRegistration), [
      'id',
      'businessEntityId',
      'internalIdentifier',
      'displayName',
      'purpose',
    ]);
    const all = await ofEntity(context, linkedProjection, row as never);
    return all.filter((one) => ids.includes(one.id as string));
  }

  @FieldResolver(() => SupportingDocument, { nullable: true, description: 'The document that proves it.' })
  supportingDocument(@Root() row: Row, @Ctx() { services }: RequestContext): SupportingDocument | null {
    if (row.documentId === null) return null;
    const type = row.documentSubType as string;
    return {
      id: row.documentId as number,
      fileName: row.documentFileName as string,
      fileUrl: documentLink(services, row.documentFileId as string),
      type,
      category: categoryOf(type),
      fileTypeSpecifiers: FILE_TYPES,
    };
  }
}

@Resolver(() => Acknowledgement)
export class AcknowledgementResolver {
  @FieldResolver(() => String, { description: 'Link to the file, good for 15 minutes.' })
  fileUrl(@Root() row: Row, @Ctx() { services }: RequestContext): string {
    return documentLink(services, row.fileId as string);
  }
}

/** BUSINESS_ENTITY_NOT_FOUND, the same for an unknown number and an entity of another organisation. */
export const unknownEntity = (businessEntityId: number): GatewayError =>
  new GatewayError('BUSINESS_ENTITY_NOT_FOUND', `business entity ${businessEntityId} was not found`, { field: 'businessEntityId' });

async function readEntity(context: RequestContext, projection: Projection, businessEntityId: number): Promise<Row> {
  const row = await context.services.reader.row({
    projection,
    tenant: tenantOf(context),
    where: [{ prop: propOf(projection.model, 'businessEntityId'), operator: 'eq', value: businessEntityId }],
    primary: context.primary,
  });
  if (!row) throw unknownEntity(businessEntityId);
  return row;
}

let existenceProjection: Projection | undefined;

@Resolver(() => BusinessEntityRegistration)
export class BusinessEntityResolver {
  @FieldResolver(() => EntityStanding.values as never, { description: 'Standing at the authority on this day.' })
  registrationStatus(@Root() row: Row, @Ctx() { services }: RequestContext): string {
    const end = row.effectiveEndDate as string | null;
    return row.storedStanding === 'ACTIVE' && end !== null && end < today(services.clock) ? 'EXPIRED' : (row.storedStanding as string);
  }

  @FieldResolver(() => [GovernmentIdentifier], { description: 'Numbers the registration uses.' })
  async governmentIdentifiers(@Root() row: Row, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Row[]> {
    const projection = projectionWith(projectionFor(modelOf(GovernmentIdentifier), lookAhead(info)), [
      'businessEntityId',
      'registrationIds',
    ]);
    const all = await ofEntity(context, projection, row as never);
    return all.filter((one) => (one.registrationIds as string[]).includes(row.id as string));
  }

  @access('ENTITIES')
  @Query(() => BusinessEntity, {
    nullable: true,
    description: 'The business entity with this number. BUSINESS_ENTITY_NOT_FOUND when the caller may see none.',
  })
  businessEntity(
    @Arg('businessEntityId', () => PositiveInt, { description: 'Number of the entity.' }) businessEntityId: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    return readEntity(context, projectionFor(modelOf(BusinessEntity), lookAhead(info)), businessEntityId);
  }

  @access('ENTITIES')
  @Query(() => BusinessEntityRegistrationList, { description: 'The registrations of a business entity, oldest first.' })
  async businessEntityRegistrations(
    @Arg('businessEntityId', () => PositiveInt, { description: 'Number of the entity.' }) businessEntityId: number,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ registrations: Row[]; count: number }> {
    existenceProjection ??= projectionOf(modelOf(BusinessEntity), ['businessEntityId']);
    await readEntity(context, existenceProjection, businessEntityId);
    const model = modelOf(BusinessEntityRegistration);
    const tree = lookAhead(info).fields.get('registrations');
    const registrations = await context.services.reader.rows({
      projection: tree ? projectionFor(model, tree) : projectionOf(model, ['id']),
      tenant: tenantOf(context),
      where: [{ prop: propOf(model, 'businessEntityId'), operator: 'eq', value: businessEntityId }],
      order: [{ prop: propOf(model, 'id'), descending: false }],
      primary: context.primary,
    });
    return { registrations, count: registrations.length };
  }
}
