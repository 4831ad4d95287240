// Files attached to documents: on both endpoints, by upload and by a stored file, with their tenancy, limits, events and removal.
import { beforeAll, describe, expect, it } from 'vitest';
import { systemTransaction } from '../../src/database/transaction.ts';
import { prolongRecording } from '../../src/events/events.statements.ts';
import { MAX_ATTACHMENTS } from '../../src/integrations/attachments/resolver.ts';
import { attachmentRetention } from '../../src/integrations/attachments/retention.ts';
import { isDocument, type LedgerRecord, namesOf } from '../../src/integrations/ledger/ledger-record.ts';
import type { RecordClass } from '../../src/records/metadata.ts';
import { ledgerRecords } from '../../src/registry.ts';
import { entriesOf, execute } from '../support/audit.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, listName, type TestCompany } from '../support/records.ts';

const gateway = useGateway();
let company: TestCompany;
let sibling: TestCompany;
let foreign: TestCompany;

const PDF = Buffer.from('%PDF-1.7 the scan of a bill');
const documents = ledgerRecords.filter(isDocument) as RecordClass<LedgerRecord>[];

async function form(parts: Record<string, string | [name: string, content: Buffer]>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(parts))
    if (typeof value === 'string') body.set(name, value);
    else body.set(name, new Blob([new Uint8Array(value[1])]), value[0]);
  const request = new Request('http://form.invalid', { method: 'POST', body });
  return { raw: new Uint8Array(await request.arrayBuffer()), headers: { 'content-type': request.headers.get('content-type')! } };
}

async function upload(path: string, file: [name: string, content: Buffer], owner = company, more: Record<string, string> = {}) {
  const { raw, headers } = await form({ ...more, file });
  return gateway.send('POST', path, { headers: { ...owner.headers, ...headers }, raw });
}

const send = (method: string, path: string, body?: unknown, owner = company) =>
  gateway.send(method, path, { headers: owner.headers, ...(body === undefined ? {} : { body }) });

/** A new document; the path of its attachments. */
async function document(list = 'bills', owner = company): Promise<{ path: string; id: number }> {
  const made = await send('POST', `${owner.base}/${list}`, { data: { platform_id: crypto.randomUUID() } }, owner);
  expect(made.status, made.text).toBe(201);
  const id = made.body.data.data.ledger_id;
  return { path: `${owner.base}/${list}/${id}/attachments`, id };
}

const listed = async (path: string, owner = company): Promise<Record<string, unknown>[]> =>
  (await send('GET', path, undefined, owner)).body.data;

/** A key of the organisation for one of its companies. */
async function limitedKey(): Promise<string> {
  const { organisation } = (await gateway.services.keys.find(company.key))!;
  return gateway.key(['INTEGRATIONS'], organisation!, [sibling.id]);
}

beforeAll(async () => {
  company = await buildCompany(gateway);
  sibling = await buildCompany(gateway, { key: company.key });
  foreign = await buildCompany(gateway);
});

it('all types of documents have attachments', () => {
  expect(documents.map((target) => namesOf(target).one)).toEqual(
    expect.arrayContaining([
      'invoice',
      'bill',
      'billCreditNote',
      'invoiceCreditNote',
      'expense',
      'payment',
      'journalEntry',
      'purchaseOrder',
    ]),
  );
});

