// Sales tax registrations: the record, the list of one corporation, the single read.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Extensions, Field, FieldResolver, ID, Info, InputType, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { fromUUID, toUUID } from 'typeid-js';
import { access } from '../../access/authorise.ts';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { projectionFor, projectionOf, projectionWith, propOf, type Row, resolverNeeds } from '../../database/reader/projection.ts';
import type { Condition } from '../../database/reader/reader.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { exposeNode, Node } from '../../graphql/node.ts';
import { date, derived, enumeration, identifier, ledgerNumber, list, moment, object, record, text } from '../../records/decorators.ts';
import { GatewayError } from '../../records/errors.ts';
import { modelOf } from '../../records/metadata.ts';
import { UUID } from '../../records/scalars.ts';
import { Corporation } from '../corporations/corporation.ts';
import { corporationNotFound } from '../corporations/resolver.ts';
import { today } from '../shared/dates.ts';
import { shownRegistrationStatus } from './dates.ts';
import {
  AutoFilingStatus,
  FilingFrequency,
  JurisdictionType,
  RegisteredBy,
  RegistrationStatus,
  RegistrationType,
  SalesTaxType,
  ValidationStatus,
} from './enums.ts';

const fixed = { required: true, write: 'never' } as const;

@record({
  description: 'A registration of a corporation for an indirect tax in one jurisdiction. It cannot be deleted, only ended.',
  scope: 'organisation',
  key: 'id',
  prefix: 'reg',
  primaryKey: ['id'],
  indexes: [{ name: 'registration_corporation', columns: 'corporation_id, id' }],
  unique: [{ name: 'registration_content_key', columns: 'corporation_id, registration_content_id', where: 'archived_at is null' }],
  deletedAt: 'archivedAt',
  implements: Node,
})
export class Registration {
  @derived(
    () => UUID,
    'The UUID inside the global id; REST paths use it.',
    ['id'],
    (row) => toUUID(row.id!),
    { jsonName: ['id', 'registration_id'] },
  )
  registrationId!: string;
  @derived(
    () => AutoFilingStatus.values,
    'Whether returns are filed automatically; always NOT_FILING at present.',
    [],
    () => 'NOT_FILING',
  )
  autoFilingStatus!: string;
  @derived(
    () => Boolean,
    'Whether it was archived; the corporation can then be registered for the same content again.',
    ['archivedAt'],
    (row) => row.archivedAt !== null,
  )
  archived!: boolean;
  @identifier('Global id.', { ...fixed, rest: 'never' }) id!: string;
  @ledgerNumber('Organisation that owns the registration.', { ...fixed, hidden: true }) organisationId!: number;
  @identifier('Corporation that is registered.', fixed) corporationId!: string;
  @identifier('Content entry the registration was made from.', fixed) registrationContentId!: string;
  @identifier('Jurisdiction.', fixed) jurisdictionId!: string;
  @enumeration(JurisdictionType, 'Level of government.', fixed) jurisdictionType!: string;
  @text('Name of the jurisdiction.', fixed) jurisdictionName!: string;
  @text('Country, two letters; null for a bloc.') country!: string | null;
  @text('ISO 3166-2 suffix of the sub-division.') stateOrProvince!: string | null;
  @list(() => SalesTaxType.values, 'Tax types it covers; null where they follow from the parent jurisdiction.') taxTypes!: string[] | null;
  @enumeration(FilingFrequency, 'How often returns are due.') frequency!: string | null;
  @enumeration(RegistrationType, 'Whether it existed before it was recorded here.', fixed) registrationType!: string;
  @enumeration(RegistrationStatus, 'Standing at the authority as last written; the days of effect are applied when it is read.', {
    ...fixed,
    hidden: true,
  })
  storedStatus!: string;
  @enumeration(ValidationStatus, 'Whether the data were checked.', fixed) validationStatus!: string;
  @date('First day of effect.') effectiveStartDate!: string | null;
  @date('Last day of effect.') effectiveEndDate!: string | null;
  @text('Number the authority assigned.') taxRegistrationId!: string | null;
  @object('Answers to the questions of the authority.', fixed) inputValues!: Record<string, unknown>;
  @enumeration(RegisteredBy, 'Who made it.', fixed) registeredBy!: string;
  @text('Portal of the authority, as given.') portalId!: string | null;
  @text('Reference to a login stored elsewhere, as given.') credentialId!: string | null;
  @text('Address authorities write to.') emailAlias!: string | null;
  @moment('When it was created.', fixed) createdAt!: string;
  @moment('When it last changed.', fixed) updatedAt!: string;
  @moment('When it was archived.', { hidden: true }) archivedAt!: string | null;
}
exposeNode('Registration', 'PLATFORM');
const STATUS_NEEDS = ['storedStatus', 'effectiveStartDate', 'effectiveEndDate'];
resolverNeeds('Registration', 'registrationStatus', STATUS_NEEDS);

/** The GraphQL id of a REST registration id. */
export const registrationGlobalId = (registrationId: string): string =>
  fromUUID(registrationId.replace(/[{}]/g, '').toLowerCase(), 'reg').toString();

/** REGISTRATION_NOT_FOUND, the same for an unknown id and a registration of another organisation. */
export const unknownRegistration = (registrationId: string): GatewayError =>
  new GatewayError('REGISTRATION_NOT_FOUND', `registration ${registrationId} was not found`, { field: 'registrationId' });

