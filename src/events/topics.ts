// The catalogue of events: every topic a webhook can subscribe to, when it is sent and what its `data` holds. The GraphQL enum and the documentation
// are made from it.

export type FieldType = 'string' | 'string or null' | 'integer' | 'object' | 'array of object' | 'boolean' | 'date-time';

export interface EventField {
  name: string;
  type: FieldType;
  description: string;
}

/** What `data` holds whole: a record by the name of its type, whichever accounting record an event names, or what a caller sent. */
export type EventRecord = { type: string } | 'accounting record' | 'any object';

export interface Topic<T extends string = string> {
  topic: T;
  description: string;
  surface: 'platform' | 'integrations';
  /**
   * Fields of the event's `data`, or the record that `data` holds in its REST form, `without` fields that differ at every read. The
   * `data` of a test event is whatever the caller sent.
   */
  data: readonly EventField[] | { record: EventRecord; without?: readonly string[] };
}

/** Subscribes a webhook to every topic, those of later releases included. */
export const ALL_TOPICS = '*';

const field = (name: string, type: FieldType, description: string): EventField => ({ name, type, description });

const ordering = [
  field('sequence', 'integer', 'Position in the order of changes: of two events about a record, the later one has the greater number.'),
  field('previous_etag', 'string or null', 'Version of the record before the change; null for new records and types without versions.'),
];

/** The envelope of an event's body, by surface. `id` equals the `webhook-id` header and is stable over retries. */
export const ENVELOPES: Readonly<Record<Topic['surface'], readonly EventField[]>> = {
  platform: [
    field('id', 'string', 'Identifier of the event, stable over retries.'),
    field('topic', 'string', 'Topic of the event.'),
    field('triggered_at', 'date-time', 'When the change was made.'),
    field('webhook_id', 'string', 'Webhook that the event is delivered to.'),
    field('organization_id', 'string', 'Organisation that the record belongs to.'),
    field('data', 'object', 'Data of the event, as listed under the topic.'),
    field('api_version', 'string', 'Version of the payload.'),
    field('test', 'boolean', 'Whether it is a test event.'),
    ...ordering,
  ],
  integrations: [
    field('id', 'string', 'Identifier of the event, stable over retries.'),
    field('type', 'string', 'Topic of the event.'),
    field('company_id', 'integer', 'Company that the record belongs to.'),
    field('integration_type', 'string', 'Integration that the record came through.'),
    field('data_model', 'string or null', 'Record type, if the event is about a record.'),
    field('operation', 'string or null', 'CREATE, UPDATE or DELETE, if a record changed.'),
    field('created_at', 'date-time', 'When the change was made.'),
    field('data', 'object', 'Data of the event, as listed under the topic.'),
    ...ordering,
  ],
};

const webhookState = [
  field('webhook_id', 'string', 'Webhook that the event is about.'),
  field('url', 'string', 'URL of the webhook.'),
  field('status', 'string', 'State after the change.'),
  field('disabled_reason', 'string or null', 'MANUAL, GONE or FAILING if it was disabled.'),
  field('failing_since', 'string or null', 'Time since which every attempt has failed.'),
];
const registrationIds = [
  field('registration_id', 'string', 'Registration that the event is about.'),
  field('corporation_id', 'string', 'Corporation that the registration belongs to.'),
];
const failures = field('failures', 'array of object', 'Reasons, each with `code` and `message`.');
const statusChange = [
  field('previous', 'string or null', 'Status before the change.'),
  field('current', 'string', 'Status after the change.'),
];
const incorporation = [
  field('incorporation_request_id', 'string', 'Incorporation request that the event is about.'),
  field('corporation_id', 'string or null', 'Resulting corporation, once there is one.'),
];
const platform = <T extends string>(topic: T, description: string, data: Topic['data']): Topic<T> => ({
  topic,
  description,
  surface: 'platform',
  data,
});
const integrations = <T extends string>(topic: T, description: string, data: Topic['data']): Topic<T> => ({
  topic,
  description,
  surface: 'integrations',
  data,
});
const importJob = { record: { type: 'ImportJob' }, without: ['source_file_url', 'error_report_url', 'errors'] } as const;

