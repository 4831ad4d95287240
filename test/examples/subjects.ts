// The records that an operation needs in a state which the demo data does not have, and the values that its rules ask for.
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { isDocument, type LedgerRecord } from '../../src/integrations/ledger/ledger-record.ts';
import { modelOf, type RecordClass } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import type { Tenant } from '../suites/tenants.ts';
import { ADMIN_TOKEN, type Gateway } from '../support/gateway.ts';
import { listName } from '../support/records.ts';

/** Values by `Type.member`, `field.argument` or member alone; undefined leaves a member out. */
export type Given = Readonly<Record<string, unknown>>;

/** A gateway with the records of one organisation. */
export interface World {
  readonly gateway: Gateway;
  readonly tenant: Tenant;
}

/** Runs a mutation as an operator and returns what it returns. */
async function operate<Result>({ gateway }: World, mutation: string): Promise<Result> {
  const response = await gateway.graphql(ADMIN_TOKEN, `mutation { ${mutation} }`);
  return Object.values(response.body.data as Record<string, Result>)[0]!;
}

/** Sends a request as the organisation and returns its `data`. */
async function send<Data>({ gateway, tenant }: World, method: string, path: string, body?: unknown): Promise<Data> {
  const headers = { authorization: `Bearer ${tenant.key}`, api_key: tenant.key };
  const response = await gateway.send(method, path, { headers, body });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
  return (response.body as { data: Data }).data;
}

async function rowsOf({ gateway, tenant }: World, text: string): Promise<Record<string, unknown>[]> {
  return systemTransaction(gateway.services.database, (em) => executeIn(em, text, [tenant.organisationId]));
}

/** Companies and corporations made so far, by gateway: the records of one do not depend on what else has run. */
const made = new WeakMap<Gateway, number>();

function nextNumber({ gateway }: World): number {
  const number = (made.get(gateway) ?? 0) + 1;
  made.set(gateway, number);
  return number;
}

async function newCompany(world: World): Promise<{ companyId: number; name: string }> {
  const name = `Harbour Bakery ${nextNumber(world)}`;
  const { ledger_id: companyId } = await send<{ ledger_id: number }>(world, 'POST', '/v4/core/companies', { data: { name } });
  return { companyId, name };
}

/** A request that has ended and is stored. The second shows that the connection has reported the end of the first. */
async function pastRequest({ gateway, tenant }: World): Promise<Given> {
  await gateway.graphql(tenant.key, 'query OverdueInvoices { viewer { roles } }');
  await gateway.graphql(tenant.key, '{ viewer { roles } }');
  await gateway.storeRequests();
  return { operation: 'OverdueInvoices' };
}

async function newConnection(world: World): Promise<{ companyId: number; id: string; connectionId: string }> {
  const { companyId } = await newCompany(world);
  const { id } = await send<{ id: string }>(world, 'POST', `/v4/core/companies/${companyId}/connections`, { data: { source: 'DEMO' } });
  return { companyId, id, connectionId: id };
}

async function newDisconnectRequest(world: World): Promise<Given> {
  const { companyId } = await newConnection(world);
  const { ledger_id: number } = await send<{ ledger_id: number }>(world, 'POST', '/v4/core/disconnect-requests', {
    data: { company_id: companyId },
  });
  return { id: `disconnect_request_${number}`, ledgerId: number };
}

async function newSync(world: World): Promise<Given> {
  const { companyId } = await newConnection(world);
  const { id } = await send<{ id: string }>(world, 'POST', `/v4/core/companies/${companyId}/syncs`, { data: {} });
  return { id };
}

/** A full run that waits for a confirmation. No work runs here, so the state in which it would wait is stored. */
async function unconfirmedSync(world: World): Promise<Given> {
  const { id } = await newSync(world);
  const message = 'the source no longer shows 41 of 120 CONTACT records; `confirmSync` marks them deleted';
  const ofSync = 'organisation_id = $1 and';
  await rowsOf(world, `update sync set status = 'PENDING_CONFIRMATION', full_sync = true where ${ofSync} id = '${id}'`);
  await rowsOf(
    world,
    `update sync_job set status = 'PENDING_CONFIRMATION', error_message = '${message}', progress = '{"cursor": null, "position": 0, "isListed": true}'
     where ${ofSync} sync_id = '${id}'`,
  );
  return { id, syncId: id };
}

async function newCorporation(world: World): Promise<string> {
  const body = { legal_name: `Harbour Bakery ${nextNumber(world)}, Inc.`, jurisdiction: 'US', state: 'DE' };
  return (await send<{ id: string }>(world, 'POST', '/api/v1/corporations', body)).id;
}