describe.each(documents.map((target) => [namesOf(target).one, target] as const))('%s', (_one, target) => {
  it('an uploaded file is listed, downloaded by a signed link, and taken off again', async () => {
    const { path, id } = await document(listName(target));
    const made = await upload(path, ['scans/Bill 7.pdf', PDF]);
    expect(made.status, made.text).toBe(201);
    expect(made.body.data).toMatchObject({
      company_id: company.id,
      document_type: namesOf(target).dataModel,
      document_id: id,
      name: 'Bill 7.pdf',
      mime_type: 'application/pdf',
      size: PDF.length,
    });
    expect((await listed(path)).map(({ id: own }) => own)).toEqual([made.body.data.id]);
    const download = await fetch(new URL(new URL(made.body.data.url).pathname + new URL(made.body.data.url).search, gateway.origin));
    expect([download.status, Buffer.from(await download.arrayBuffer()).equals(PDF)]).toEqual([200, true]);
    expect(download.headers.get('content-disposition')).toContain('attachment');
    const name = namesOf(target).one;
    const { body } = await gateway.graphql(
      company.key,
      `query ($company: ID!, $id: ID!, $node: ID!) {
         company(id: $company) { ${name}(ledgerId: $id) { attachments { nodes { id name document { __typename } company { name } } } } }
         node(id: $node) { ... on Attachment { mimeType } } }`,
      { company: company.id, id, node: made.body.data.id },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.company[name].attachments.nodes).toEqual([
      { id: made.body.data.id, name: 'Bill 7.pdf', document: { __typename: target.name }, company: { name: expect.any(String) } },
    ]);
    expect(body.data.node).toEqual({ mimeType: 'application/pdf' });
    expect((await send('DELETE', `${path}/${made.body.data.id}`)).status).toBe(204);
    expect(await listed(path)).toEqual([]);
    const again = await send('DELETE', `${path}/${made.body.data.id}`);
    expect([again.status, again.body.error.error_code]).toEqual([404, 'RECORD_NOT_FOUND']);
  });
});

it('a file is attached in GraphQL by its text, and to another document by the stored file', async () => {
  const [bill, invoice] = [await document('bills'), await document('invoices', sibling)];
  const add =
    'mutation ($input: AddBillAttachmentInput!) { addBillAttachment(input: $input) { attachment { id fileId name mimeType url } } }';
  const made = await gateway.graphql(company.key, add, {
    input: { companyId: company.id, id: bill.id, content: 'Received in full', name: 'note.txt' },
  });
  expect(made.body.errors).toBeUndefined();
  const { attachment } = made.body.data.addBillAttachment;
  expect(attachment).toMatchObject({ name: 'note.txt', mimeType: 'text/plain' });
  const linked = await send('PUT', `${invoice.path}/files/${attachment.fileId}`, undefined, sibling);
  expect([linked.status, linked.body.data?.file_id], linked.text).toEqual([201, attachment.fileId]);
  const again = await send('PUT', `${invoice.path}/files/${attachment.fileId}`, undefined, sibling);
  expect(again.body.data.id).toBe(linked.body.data.id);
  expect(await listed(invoice.path, sibling)).toHaveLength(1);
  const unknown = await send('PUT', `${invoice.path}/files/file_00000000000000000000000000`, undefined, sibling);
  expect([unknown.status, unknown.body.error.error_code]).toEqual([404, 'FILE_NOT_FOUND']);
  for (const input of [{}, { content: 'a', name: 'a', fileId: attachment.fileId }]) {
    const refused = await gateway.graphql(company.key, add, { input: { companyId: company.id, id: bill.id, ...input } });
    expect(refused.body.errors[0].extensions.code).toBe('INVALID_PARAMS');
  }
});

it('other organisations, other companies and other documents reach neither attachments nor their files', async () => {
  const [own, other] = [await document(), await document()];
  const made = (await upload(own.path, ['a.pdf', PDF])).body.data;
  const limited = { ...sibling, headers: { api_key: await limitedKey() } };
  const responses = [
    await send('GET', own.path, undefined, foreign),
    await upload(own.path, ['b.pdf', PDF], foreign),
    await send('DELETE', `${own.path}/${made.id}`, undefined, foreign),
    await send('DELETE', `${other.path}/${made.id}`),
    await send('PUT', `${(await document('bills', foreign)).path}/files/${made.file_id}`, undefined, foreign),
    await send('GET', own.path, undefined, limited),
  ];
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 404));
  expect(await listed(own.path)).toHaveLength(1);
  const platform = await gateway.graphql(company.key, 'query ($id: ID!) { node(id: $id) { id } }', { id: made.file_id });
  expect(platform.body.data?.node ?? null).toBeNull();
});