const connection = [
  field('connection_id', 'string', 'Connection that the event is about.'),
  field('ledger_company_id', 'integer', 'Number of the company.'),
  field('integration_type', 'string', 'Source system of the connection.'),
  field('status', 'string', 'State after the change.'),
  field('status_reason', 'string or null', 'Reason of the state and what to do.'),
  field('status_since', 'date-time', 'Start of the current state.'),
];

const catalogue = [
  platform('REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED', 'The validation of an existing registration succeeded.', registrationIds),
  platform('REGISTRATIONS.EXISTING.VALIDATION.FAILED', 'The validation of an existing registration failed.', [
    ...registrationIds,
    failures,
  ]),
  platform('REGISTRATIONS.NEW.SUCCEEDED', 'A new registration was granted.', registrationIds),
  platform('REGISTRATIONS.NEW.INVALID', 'A new registration was rejected.', registrationIds),
  platform('REGISTRATIONS.CREATED', 'A registration was created.', [...registrationIds, ...statusChange]),
  platform('REGISTRATIONS.STATUS.UPDATED', 'The status of a registration changed.', [...registrationIds, ...statusChange]),
  platform(
    'REGISTRATIONS.NEED.UPDATED',
    'What the sales of the companies of a corporation mean for a registration changed; compared once a day.',
    [
      field('corporation_id', 'string', 'Corporation whose sales they are.'),
      field('registration_content_id', 'string', 'Content id of the registration.'),
      field('jurisdiction', 'string', 'Jurisdiction to register in.'),
      field('previous', 'string', 'Outcome before the change: BELOW, APPROACHING, REACHED, REGISTERED or NOT_COMPARED.'),
      field('current', 'string', 'Outcome after the change.'),
      field('reason', 'string', 'The sales and the threshold as a sentence.'),
    ],
  ),
  platform('TAX_IDS.VERIFICATION.UPDATED', 'The verification of a tax id changed.', [
    field('type', 'string', 'Kind of number, such as DE_VAT.'),
    field('number', 'string', 'The number without separators.'),
    field('previous', 'string', 'State before the change: PENDING, VERIFIED, UNVERIFIED or UNAVAILABLE.'),
    field('current', 'string', 'State after the change.'),
    field('source', 'string', 'Who was asked, such as VIES.'),
    field('checked_at', 'date-time', 'Time of the response of the authority, or of the attempt.'),
    field('name', 'string or null', 'Name of the holder, where the authority gives it.'),
    field('address', 'string or null', 'Address of the holder, where the authority gives it.'),
    field('reference', 'string or null', 'Reference that the authority gave its response.'),
  ]),
  platform('CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE', 'A customs code of a product was set, replaced or removed.', [
    field('product_id', 'string', 'Product with the code.'),
    field('corporation_id', 'string', 'Corporation that the product belongs to.'),
    field('country', 'string', 'Two-letter country code.'),
    field('customs_code', 'string or null', 'The code in digits; null when it was removed.'),
  ]),
  platform('PRODUCTS.CREATED', 'A product was created.', { record: { type: 'Product' } }),
  platform('PRODUCTS.UPDATED', 'A product was changed.', { record: { type: 'Product' } }),
  platform('PRODUCTS.DELETED', 'A product was deleted.', [field('id', 'string', 'Product that was deleted.')]),
  platform('PRODUCTS.IMPORT.COMPLETED', 'A bulk upload of products ended.', importJob),
  platform('PRODUCTS.IMPORT.FAILED', 'A bulk upload of products failed or was cancelled.', importJob),
  platform('CORPORATIONS.CREATED', 'A corporation was created.', { record: { type: 'Corporation' } }),
  platform('CORPORATIONS.UPDATED', 'A corporation was changed.', { record: { type: 'Corporation' } }),
  platform('CORPORATIONS.DELETED', 'A corporation was deleted.', { record: { type: 'Corporation' } }),
  platform('INCORPORATION_REQUEST.SUBMITTED', 'The form of an incorporation request was submitted.', incorporation),
  platform('INCORPORATION_REQUEST.NEEDS_ADDITIONAL_INFO', 'An incorporation request waits for further information.', incorporation),
  platform('INCORPORATION_REQUEST.LINK_REQUESTED', 'The holder of an expired incorporation link requested a new one.', incorporation),
  platform('INCORPORATION_REQUEST.COMPLETED', 'The company was incorporated.', incorporation),
  platform('INCORPORATION_REQUEST.FAILED', 'The company could not be incorporated.', incorporation),
  platform('BUSINESS_ENTITY.REGISTRATION.UPDATED', 'An operator changed a registration of a business entity.', [
    field('business_entity_id', 'integer', 'Business entity that the registration belongs to.'),
    field('registration_id', 'string', 'Changed registration of the entity.'),
  ]),
  platform('WEBHOOK.FAILING', 'All attempts of a webhook failed for an hour; sent once until an attempt succeeds.', webhookState),
  platform(
    'WEBHOOK.DISABLED',
    'A webhook was disabled: by a caller, by a 410 response, or after five days of failed attempts.',
    webhookState,
  ),
  platform('WEBHOOK.TEST', 'A test event was triggered; sent to one webhook only.', { record: 'any object' }),
  integrations('DATA_MODEL_CHANGES', 'A record of a company was created, changed in substance, or deleted.', {
    record: 'accounting record',
  }),
  integrations('CONNECTION_CHANGED', 'A connection of a company was created, changed or ended.', [
    field('ledger_company_id', 'integer', 'Number of the company.'),
    field('integration_type', 'string', 'Source system of the connection.'),
    field('connection_status', 'string', 'ACTIVE, or DISCONNECTED once it has ended.'),
  ]),
  integrations('CONNECTIONS.CREATED', 'A connection to a source system was created.', connection),
  integrations('CONNECTIONS.CONNECTED', 'A run of a connection reached its source, for the first time or again.', connection),
  integrations('CONNECTIONS.NEEDS_REAUTH', 'The source no longer accepts the credentials of a connection.', connection),
  integrations('CONNECTIONS.ERROR', 'A run of a working connection failed; the next one retries.', connection),
  integrations('CONNECTIONS.LINK_REQUESTED', 'The holder of an expired connection link requested a new one.', connection),
  integrations('CONNECTIONS.PAUSED', 'The schedule of a connection was stopped on request.', connection),
  integrations('CONNECTIONS.DISCONNECTED', 'A connection ended; its credentials are destroyed.', connection),
  integrations('SYNC_STARTED', 'A sync began.', { record: { type: 'Sync' } }),
  integrations('SYNC_COMPLETED', 'A sync ended.', { record: { type: 'Sync' } }),
  integrations('SYNCS.CONFIRMATION_NEEDED', 'A full run would delete many records and waits for a confirmation or the next full run.', [
    field('sync_id', 'string', 'Waiting sync.'),
    field('ledger_company_id', 'integer', 'Number of the company.'),
    field('integration_type', 'string', 'Source system of the records.'),
    field('data_models', 'array of object', 'Waiting data models, each with `data_model` and the numbers in `message`.'),
  ]),
] as const satisfies readonly Topic[];

/** The name of a topic in events and webhooks: one of the catalogue, or one that `declareTopic` made. */
export type TopicName = (typeof catalogue)[number]['topic'] | (string & { readonly isDeclared: true });

/** Every topic; those that records declare follow those of the catalogue. */
export const TOPICS: Topic<TopicName>[] = [...catalogue];

/** The GraphQL name of a topic: underscores instead of full stops. */
export const topicEnumName = (topic: string): string => topic.replaceAll('.', '_');
