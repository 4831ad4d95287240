// Every accepted write of every endpoint has one entry in the audit log, and a rejected one has none. Each mutation and each route is sent with the
// records of an organisation, and its result is compared with what the log holds of its request.
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGatewaySchema } from '../../src/graphql/schema.ts';
import { isDocument, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import { Account } from '../../src/integrations/records/account.ts';
import { modelOf } from '../../src/records/metadata.ts';
import { ledgerRecords, orphanTypes, resolvers } from '../../src/registry.ts';
import { entriesOf, type StoredEntry } from '../support/audit.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { credentialHeader } from '../support/routes.ts';
import { argumentsFor, graphqlOperations, type Operation, type Place, restOperations } from './operations.ts';
import { isCompanion, referenceOf, sampleOf } from './places.ts';
import { callOf } from './requests.ts';
import { buildTenant, freshText, idsOf, type Tenant } from './tenants.ts';

const gateway = useGateway({ webhookAllowPrivate: true });
const schema = buildGatewaySchema(resolvers, orphanTypes);
let tenant: Tenant;

/** The mutations of accounting records are alike; with one round those of one type stand for all. */
const alike = new Set(
  (Number(process.env.SUITE_ROUNDS ?? 1) > 1 ? [] : ledgerRecords)
    .filter((target) => target !== Account)
    .flatMap((target) => {
      const { many } = namesOf(target);
      const nouns = [modelOf(target).name, many[0]!.toUpperCase() + many.slice(1)];
      return ['create', 'update', 'upsert', 'delete'].flatMap((verb) => nouns.map((noun) => verb + noun));
    }),
);

beforeAll(async () => {
  tenant = await buildTenant(gateway, 'Audited', ['CORPORATIONS.UPDATED']);
}, 120_000);

/** The value of a place: an own record, a new text, or a sample. */
async function usual(place: Place): Promise<unknown> {
  const reference = referenceOf(place);
  if (!reference || reference.kind === 'cursor') return sampleOf(place);
  if (reference.kind === 'text') return freshText();
  // The last of them may have been removed by an operation before.
  return idsOf(gateway, tenant, place, reference).then(
    ([id]) => id,
    () => sampleOf(place),
  );
}

interface Outcome {
  title: string;
  isAccepted: boolean;
  entries: StoredEntry[];
}

/** Sends an operation with own records and reports what the log holds of it. */
async function sent(operation: Operation): Promise<Outcome> {
  const values = new Map<string, unknown>();
  const places: Place[] = [];
  // An attachment is a text, or else a stored file.
  const always = (place: Place): boolean => isCompanion(place) || (place.name === 'content' && /Attachment/.test(place.owner));
  const filled = (fill: (place: Place) => unknown) => argumentsFor(operation, { wanted: [], always, fill });
  filled((place) => places.push(place));
  for (const place of places) values.set(place.path.join('.'), await usual(place));
  const call = await callOf(
    operation,
    filled((place) => values.get(place.path.join('.'))),
  );
  const { access } = operation.fields[0]!.extensions as { access: readonly string[] };
  const key = access.length === 1 && access[0] === 'ADMIN' ? ADMIN_TOKEN : tenant.key;
  const headers = { ...call.headers, ...credentialHeader(operation.route?.credential ?? 'bearer', key) };
  const response = await gateway.send(call.method, call.path, { ...call, headers });
  const payload = Object.values((response.body?.data ?? {}) as Record<string, { errors?: unknown[] } | null>)[0];
  const isAccepted = operation.route ? response.status < 300 : !response.body.errors && (payload?.errors ?? []).length === 0;
  return { title: operation.title, isAccepted, entries: await entriesOf(gateway, response.headers.get('x-request-id')!) };
}

/** Bulk forms come after what they need was made once more, and deletions last, because nothing can be written to what they remove. */
const inOrder = (operations: Operation[]): Operation[] =>
  operations.filter(({ kind, fields }) => kind === 'mutation' && !alike.has(fields[0]!.name)).sort((a, b) => rank(a) - rank(b));
const rank = ({ fields: [field] }: Operation): number =>
  2 * ['^(remove|archive|delete|revoke)', '^removeCompany'].filter((name) => new RegExp(name).test(field!.name)).length +
  (field!.extensions.sizedBy ? 1 : 0);

/**
 * Mutations that samples cannot always satisfy, because they need content, a code, a parent, a file, a link or a state. The tests of each use the
 * same transaction.
 */
const unsatisfied = [
  'addGovernmentIdentifier',
  'archiveRegistration',
  'attachAcknowledgement',
  'cancelDisconnectRequest',
  'cancelImportJob',
  'cancelSync',
  'completeIncorporation',
  'confirmRegistration',
  'confirmSync',
  'correctRegistration',
  'correctRegistrations',
  'createConnection',
  'createConnectionLink',
  'createCurrencies',
  'createCurrency',
  'createIncorporationRequest',
  'createLineItem',
  'createVariant',
  'importRecords',
  'ingestHsCodes',
  'ingestIso3166',
  'ingestRegistrationContent',
  'linkIdentifierToRegistration',
  'pauseConnection',
  'previewImport',
  'rejectDisconnectRequest',
  'rejectRegistration',
  'removeCompany',
  'requestIncorporationInfo',
  'resolveConflict',
  'resumeConnection',
  'retrySync',
  'retryWebhookDelivery',
  'startProductImport',
  'startRegistration',
  'submitIncorporationForm',
  'syncConnection',
  'updateConnection',
  'upsertBusinessEntity',
  'upsertCurrencies',
  'upsertCurrency',
  'upsertLineItem',
  'upsertVariant',
  'verifyTaxId',
  ...ledgerRecords.filter(isDocument).map(({ name }) => `remove${name}Attachment`),
];
const accepted = new Set<string>();

describe.each([
  // Each twice: what a call needs may be there only after others.
  ['mutations', graphqlOperations(schema).flatMap((operation) => [operation, operation])],
  ['routes', restOperations(schema)],
] as const)('all %s', (_, operations) => {
  it('an accepted write has one entry, named after its mutation, and a rejected one none', async () => {
    const wrong: string[] = [];
    for (const operation of inOrder([...operations])) {
      const { title, isAccepted, entries } = await sent(operation);
      const name = operation.fields[0]!.name;
      if (entries.length !== (isAccepted ? 1 : 0))
        wrong.push(`${title}: ${isAccepted ? 'accepted' : 'refused'} with ${entries.length} entries`);
      for (const entry of entries) {
        if (entry.operation !== name || entry.record_ids.length === 0) wrong.push(`${title}: ${JSON.stringify(entry)}`);
        accepted.add(name);
      }
    }
    expect(wrong).toEqual([]);
  }, 300_000);
});

it('these calls satisfy every other mutation', () => {
  const all = Object.keys(schema.getMutationType()!.getFields()).filter((name) => !alike.has(name));
  expect(all.filter((name) => !accepted.has(name) && !unsatisfied.includes(name))).toEqual([]);
  expect(accepted.size).toBeGreaterThan(all.length / 2);
});
