// The mutations that emit events, and those that have a reason not to. A mutation in neither list fails, so that a new one cannot forget its event.
import { expect, it } from 'vitest';
import { TOPICS } from '../../src/events/topics.ts';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { isDocument, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { ledgerRecords, orphanTypes, resolvers, resources } from '../../src/registry.ts';

const topics = new Set<string>(TOPICS.map(({ topic }) => topic));

/** Topics by mutation; those of the accounting records follow from the list of records. */
const emitting: Record<string, string[]> = {
  setCustomsCode: ['PRODUCTS.UPDATED', 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE'],
  removeCustomsCode: ['PRODUCTS.UPDATED', 'CUSTOMS_DUTY.CUSTOMS_CODE.UPDATE'],
  cancelImportJob: ['PRODUCTS.IMPORT.FAILED'],
  startProductImport: ['PRODUCTS.IMPORT.COMPLETED', 'PRODUCTS.IMPORT.FAILED'],
  createRegistration: ['REGISTRATIONS.CREATED'],
  createRegistrations: ['REGISTRATIONS.CREATED'],
  verifyTaxId: ['TAX_IDS.VERIFICATION.UPDATED'],
  startRegistration: ['REGISTRATIONS.STATUS.UPDATED'],
  confirmRegistration: ['REGISTRATIONS.STATUS.UPDATED', 'REGISTRATIONS.NEW.SUCCEEDED'],
  rejectRegistration: ['REGISTRATIONS.STATUS.UPDATED', 'REGISTRATIONS.NEW.INVALID'],
  closeRegistration: ['REGISTRATIONS.STATUS.UPDATED'],
  finishValidation: ['REGISTRATIONS.EXISTING.VALIDATION.SUCCEEDED', 'REGISTRATIONS.EXISTING.VALIDATION.FAILED'],
  submitIncorporationForm: ['INCORPORATION_REQUEST.SUBMITTED'],
  requestIncorporationInfo: ['INCORPORATION_REQUEST.NEEDS_ADDITIONAL_INFO'],
  completeIncorporation: ['INCORPORATION_REQUEST.COMPLETED'],
  failIncorporation: ['INCORPORATION_REQUEST.FAILED'],
  addEntityRegistration: ['BUSINESS_ENTITY.REGISTRATION.UPDATED'],
  updateEntityRegistration: ['BUSINESS_ENTITY.REGISTRATION.UPDATED'],
  addGovernmentIdentifier: ['BUSINESS_ENTITY.REGISTRATION.UPDATED'],
  linkIdentifierToRegistration: ['BUSINESS_ENTITY.REGISTRATION.UPDATED'],
  attachAcknowledgement: ['BUSINESS_ENTITY.REGISTRATION.UPDATED'],
  removeAcknowledgement: ['BUSINESS_ENTITY.REGISTRATION.UPDATED'],
  triggerWebhookTest: ['WEBHOOK.TEST'],
  updateWebhook: ['WEBHOOK.DISABLED'],
  createCompany: ['CONNECTION_CHANGED'],
  createConnection: ['CONNECTION_CHANGED', 'CONNECTIONS.CREATED'],
  updateConnection: ['CONNECTION_CHANGED'],
  pauseConnection: ['CONNECTION_CHANGED', 'CONNECTIONS.PAUSED'],
  resumeConnection: ['CONNECTION_CHANGED'],
  syncConnection: [
    'SYNC_STARTED',
    'SYNC_COMPLETED',
    'SYNCS.CONFIRMATION_NEEDED',
    'CONNECTIONS.CONNECTED',
    'CONNECTIONS.NEEDS_REAUTH',
    'CONNECTIONS.ERROR',
  ],
  resolveConflict: ['DATA_MODEL_CHANGES'],
  connectCompany: ['CONNECTION_CHANGED'],
  approveDisconnectRequest: ['CONNECTION_CHANGED', 'CONNECTIONS.DISCONNECTED'],
  requestSync: ['SYNC_STARTED', 'SYNC_COMPLETED'],
  cancelSync: ['SYNC_COMPLETED'],
  confirmSync: ['SYNC_COMPLETED', 'DATA_MODEL_CHANGES'],
  retrySync: ['SYNC_STARTED', 'SYNC_COMPLETED'],
};
for (const record of ledgerRecords) {
  const { many } = namesOf(record);
  const plural = many[0]!.toUpperCase() + many.slice(1);
  for (const action of ['create', 'update', 'upsert', 'delete'])
    for (const name of [action + plural, action + modelOf(record).name]) emitting[name] = ['DATA_MODEL_CHANGES'];
}

for (const record of ledgerRecords.filter(isDocument))
  for (const action of ['add', 'remove']) emitting[`${action}${modelOf(record).name}Attachment`] = ['DATA_MODEL_CHANGES'];

/** What people do on hosted pages, where no mutation is. */
const asked = ['INCORPORATION_REQUEST.LINK_REQUESTED', 'CONNECTIONS.LINK_REQUESTED'];

/** What the gateway itself finds. */
const observed = ['WEBHOOK.FAILING', 'REGISTRATIONS.NEED.UPDATED'];

/** Mutations without an event, grouped by the reason. */
const silent = new Set([
  // The catalogue has no topic for keys. For webhooks it has only topics which say that events do not arrive, because their owner knows the rest.
  'issueAccessKey',
  'revokeAccessKey',
  'rotateAccessKey',
  'createWebhook',
  'deleteWebhook',
  'enableWebhook',
  // Sends existing events again.
  'retryWebhookDelivery',
  'replayWebhookDeliveries',
  // Shared content and the tables behind the rules: they are no records of an organisation.
  'ingestIso3166',
  'ingestHsCodes',
  'ingestCustomsLengths',
  'ingestRegistrationContent',
  // Files, which become records through an import or a sync; those have their events.
  'createFile',
  'importRecords',
  'previewImport',
  'deleteImportedFile',
  // Requests that wait for a decision, and the rejection or cancellation of one, which changes no connection; the approval has its event.
  'createDisconnectRequest',
  'rejectDisconnectRequest',
  'cancelDisconnectRequest',
  // A request before its form is submitted: the catalogue begins with the submission.
  'createIncorporationRequest',
  'reissueIncorporationLink',
  // Changes of a registration that leave its status unchanged; the end of a validation has its event.
  'correctRegistration',
  'correctRegistrations',
  'startValidation',
  'archiveRegistration',
  // The catalogue covers the registrations of an entity, not the entity.
  'upsertBusinessEntity',
  // A name is no record of the source, and a company is removed only after its connection ended, which has its event.
  'updateCompany',
  'removeCompany',
  // A link changes nothing of a connection; what its page stores has its event.
  'createConnectionLink',
]);

// A resource declares its events; the bulk form of a mutation emits what the mutation emits.
const happenings = { CREATED: 'create', UPDATED: 'update', DELETED: 'delete' } as const;
for (const { record, topics: declared } of resources)
  for (const happening of ['CREATED', 'UPDATED', 'DELETED'] as const)
    for (const name of [happenings[happening] + record.name, `${happenings[happening]}${record.name}s`]) {
      const topic = declared.get(happening)?.topic;
      if (topic) emitting[name] = [...(emitting[name] ?? []), topic];
      else silent.add(name);
    }

const mutations = Object.keys(buildGatewaySchema(resolvers, orphanTypes).getMutationType()!.getFields());

it('every mutation has its topics in the catalogue, or is listed as one without', () => {
  expect(mutations.filter((name) => !silent.has(name) && !emitting[name])).toEqual([]);
  expect(mutations.filter((name) => silent.has(name) && emitting[name])).toEqual([]);
  expect([...silent, ...Object.keys(emitting)].filter((name) => !mutations.includes(name))).toEqual([]);
});

it('the topics of the mutations, of the hosted pages and of the gateway itself are those of the catalogue, none missing', () => {
  expect(new Set([...Object.values(emitting).flat(), ...asked, ...observed])).toEqual(topics);
});