/** What a registration is: sales tax of Alabama. */
const registrationFields = { registrationContentId: 'US_AL_RST', taxTypes: 'RST', effectiveStartDate: '2025-01-01' };

async function newRegistration(world: World, type: 'NEW' | 'EXISTING' = 'NEW'): Promise<{ id: string; registrationId: string }> {
  const { id } = await send<{ id: string }>(world, 'POST', '/api/v1/registrations', {
    corporation_id: await newCorporation(world),
    registration_content_id: 'US_AL_RST',
    tax_types: ['RST'],
    registration_type: type,
    ...(type === 'EXISTING' ? { effective_start_date: '2025-01-01' } : {}),
  });
  return { id, registrationId: id };
}

async function startedRegistration(world: World): Promise<Given> {
  const { id } = await newRegistration(world);
  await operate(world, `startRegistration(input: { id: "${id}" }) { registration { id } }`);
  return { id, registrationId: id, taxRegistrationId: 'R-7654321' };
}

const request = { country: 'US', corporationTypeInfo: { US: { state: 'DE', corporationType: 'CCorp' } } };
const COMPANY = '3f2b1c9e-8d4a-4b6f-9a51-0c7d2e8f6a10';

const ADDRESS = { addressLine1: '1 Main Street', city: 'Dover', state: 'DE', postalCode: '19901', country: 'US' };
const answers = {
  companyNames: ['Harbour Bakery', '', ''],
  businessDescription: 'Bakes and sells bread',
  fiscalYearEnd: '12-31',
  physicalAddress: ADDRESS,
  authorizedShares: 10_000_000,
  optionPoolShares: 1_000_000,
  keyPersons: [{ fullName: 'Ada Lovelace', email: 'ada@example.com', roles: ['DIRECTOR', 'SHAREHOLDER'], shares: 9_000_000 }],
};

/** A request with the key of its signed link. */
async function newIncorporation(world: World): Promise<{ id: string; key: string; country: string; answers: unknown; path: string }> {
  const made = await send<{ id: string; signedFormUrl: string }>(world, 'POST', '/api/v1/incorporation-requests', {
    companyId: COMPANY,
    ...request,
  });
  const link = new URL(made.signedFormUrl);
  return { id: made.id, key: link.searchParams.get('key')!, country: 'US', answers, path: link.pathname + link.search };
}

async function submittedIncorporation(world: World): Promise<Given> {
  const { id, key } = await newIncorporation(world);
  const text =
    'mutation ($input: SubmitIncorporationFormInput!) { submitIncorporationForm(input: $input) { status errors { path message } } }';
  const response = await world.gateway.graphql(ADMIN_TOKEN, text, { input: { id, key, country: 'US', answers } });
  if (response.body.data?.submitIncorporationForm.status === undefined) throw new Error(response.text);
  return {
    id,
    note: 'The second choice of a name is missing.',
    reason: 'The name is taken.',
    entity: { effectiveStartDate: '2025-02-03', registerNumberKey: 'US_STATE_FILE_NUMBER', registerNumber: '7654321' },
  };
}

/** Uploads a file and returns the `data` of the response. */
async function upload<Data>({ gateway, tenant }: World, path: string, name: string, content: string, parts = {}): Promise<Data> {
  const form = new FormData();
  form.set('file', new Blob([content]), name);
  for (const [part, value] of Object.entries<string>(parts)) form.set(part, value);
  const encoded = new Response(form);
  const response = await gateway.send('POST', path, {
    headers: { authorization: `Bearer ${tenant.key}`, api_key: tenant.key, 'content-type': encoded.headers.get('content-type')! },
    raw: new Uint8Array(await encoded.arrayBuffer()),
  });
  if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
  return (response.body as { data: Data }).data;
}

async function productsFile(world: World): Promise<Given> {
  const corporationId = await newCorporation(world);
  const rows = 'sku,name\nKETTLE-1,Kettle\n';
  const { id } = await upload<{ id: string }>(world, '/api/v1/files', 'products.csv', rows, { corporation_id: corporationId });
  return { fileId: id, corporationId };
}

const SCAN = '%PDF-1.7 the scan of a bill';

