// Incorporation requests: the record, its lock and its event.
import type { Opt } from '@mikro-orm/core';
import type { RequestContext } from '../../access/context.ts';
import type { EntityManager } from '../../database/open.ts';
import { emitEvents } from '../../events/events.ts';
import type { TopicName } from '../../events/topics.ts';
import { Node } from '../../graphql/node.ts';
import { type FieldCheck, passed } from '../../records/checked.ts';
import {
  belongsTo,
  country,
  derived,
  enumeration,
  identifier,
  ledgerNumber,
  moment,
  object,
  record,
  text,
  uuid,
  version,
} from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { JSONObject } from '../../records/scalars.ts';
import { BusinessEntity } from '../business-entities/business-entity.ts';
import { countryCode } from '../shared/countries.ts';
import type { StateOf } from '../shared/states.ts';
import { lockRecord } from '../shared/transitions.ts';
import type { IncorporationForm } from './form-rules.ts';

export const IncorporationStatus = defineEnum<StateOf<'incorporationStatus'>>(
  'IncorporationStatus',
  'Status of an incorporation request.',
  {
    NotSubmitted: 'The form has not been filled in.',
    InProgress: 'The form was submitted; the company is being formed.',
    NeedsAdditionalInfo: 'More information is required: submit the form again through a new link.',
    Succeeded: 'The company exists.',
    Failed: 'The company could not be formed.',
  },
);

const set = { required: true, write: 'never' } as const;
const own = { ...set, rest: 'never' } as const;

/** A UUID in the form it is stored in: lower case without braces. */
const companyId: FieldCheck = (_field, value) => passed(String(value).replace(/[{}]/g, '').toLowerCase());

@record({
  description: 'A request to form a company.',
  scope: 'organisation',
  key: 'id',
  prefix: 'inc',
  notFound: 'INCORPORATION_REQUEST_NOT_FOUND',
  listed: true,
  indexes: [{ name: 'incorporation_request_list', columns: 'organisation_id, created_at, id' }],
  node: { roles: ['PLATFORM'] },
  implements: Node,
})
export class IncorporationRequest {
  @version('id', 'updatedAt') etag!: Opt<string>;
  @derived(
    () => JSONObject,
    'State and corporation type, with the country as key.',
    ['country', 'state', 'corporationType'],
    (row) => ({
      [row.country!]: { ...(row.state === null ? {} : { state: row.state }), corporationType: row.corporationType },
    }),
  )
  corporationTypeInfo!: Opt<object>;
  @identifier('Identifier, `inc_…`.', set) id!: string;
  @ledgerNumber('Organisation.', { ...set, hidden: true }) organisationId!: number;
  @uuid('Your own reference for the company.', { required: true, rest: 'never', list: 'indexed', check: companyId }) companyId!: string;
  @country('Two-letter country code (ISO 3166-1).', { required: true, write: 'create', check: countryCode }) country!: string;
  @text('Subdivision of formation, as an ISO 3166-2 suffix.', { write: 'never', rest: 'never' }) state!: string | null;
  @text('Legal form of the company, as requested.', own) corporationType!: string;
  @enumeration(IncorporationStatus, 'Status of the request.', set) status!: StateOf<'incorporationStatus'>;
  @text('Information that an operator still needs.', { write: 'never', rest: 'never', search: true }) note!: string | null;
  @object('Accepted answers of the form.', { write: 'never', rest: 'never' }) answers!: IncorporationForm | null;
  @object('Answers as they were typed so far, unchecked; null while nothing was saved since the last submission.', {
    write: 'never',
    hidden: true,
  })
  draft!: Opt<object> | null;
  @moment('When the form was last submitted.', { write: 'never', rest: 'never' }) submittedAt!: Date | null;
  @moment('When the current form link expires.', { ...own, list: 'scanned' }) linkExpiresAt!: Date;
  @moment('When the holder of an expired link requested a new one; null once a new one exists.', {
    write: 'never',
    rest: 'never',
    list: 'scanned',
  })
  linkRequestedAt!: Date | null;
  @text('Random part of the current form link.', { ...set, hidden: true }) nonce!: string;
  @ledgerNumber('Number of the resulting business entity.', { write: 'never', rest: 'never' }) businessEntityId!: number | null;
  @belongsTo(() => BusinessEntity, 'businessEntityId', { to: 'businessEntityId' }) businessEntity?: BusinessEntity;
  @moment('When it was created.', own) createdAt!: Date;
  @moment('When it last changed.', own) updatedAt!: Date;
}

/** States in which the form can be submitted. */
export const isOpen = (status: string): boolean => status === 'NotSubmitted' || status === 'NeedsAdditionalInfo';

/** The request with this id, locked; INCORPORATION_REQUEST_NOT_FOUND when the organisation of the transaction has none. */
export const lockRequest = (em: EntityManager, id: string): Promise<IncorporationRequest> =>
  lockRecord(em, IncorporationRequest, { id }, { id, field: 'id' });

/** Emits the event that the status of a request changed. */
export const emitIncorporation = (
  em: EntityManager,
  { services }: RequestContext,
  organisationId: number,
  id: string,
  topic: TopicName,
): void =>
  emitEvents(em, { services, organisationId, organisation: null }, [
    { topic, subject: id, data: { incorporation_request_id: id, corporation_id: null } },
  ]);
