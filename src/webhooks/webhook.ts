// The webhook record: an address for the events of an organisation, and the topics sent there.
import type { Opt } from '@mikro-orm/core';
import { Extensions } from 'type-graphql';
import { DataModel } from '../events/data-model.ts';
import { EventTopic, topicName } from '../events/event.ts';
import { RecordFilters, type RecordFiltersInput, restFilters } from '../events/record-filters.ts';
import { Node } from '../graphql/node.ts';
import { derived, enumeration, identifier, ledgerNumber, list, moment, object, record, text, url, version } from '../records/decorators.ts';
import { defineEnum } from '../records/enums.ts';
import { JSONObject, PositiveInt } from '../records/scalars.ts';
import { showsSecret } from '../records/schema-extensions.ts';

export const WebhookStatus = defineEnum('WebhookStatus', 'Whether events are sent.', {
  ENABLED: 'Events are sent.',
  DISABLED: 'Events are not sent.',
});

export const DisabledReason = defineEnum('WebhookDisabledReason', 'Reason that a webhook was disabled.', {
  MANUAL: 'Disabled by a caller.',
  GONE: 'The receiver responded with 410.',
  FAILING: 'All attempts of five days failed.',
});

/** The only version, as payloads show it. */
export const API_VERSION = 'v1.0';

const set = { required: true, write: 'never' } as const;
const TOPICS =
  'Kinds of event to send: 1 to 50 of the catalogue, or the one value for all. They include those of the integrations API: a webhook belongs to the organisation and gets the events of all its companies, unless `companyIds`, `dataModels` or `filter` narrows it.';

@record({
  description: 'An endpoint that receives events, signed as in the Standard Webhooks specification.',
  scope: 'organisation',
  key: 'id',
  prefix: 'whk',
  deletedAt: 'deletedAt',
  notFound: 'WEBHOOK_NOT_FOUND',
  indexes: [{ name: 'webhook_organisation', columns: 'organisation_id, id', where: 'deleted_at is null' }],
  node: { roles: ['PLATFORM'] },
  companyLimit: { companies: 'company_ids' },
  implements: Node,
})
export class Webhook {
  @version('id', 'updatedAt') etag!: Opt<string>;
  @identifier('Unique id.', set) id!: string;
  @ledgerNumber('Organisation that owns the webhook.', { required: true, hidden: true }) organisationId!: number;
  @url('URL of the receiver: https, on the public internet.', {
    required: true,
    search: true,
    rules: { minLength: 1, maxLength: 2048 },
  })
  url!: string;
  @list(() => EventTopic.values, 'Topics that are sent.', {
    required: true,
    rest: 'never',
    rules: { minItems: 1, maxItems: 50, unique: true },
    createDescription: TOPICS,
    changeDescription: TOPICS,
  })
  topics!: string[];
  @derived(
    () => [String],
    'Topics as written on REST and in payloads.',
    ['topics'],
    ({ topics }: Record<'topics', string[]>) => topics.map(topicName),
  )
  @Extensions({ jsonName: 'topics' })
  topicNames!: Opt<string[]>;
  @list(() => PositiveInt, 'Send only events of these companies; null for all events.', {
    names: 'Company',
    rules: { minItems: 1, maxItems: 100, unique: true },
  })
  companyIds!: number[] | null;
  @list(() => DataModel.values, 'Send only events of these record types; null for all events.', {
    rules: { minItems: 1, maxItems: 50, unique: true },
  })
  dataModels!: string[] | null;
  @object(
    'Records whose events are sent, by record type, as the filters of their lists select them; null for every event. Deletions are sent for every record of these types.',
    { input: () => RecordFilters, rest: 'never' },
  )
  filter!: Opt<Record<string, unknown>> | null;
  @derived(
    () => JSONObject,
    'The filter with the names of REST.',
    ['filter'],
    ({ filter }: Record<'filter', RecordFiltersInput | null>) => filter && restFilters(filter),
    { nullable: true, jsonName: 'filter' },
  )
  filterNames!: Opt<Record<string, unknown> | null>;
  @text('What the webhook is for.', { search: true, rules: { maxLength: 100 } }) name!: string | null;
  @text('Free text.', { search: true, rules: { maxLength: 500 } }) description!: string | null;
  // Never listed: a list that is filtered by a part of a secret confirms guesses at it.
  @text('Prefix and last four characters of the secret.', { ...set, list: 'never' }) secretPreview!: string;
  @showsSecret
  @derived(
    () => String,
    'Signing secret, only in the response of the creation and only if generated; otherwise null.',
    [],
    () => null,
    {
      nullable: true,
      rest: 'select',
    },
  )
  secret!: Opt<string | null>;
  @enumeration(WebhookStatus, 'Whether events are sent.', {
    required: true,
    fallback: 'ENABLED',
    changeDescription: 'Whether events are sent; enabling clears `disabledReason`.',
  })
  status!: string;
  @derived(
    () => String,
    'Version of the payload.',
    [],
    () => API_VERSION,
  )
  apiVersion!: Opt<string>;
  @enumeration(DisabledReason, 'Reason that the webhook was disabled; null while enabled.', { write: 'never' }) disabledReason!:
    | string
    | null;
  @moment('When it was created.', set) createdAt!: Date;
  @moment('When it last changed.', set) updatedAt!: Date;
  @text('Signing secret, encrypted.', { required: true, hidden: true, sealed: ['id'] }) sealedSecret!: string;
  @text('Former secret during a rotation, encrypted.', { hidden: true, sealed: ['id'] }) formerSecret!: string | null;
  @moment('Until when the former secret signs too.', { hidden: true }) formerSecretUntil!: Date | null;
  @moment('Since when every attempt has failed; null after a success.', { hidden: true }) failingSince!: Date | null;
  @moment('When an event reported that it is failing, or was disabled for that; null after a success.', { hidden: true })
  failingReportedAt!: Date | null;
  @moment('When it was deleted.', { hidden: true }) deletedAt!: Date | null;
}