/** Values of the operations on the attachments of a type of document; each needs one that is there. */
function attachmentSubjects(target: RecordClass<LedgerRecord>): Record<string, (world: World) => Promise<Given>> {
  const { name, table } = modelOf(target);
  const [add, remove] = [`add${name}Attachment`, `remove${name}Attachment`];
  const attached = async (world: World): Promise<{ ledgerId: number; id: string; file_id: string }> => {
    const ofCompany = `organisation_id = $1 and company_id = ${world.tenant.companyId}`;
    const [row] = await rowsOf(world, `select ledger_id from "${table}" where ${ofCompany} order by ledger_id limit 1`);
    // Text in PostgreSQL, which numbers of 64 bits are, and a number in the embedded database.
    const ledgerId = Number(row!.ledger_id);
    const path = `/v4/core/companies/${world.tenant.companyId}/${listName(target)}/${ledgerId}/attachments`;
    return { ...(await upload<{ id: string; file_id: string }>(world, path, 'bill.pdf', SCAN)), ledgerId };
  };
  return {
    [add]: async (world) => {
      const { ledgerId, file_id: fileId } = await attached(world);
      const stored = { [`${add}.fileId`]: fileId, [`Add${name}AttachmentInput.fileId`]: fileId };
      return { ledgerId, ...stored, [`${add}.content`]: SCAN, [`${add}.name`]: 'bill.pdf' };
    },
    [remove]: async (world) => {
      const { ledgerId, id } = await attached(world);
      return { ledgerId, [`${remove}.attachmentId`]: id, [`Remove${name}AttachmentInput.id`]: id };
    },
  };
}

async function newImport(world: World): Promise<Given> {
  const { fileId, corporationId } = await productsFile(world);
  const job = await send<{ job: { id: string } }>(world, 'POST', '/api/v1/products/bulk_upload/csv', {
    file_id: fileId,
    corporation_id: corporationId,
  });
  return { id: job.job.id };
}

async function productWithCode(world: World): Promise<Given> {
  const [product] = await rowsOf(world, 'select id from product where organisation_id = $1 and deleted_at is null order by id limit 1');
  await send(world, 'POST', `/api/v1/products/${product!.id}/customs-code`, { country: 'US', customs_code: '8471.30.0100' }).catch(
    () => {},
  );
  return { id: product!.id, productId: product!.id, country: 'US' };
}

async function newKey(world: World): Promise<Given> {
  const made = await operate<{ accessKey: { id: string } }>(
    world,
    'issueAccessKey(input: { organisationName: "Demo", roles: [PLATFORM] }) { accessKey { id } }',
  );
  return { id: made.accessKey.id };
}

/** A registration and a number of the first business entity. */
async function entityParts(world: World): Promise<Given> {
  const [registration] = await rowsOf(world, 'select id from business_entity_registration where organisation_id = $1 order by id limit 1');
  const [identifier] = await rowsOf(world, 'select id from government_identifier where organisation_id = $1 order by id limit 1');
  return { registrationId: registration!.id, identifierId: identifier!.id };
}

/** Currencies that the demo company does not have. It has at most one record per code, so each operation gets another one. */
const currencies = [
  ['NOK', 'Norwegian krone', 'kr', 0.074],
  ['SEK', 'Swedish krona', 'kr', 0.076],
  ['DKK', 'Danish krone', 'kr', 0.115],
  ['PLN', 'Polish zloty', 'zł', 0.2],
  ['CZK', 'Czech koruna', 'Kč', 0.034],
  ['HUF', 'Hungarian forint', 'Ft', 0.0021],
  ['RON', 'Romanian leu', 'lei', 0.17],
  ['ISK', 'Icelandic krona', 'kr', 0.0058],
].values();
async function currency(): Promise<Given> {
  const [code, name, symbol, exchangeRate] = currencies.next().value!;
  return { code, name, symbol, isBaseCurrency: false, exchangeRate };
}
const registrationInput = async (world: World): Promise<Given> => ({ corporationId: await newCorporation(world), ...registrationFields });
const isoContent = [{ 'alpha-2': 'GB', 'alpha-3': 'GBR', name: 'United Kingdom', numeric: '826' }];

