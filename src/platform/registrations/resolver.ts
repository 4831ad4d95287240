// Reading sales tax registrations: the list of one corporation, the single read.
import { Ctx, Extensions, Field, FieldResolver, ID, InputType, ObjectType, Resolver, Root } from 'type-graphql';
import { fromUUID } from 'typeid-js';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { conditionsOf, ordersOf, type Where } from '../../database/reader/conditions.ts';
import { needs, projectionFor, projectionWith } from '../../database/reader/projection.ts';
import { argument, query, resolver } from '../../graphql/declared/fields.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { ownProperties, ownRecord } from '../../graphql/own-record.ts';
import { modelOf } from '../../records/metadata.ts';
import { CountryCode, UUID } from '../../records/scalars.ts';
import { Corporation } from '../corporations/corporation.ts';
import { requireCountryCodes } from '../shared/countries.ts';
import { today } from '../shared/dates.ts';
import type { RegistrationType as RegistrationTypeName, StateOf } from '../shared/states.ts';
import { type DatedStatus, shownRegistrationStatus, shownStatusFilter } from './dates.ts';
import { JurisdictionType, RegistrationStatus, RegistrationType, ValidationStatus } from './enums.ts';

import { Registration } from './registration.ts';

const STATUS_NEEDS = ['storedStatus', 'effectiveStartDate', 'effectiveEndDate'] as const;

/** The GraphQL id of a REST registration id. */
export const registrationGlobalId = (registrationId: string): string =>
  fromUUID(registrationId.replace(/[{}]/g, '').toLowerCase(), 'reg').toString();

export const registrationId = argument<string>(() => UUID, '`registrationId` of the registration.');

@InputType({ description: 'Conditions on registrations of a corporation; all must match. Values of a list are alternatives.' })
@Extensions({ trims: true })
export class ListRegistrationsInput {
  @Field(() => ID, { description: 'Corporation that is registered.' }) corporationId!: string;
  @Field(() => [CountryCode], { nullable: true, description: 'Two-letter country codes (ISO 3166-1).' })
  @Extensions({ rules: { maxItems: 250 } })
  countries?: string[] | null;
  @Field(() => [String], { nullable: true, description: 'ISO 3166-2 suffixes.' })
  @Extensions({ rules: { maxItems: 250 } })
  statesOrProvinces?: string[] | null;
  @Field(() => [JurisdictionType.values], { nullable: true, description: 'Levels of government.' }) jurisdictionTypes?: string[] | null;
  @Field(() => String, { nullable: true, description: 'Part of the name of the jurisdiction, case-insensitive.' })
  @Extensions({ rules: { maxLength: 200 } })
  jurisdictionName?: string | null;
  @Field(() => RegistrationType.values, { nullable: true, description: 'Whether it already existed.' })
  registrationType?: RegistrationTypeName | null;
  @Field(() => [RegistrationStatus.values], { nullable: true, description: 'Statuses at the authority.' }) registrationStatus?:
    | string[]
    | null;
  @Field(() => ValidationStatus.values, { nullable: true, description: 'Result of the data check.' })
  validationStatus?: StateOf<'validationStatus'> | null;
  @Field(() => Boolean, { defaultValue: false, description: 'Also return archived ones.' }) includeArchived!: boolean;
}

@ObjectType({ description: 'Registrations of one corporation.', simpleResolvers: true })
export class RegistrationList {
  @Field(() => [Registration], { description: 'The registrations, newest first, at most 1000.' })
  // A third of the longest.
  @Extensions({ size: 350 })
  registrations!: Registration[];
}

const MAX_LISTED = 1_000;

/** A list of alternatives; an empty one allows any value. */
const anyOf = (values: string[] | null | undefined) => (values?.length ? { in: values } : undefined);

const listConditions = (input: ListRegistrationsInput): Where<Registration> => ({
  corporationId: input.corporationId,
  country: anyOf(input.countries),
  stateOrProvince: anyOf(input.statesOrProvinces),
  jurisdictionType: anyOf(input.jurisdictionTypes),
  jurisdictionName: input.jurisdictionName ? { contains: input.jurisdictionName } : undefined,
  registrationType: input.registrationType ?? undefined,
  validationStatus: input.validationStatus ?? undefined,
});

@Resolver(() => Registration)
export class RegistrationStatusResolver {
  @FieldResolver(() => RegistrationStatus.values, { description: 'Current status at the authority.' })
  @needs(Registration, ...STATUS_NEEDS)
  registrationStatus(@Root() row: DatedStatus, @Ctx() { services }: RequestContext): string {
    return shownRegistrationStatus(row, today(services.clock));
  }
}

export const RegistrationResolver = resolver({
  registration: query(() => Registration, { roles: ['PLATFORM'], nullable: true })(
    'Registration with this id. REGISTRATION_NOT_FOUND if you cannot read it.',
    { registrationId },
    ({ registrationId }, { context, info }) => {
      const id = registrationGlobalId(registrationId);
      const scope = { ...scopeOf(context), includeDeleted: true };
      return ownRecord(context, info, Registration, { id }, { id, field: 'registrationId' }, scope);
    },
  ),
  registrations: query(() => RegistrationList, { roles: ['PLATFORM'] })(
    'Registrations of a corporation. CORPORATION_NOT_FOUND if you cannot read it.',
    { input: argument<ListRegistrationsInput>(() => ListRegistrationsInput, 'Corporation, with conditions on its registrations.') },
    async ({ input }, { context, info }) => {
      const { reader, clock } = context.services;
      const { corporationId: id, includeArchived, registrationStatus: statuses } = input;
      requireCountryCodes('input.countries', input.countries);
      await ownProperties(context, Corporation, { id }, ['id'], { id, field: 'input.corporationId' });
      const tree = lookAhead(info).fields.get('registrations');
      if (!tree) return { registrations: [] };
      const model = modelOf(Registration);
      const registrations = await reader.rows({
        ...scopeOf(context),
        includeDeleted: includeArchived,
        projection: projectionWith(projectionFor(model, tree), STATUS_NEEDS),
        where: [...conditionsOf(model, listConditions(input)), ...(statuses?.length ? [shownStatusFilter(statuses, today(clock))] : [])],
        order: ordersOf(model, { by: ['id'], descending: true }),
        limit: MAX_LISTED,
      });
      return { registrations };
    },
  ),
});