/** A registration as one organisation sees it. */
export async function readRegistration(
  context: RequestContext,
  organisationId: number,
  id: string,
  tree: ReturnType<typeof lookAhead>,
): Promise<Row | undefined> {
  const model = modelOf(Registration);
  return context.services.reader.row({
    projection: projectionFor(model, tree),
    tenant: { organisationId, companyIds: null },
    where: [{ prop: propOf(model, 'id'), operator: 'eq', value: id }],
    includeDeleted: true,
    primary: context.primary,
  });
}

@InputType({ description: 'Which registrations of a corporation to return; conditions must all hold, values of a list are alternatives.' })
@Extensions({ trims: true })
export class ListRegistrationsInput {
  @Field(() => ID, { description: 'The corporation.' }) corporationId!: string;
  @Field(() => [String], { nullable: true, description: 'Countries, two letters.' }) @Extensions({ rules: { maxItems: 250 } }) countries?:
    | string[]
    | null;
  @Field(() => [String], { nullable: true, description: 'ISO 3166-2 suffixes.' })
  @Extensions({ rules: { maxItems: 250 } })
  statesOrProvinces?: string[] | null;
  @Field(() => [JurisdictionType.values as never], { nullable: true, description: 'Levels of government.' }) jurisdictionTypes?:
    | string[]
    | null;
  @Field(() => String, { nullable: true, description: 'Part of the name of the jurisdiction, in any case.' })
  @Extensions({ rules: { maxLength: 200 } })
  jurisdictionName?: string | null;
  @Field(() => RegistrationType.values as never, { nullable: true, description: 'Whether it existed before.' }) registrationType?:
    | string
    | null;
  @Field(() => [RegistrationStatus.values as never], { nullable: true, description: 'Standings at the authority.' }) registrationStatus?:
    | string[]
    | null;
  @Field(() => ValidationStatus.values as never, { nullable: true, description: 'Whether the data were checked.' }) validationStatus?:
    | string
    | null;
  @Field(() => Boolean, { defaultValue: false, description: 'Also return archived ones.' }) includeArchived!: boolean;
}

@ObjectType({ description: 'Registrations of one corporation.', simpleResolvers: true })
export class RegistrationList {
  @Field(() => [Registration], { description: 'The registrations, newest first, at most 1000.' }) registrations!: Registration[];
}

const MOST_LISTED = 1_000;

/** Fails unless the caller has a live corporation of this id. */
async function requireCorporation(context: RequestContext, id: string): Promise<void> {
  const corporation = modelOf(Corporation);
  const where = [{ prop: propOf(corporation, 'id'), operator: 'eq' as const, value: id }];
  const row = await context.services.reader.row({
    projection: projectionOf(corporation, ['id']),
    tenant: tenantOf(context),
    where,
    primary: context.primary,
  });
  if (!row) throw corporationNotFound('input.corporationId');
}

function listConditions(input: ListRegistrationsInput): Condition[] {
  const model = modelOf(Registration);
  const conditions: Condition[] = [];
  const add = (name: string, operator: Condition['operator'], value: unknown): void => {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0) || value === '') return;
    conditions.push({ prop: propOf(model, name), operator, value });
  };
  add('corporationId', 'eq', input.corporationId);
  add('country', 'in', input.countries);
  add('stateOrProvince', 'in', input.statesOrProvinces);
  add('jurisdictionType', 'in', input.jurisdictionTypes);
  add('jurisdictionName', 'contains', input.jurisdictionName);
  add('registrationType', 'eq', input.registrationType);
  add('validationStatus', 'eq', input.validationStatus);
  return conditions;
}

@Resolver(() => Registration)
export class RegistrationResolver {
  @FieldResolver(() => RegistrationStatus.values as never, { description: 'Standing at the authority on this day.' })
  registrationStatus(@Root() row: Row, @Ctx() { services }: RequestContext): string {
    return shownRegistrationStatus(row as never, today(services.clock));
  }

  @access('PLATFORM')
  @Query(() => Registration, {
    nullable: true,
    description: 'The registration with this id. REGISTRATION_NOT_FOUND when the caller may see none.',
  })
  async registration(
    @Arg('registrationId', () => UUID, { description: 'Its `registrationId`.' }) registrationId: string,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row> {
    const row = await readRegistration(context, tenantOf(context).organisationId, registrationGlobalId(registrationId), lookAhead(info));
    if (!row) throw unknownRegistration(registrationId);
    return row;
  }

  @access('PLATFORM')
  @Query(() => RegistrationList, {
    description: 'The registrations of a corporation. CORPORATION_NOT_FOUND when the caller may see no such corporation.',
  })
  async registrations(
    @Arg('input', () => ListRegistrationsInput, { description: 'The corporation, and which of its registrations.' })
    input: ListRegistrationsInput,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<{ registrations: Row[] }> {
    const { reader, clock } = context.services;
    const tenant = tenantOf(context);
    const model = modelOf(Registration);
    await requireCorporation(context, input.corporationId);
    const tree = lookAhead(info).fields.get('registrations');
    if (!tree) return { registrations: [] };
    const rows = await reader.rows({
      projection: projectionWith(projectionFor(model, tree), STATUS_NEEDS),
      tenant,
      where: listConditions(input),
      order: [{ prop: propOf(model, 'id'), descending: true }],
      limit: MOST_LISTED,
      includeDeleted: input.includeArchived,
      primary: context.primary,
    });
    const statuses = input.registrationStatus;
    // The status depends on the day, so it is filtered here and not in SQL.
    const registrations = statuses?.length
      ? rows.filter((row) => statuses.includes(shownRegistrationStatus(row as never, today(clock))))
      : rows;
    return { registrations };
  }
}