/** What an operation is given besides the demo data, by the field that it runs. */
export const subjects: Readonly<Record<string, Given | ((world: World) => Promise<Given>)>> = {
  requests: pastRequest,
  createConnection: async (world) => ({ companyId: (await newCompany(world)).companyId, settings: undefined, intervalMinutes: 60 }),
  updateConnection: async (world) => ({ ...(await newConnection(world)), intervalMinutes: 120 }),
  pauseConnection: newConnection,
  resumeConnection: async (world) => {
    const made = await newConnection(world);
    await send(world, 'POST', `/v4/core/companies/${made.companyId}/connections/${made.id}/pause`);
    return made;
  },
  createConnectionLink: newConnection,
  syncConnection: newConnection,
  connectCompany: async (world) => ({ companyId: (await newCompany(world)).companyId }),
  createDisconnectRequest: async (world) => ({ companyId: (await newConnection(world)).companyId }),
  approveDisconnectRequest: newDisconnectRequest,
  rejectDisconnectRequest: newDisconnectRequest,
  cancelDisconnectRequest: newDisconnectRequest,
  requestSync: async (world) => ({ companyId: (await newConnection(world)).companyId }),
  cancelSync: newSync,
  confirmSync: unconfirmedSync,
  retrySync: async (world) => {
    const made = await newSync(world);
    await send(world, 'POST', `/v4/core/syncs/${made.id}/cancel`);
    return made;
  },
  removeCompany: async (world) => {
    const { companyId, name } = await newCompany(world);
    const requests = '/v4/core/disconnect-requests';
    const { ledger_id: number } = await send<{ ledger_id: number }>(world, 'POST', requests, { data: { company_id: companyId } });
    await send(world, 'POST', `${requests}/${number}/approve`, { data: {} });
    return { id: companyId, name };
  },
  connector: { source: 'DEMO' },
  importRecords: { dataModel: 'TAX_RATE', file: 'platform_id,name\ntax-1,VAT\n', fileName: 'rates.csv' },
  previewImport: { dataModel: 'TAX_RATE', file: 'platform_id,name,rate\ntax-1,VAT,19\ntax-2,None,zero\n' },
  deleteImportedFile: async (world) => {
    const { companyId } = await newCompany(world);
    const rows = 'platform_id,name\ntax-1,VAT\n';
    const { id } = await upload<{ id: string }>(world, `/v4/core/companies/${companyId}/imports`, 'rates.csv', rows, {
      data_model: 'TAX_RATE',
    });
    return { companyId, id };
  },
  file: async (world) => ({ id: (await productsFile(world)).fileId }),
  createFile: { content: 'sku,name\nKETTLE-1,Kettle\n', name: 'products.csv' },
  createRegistration: registrationInput,
  createRegistrations: registrationInput,
  correctRegistration: async (world) => ({ ...(await newRegistration(world, 'EXISTING')), taxTypes: 'RST', frequency: 'MONTHLY' }),
  correctRegistrations: async (world) => ({ ...(await newRegistration(world, 'EXISTING')), taxTypes: 'RST', frequency: 'MONTHLY' }),
  startRegistration: newRegistration as (world: World) => Promise<Given>,
  confirmRegistration: startedRegistration,
  rejectRegistration: startedRegistration,
  closeRegistration: async (world) => ({ ...(await newRegistration(world, 'EXISTING')), effectiveEndDate: '2025-12-31' }),
  archiveRegistration: (world) => newRegistration(world, 'EXISTING'),
  trialBalance: { asOf: '2026-06-30' },
  profitAndLoss: { from: '2026-01-01', to: '2026-06-30' },
  balanceSheet: { asOf: '2026-06-30' },
  cashFlow: { from: '2026-01-01', to: '2026-06-30' },
  agedReceivables: { asOf: '2026-03-31' },
  agedPayables: { asOf: '2026-03-31' },
  registrationInputOptions: { jurisdictionIds: 'JUR_US_CA' },
  registrationPortals: { registrationContentIds: 'US_CA_RST' },
  registrationsNeeded: { currency: 'USD', jurisdictionId: 'JUR_US_CA', jurisdiction: 'US-CA', amount: 750_000 },
  createIncorporationRequest: { companyId: COMPANY, ...request, corporationType: undefined, state: undefined },
  incorporationForm: newIncorporation as (world: World) => Promise<Given>,
  submitIncorporationForm: newIncorporation as (world: World) => Promise<Given>,
  requestIncorporationInfo: submittedIncorporation,
  completeIncorporation: submittedIncorporation,
  failIncorporation: submittedIncorporation,
  startProductImport: productsFile,
  cancelImportJob: newImport,
  removeCustomsCode: productWithCode,
  rotateAccessKey: newKey,
  revokeAccessKey: newKey,
  upsertBusinessEntity: { organisationName: 'Demo' },
  linkIdentifierToRegistration: entityParts,
  attachAcknowledgement: entityParts,
  ingestHsCodes: { json: ['847130', '090111'] },
  ingestIso3166: { data: isoContent },
  createCurrency: currency,
  createCurrencies: currency,
  upsertCurrency: currency,
  upsertCurrencies: currency,
  ...Object.assign({}, ...ledgerRecords.filter(isDocument).map(attachmentSubjects)),
};