it('what is no document, too large, empty, or one too many is rejected, and nothing is stored', {
  timeout: 120_000,
}, async () => {
  const { path, id } = await document();
  for (const [file, status, code] of [
    [['a.bin', Buffer.from([0, 1, 2, 3])], 415, 'FILE_TYPE_UNSUPPORTED'],
    [['a.pdf', Buffer.concat([PDF, Buffer.alloc(15 * 1_048_576)])], 413, 'FILE_TOO_LARGE'],
    [['a.pdf', Buffer.alloc(0)], 400, 'INVALID_PARAMS'],
  ] as const) {
    const { status: seen, body } = await upload(path, file as [string, Buffer]);
    expect([seen, body.error.error_code]).toEqual([status, code]);
  }
  const json = await send('POST', path, { data: {} });
  expect([json.status, json.body.error.error_code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  expect((await upload(`${company.base}/bills/99999999/attachments`, ['a.pdf', PDF])).status).toBe(404);
  expect((await upload(path, ['first.pdf', PDF])).status).toBe(201);
  await execute(
    gateway,
    `insert into attachment (id, organisation_id, company_id, document_type, document_id, file_id, name, mime_type, size, created_at)
     select id || n, organisation_id, company_id, document_type, document_id, file_id || n, name, mime_type, size, created_at
     from attachment, generate_series(2, $2::int) n where company_id = $3 and document_id = $1`,
    [id, MAX_ATTACHMENTS, company.id],
  );
  expect((await upload(path, ['more.pdf', PDF])).status).toBe(400);
  expect(await listed(`${path}?limit=100`)).toHaveLength(MAX_ATTACHMENTS);
});

it('a change of the attachments is in the audit log, and reported as a change of the document', async () => {
  const { organisationId } = (await gateway.services.keys.find(company.key))!;
  const now = gateway.clock.now();
  await systemTransaction(gateway.services.database, (em) => prolongRecording(em, organisationId!, now, new Date(now.getTime() + 60_000)));
  const { path, id } = await document();
  const { body } = await upload(path, ['a.pdf', PDF]);
  const attachment = body.data.id;
  // The document has the file already.
  for (let time = 0; time < 2; time++) expect((await send('PUT', `${path}/files/${body.data.file_id}`)).body.data.id).toBe(attachment);
  await send('DELETE', `${path}/${attachment}`);
  const entries = (await entriesOf(gateway)).filter(({ record_ids }) => record_ids.includes(attachment));
  expect(entries.map(({ operation }) => operation)).toEqual([expect.stringContaining('ttachment'), expect.stringContaining('ttachment')]);
  const events = await execute<{ operation: string }>(
    gateway,
    `select operation from event where topic = 'DATA_MODEL_CHANGES' and company_id = $1 and subject_id = $2 order by id`,
    [company.id, `bill_${id}`],
  );
  expect(events.map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE', 'UPDATE']);
});

it('files that no document has any more are removed after a week, and those of stored documents stay', async () => {
  const { path, id } = await document();
  const [kept, removed] = [(await upload(path, ['kept.pdf', PDF])).body.data, (await upload(path, ['gone.pdf', PDF])).body.data];
  await send('DELETE', `${path}/${removed.id}`);
  const run = () => systemTransaction(gateway.services.database, (em) => attachmentRetention.batch(em, gateway.services));
  const filesOf = async () => {
    const ids = [[kept.file_id, removed.file_id]];
    const files = await execute<{ name: string }>(gateway, 'select name from stored_file where id = any($1::text[]) order by name', ids);
    const pieces = await execute(gateway, 'select 1 from file_piece where file_id = any($1::text[])', ids);
    return [files.map(({ name }) => name), pieces.length];
  };
  await run();
  expect(await filesOf()).toEqual([['gone.pdf', 'kept.pdf'], 2]);
  gateway.clock.advance(8 * 86_400_000);
  await run();
  expect(await filesOf()).toEqual([['kept.pdf'], 1]);
  // The row of the document goes when its time as a deleted record has passed.
  await execute(gateway, 'delete from bill where company_id = $1 and ledger_id = $2', [company.id, id]);
  await run();
  expect(await filesOf()).toEqual([[], 0]);
});
