// Files and product imports: the accepted files, the reports of a job, and that no other organisation sees any of it.
import { beforeAll, describe, expect, it } from 'vitest';
import { fileTasks } from '../../src/files/stored-file.ts';
import { ADMIN_TOKEN, type GatewayResponse, useGateway } from '../support/gateway.ts';
import { type PlatformCaller, pathOfLink, platformCaller } from '../support/platform.ts';
import { recordEvents } from '../support/registrations.ts';

const gateway = useGateway();
const base = '/api/v1';
let caller: PlatformCaller;
let stranger: PlatformCaller;
let corporation: string;
beforeAll(async () => {
  caller = await platformCaller(gateway, base);
  stranger = await platformCaller(gateway, base);
  corporation = await caller.corporation();
});

const start = (fileId: string, more: object = { corporation_id: corporation }): Promise<GatewayResponse> =>
  caller.send('POST', '/products/bulk_upload/csv', { file_id: fileId, ...more });

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
async function ended(jobId: string): Promise<any> {
  for (;;) {
    const { data } = (await caller.send('GET', `/jobs/${jobId}`)).body;
    if (data.completed_at) return data;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into responses by path.
async function importOf(csv: string, more?: object): Promise<any> {
  const file = await caller.upload(csv);
  const started = await start(file.body.data.id, more);
  expect([started.status, started.body.message]).toEqual([200, 'Import started']);
  return ended(started.body.data.job.id);
}

const rows = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');
const products = async (owner: string): Promise<Record<string, unknown>[]> => {
  const found: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const { data } = (
      await caller.send('GET', `/products?corporation_id=${owner}&limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    ).body;
    found.push(...data.products);
    if (data.cursor === '') return found;
    cursor = data.cursor;
  }
};

describe('delimiters', () => {
  it.each([';', '\t'])('a file with cells separated by %j is imported; decimals keep their point', async (delimiter) => {
    const owner = await caller.corporation();
    const file = (weight: string): string =>
      ['\ufeff"sku","name","weight_in_kg"', `A;1,"Kettle, red; 1,5 l",${weight}`]
        .map((line) => line.replaceAll(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, delimiter).replace('A;1', '"A;1"'))
        .join('\r\n');
    const job = await importOf(file('1.5'), { corporation_id: owner });
    expect(job).toMatchObject({ status: 'COMPLETED', created_count: 1 });
    expect(await products(owner)).toMatchObject([{ sku: 'A;1', name: 'Kettle, red; 1,5 l', weight_in_kg: 1.5 }]);
    const refused = await start((await caller.upload(file('"1,5"'))).body.data.id, { corporation_id: owner });
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, 'weight_in_kg']);
  });

  it('an issue of a file names its column on REST, and in GraphQL the argument of the file with the column next to it', async () => {
    const fileId = (await caller.upload('sku;colour\nA;red\n')).body.data.id;
    expect((await start(fileId)).body.error).toMatchObject({ code: 'CSV_HEADER_INVALID', details: [{ field: 'colour' }] });
    const query = 'mutation ($in: StartProductImportInput!) { startProductImport(input: $in) { job { id } } }';
    const response = await gateway.graphql(caller.key, query, { in: { fileId, corporationId: corporation } });
    expect(response.body.errors[0].extensions).toMatchObject({
      code: 'CSV_HEADER_INVALID',
      field: 'input.fileId',
      details: [{ field: 'input.fileId', column: 'colour' }],
    });
  });
});

describe('files', () => {
  it('POST /files stores a CSV file; its name is never used as a path', async () => {
    const response = await caller.upload('name\nA\n', {
      name: '../../etc/pässe.csv',
      parts: { corporation_id: corporation, purpose: 'PRODUCT_IMPORT' },
    });
    expect([response.status, response.body.message]).toEqual([200, 'File stored']);
    expect(response.body.data).toMatchObject({
      name: 'pässe.csv',
      size: 7,
      mime_type: 'text/csv',
      purpose: 'PRODUCT_IMPORT',
      corporation_id: corporation,
    });
    expect(response.body.data.id).toMatch(/^file_[0-9a-z]{26}$/);
  });

  it('a document is stored with the type of its content', async () => {
    const response = await caller.upload('%PDF-1.7 \u0001', { name: 'proof.pdf', parts: { purpose: 'SUPPORTING_DOCUMENT' } });
    expect(response.body.data).toMatchObject({ mime_type: 'application/pdf', purpose: 'SUPPORTING_DOCUMENT' });
    expect((await start(response.body.data.id)).body.error.code).toBe('FILE_NOT_FOUND');
  });

  const refused: [string, string | Uint8Array, object, number, string, string][] = [
    ['an empty file', '', {}, 400, 'INVALID_PARAMS', 'file'],
    ['a workbook', 'PK\u0003\u0004abc', {}, 415, 'FILE_TYPE_UNSUPPORTED', 'file'],
    ['text in another encoding', new Uint8Array([0x6e, 0xfc, 0x0a]), {}, 415, 'FILE_TYPE_UNSUPPORTED', 'file'],
    ['a NUL character far into the file', `${'a\n'.repeat(300_000)}\u0000`, {}, 415, 'FILE_TYPE_UNSUPPORTED', 'file'],
    ['15 MB and one byte', 'x'.repeat(15 * 1_048_576 + 1), {}, 413, 'FILE_TOO_LARGE', 'file'],
    ['an unknown part', 'name\nA\n', { parts: { colour: 'red' } }, 400, 'INVALID_PARAMS', 'colour'],
    ['an unknown purpose', 'name\nA\n', { parts: { purpose: 'FUN' } }, 400, 'INVALID_PARAMS', 'purpose'],
    ['an unknown corporation', 'name\nA\n', { parts: { corporation_id: 'corp_x' } }, 400, 'CORPORATION_NOT_FOUND', 'corporation_id'],
  ];
  it.each(refused)('POST /files rejects %s and stores nothing of it', async (_, content, options, status, code, field) => {
    const stored = async (): Promise<unknown> =>
      gateway.services.database.orm.em
        .getConnection()
        .execute('select (select count(*) from stored_file) as files, (select count(*) from file_piece) as pieces');
    const before = await stored();
    const response = await caller.upload(content, options);
    expect([response.status, response.body.error.code, response.body.error.details[0].field]).toEqual([status, code, field]);
    expect(await stored()).toEqual(before);
  });

  it.each([
    [
      'a second file',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\ny\r\n--b--\r\n',
      400,
    ],
    ['no file', '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nPRODUCT_IMPORT\r\n--b--\r\n', 400],
    ['a file without a name', '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n', 400],
    ['a body that ends early', '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx', 400],
  ])('POST /files rejects %s', async (_, raw, status) => {
    const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'multipart/form-data; boundary=b' };
    expect((await gateway.send('POST', `${base}/files`, { headers, raw })).status).toBe(status);
  });

  it('POST /files takes multipart/form-data only', async () => {
    expect((await caller.send('POST', '/files', { file: 'x' })).status).toBe(415);
  });

  it('createFile on /graphql takes the content as text', async () => {
    const query =
      'mutation($content: Upload!) { createFile(input: { content: $content, name: "p.csv" }) { file { id name size mimeType } } }';
    const { file } = (await gateway.graphql(caller.key, query, { content: 'name\nA\n' })).body.data.createFile;
    expect(file).toMatchObject({ name: 'p.csv', size: 7, mimeType: 'text/csv' });
    const read = await gateway.graphql(stranger.key, 'query($id: ID!) { file(id: $id) { id } }', { id: file.id });
    expect(read.body.errors[0].extensions.code).toBe('FILE_NOT_FOUND');
  });

  it('an unused file is unknown after seven days and then removed; a used one stays', async () => {
    const [unused, used] = [await caller.upload('name\nA\n'), await caller.upload('name\nA\n')].map((response) => response.body.data.id);
    await ended((await start(used)).body.data.job.id);
    gateway.clock.advance(7 * 86_400_000 + 1_000);
    expect((await start(unused)).body.error.code).toBe('FILE_NOT_FOUND');
    const { database, queue } = gateway.services;
    const [owner] = await database.orm.em
      .getConnection()
      .execute<{ organisation_id: string }[]>('select organisation_id from stored_file where id = ?', [used]);
    const organisationId = Number(owner!.organisation_id);
    for (const fileId of [unused, used]) {
      const job = { id: 'x', attempt: 0, signal: new AbortController().signal, queue, completeIn: async () => {} };
      await fileTasks(gateway.services)[0]!.handler({ organisationId, fileId }, job);
    }
    const left = await database.orm.em.getConnection().execute('select id from stored_file where id in (?, ?)', [unused, used]);
    expect(left).toEqual([{ id: used }]);
  });
});

describe('imports', () => {
  it('valid rows are applied although others fail; the job counts the failures and shows their reasons', async () => {
    const own = await caller.corporation();
    const csv = `name,sku,customs_code_US,description\n${rows(20, (index) => `Name ${index},s${index},8471.30.0100,"line one\nline two"`)}again,s3,,\n=cmd(),,12,\n\nlast,s-last,,\n`;
    const job = await importOf(csv, { corporation_id: own });
    expect(job).toMatchObject({
      entity: 'PRODUCT',
      operation: 'IMPORT',
      status: 'COMPLETED_WITH_ERRORS',
      corporation_id: own,
      total_rows: 23,
      processed_rows: 23,
      created_count: 21,
      updated_count: 0,
      unchanged_count: 0,
      failed_count: 2,
    });
    expect(job.errors).toEqual([
      { row: 42, column: 'sku', code: 'DUPLICATE', message: 'sku repeats row 8, and only the first is imported', value: 's3' },
      {
        row: 43,
        column: 'customs_code_us',
        code: 'OUT_OF_RANGE',
        message: 'customs_code_us for US must have 6, 8, 10 digits, it has 2',
        value: '12',
      },
    ]);
    const stored = await products(own);
    expect(stored).toHaveLength(21);
    expect(stored.find((one) => one.sku === 's0')).toMatchObject({
      name: 'Name 0',
      tax_code: 'TPP',
      description: 'line one\nline two',
      customs_jurisdiction_details: { US: '8471300100' },
    });
  });

  it('the error report has the rejected rows, safe for spreadsheets; the source file comes back byte for byte; links are signed and expire', async () => {
    const csv = `\uFEFFName, SKU \r\n${rows(20, (index) => `n${index},k${index}`)}"=1+1, 2",k1\r\n+a,${'x'.repeat(129)}\r\n`;
    const job = await importOf(csv);
    const report = await gateway.send('GET', pathOfLink(job.error_report_url));
    expect(report.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(report.text).toBe(
      `Name, SKU ,error\r\n"'=1+1, 2",k1,"sku: sku repeats row 3, and only the first is imported"\r\n'+a,${'x'.repeat(129)},"sku: sku must have at most 128 characters, it has 129"\r\n`,
    );
    const source = await fetch(gateway.origin + pathOfLink(job.source_file_url));
    expect(Buffer.from(await source.arrayBuffer()).equals(Buffer.from(csv))).toBe(true);
    const path = pathOfLink(job.source_file_url);
    expect(
      (
        await gateway.send(
          'GET',
          path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        )
      ).status,
    ).toBe(404);
    expect((await gateway.send('GET', path.replace(/expires=\d+/, 'expires=9999999999'))).status).toBe(404);
    gateway.clock.advance(16 * 60_000);
    expect((await gateway.send('GET', path)).status).toBe(404);
  });

  it('a second import updates by sku, leaves empty cells, removes codes by a hyphen, and counts what did not change', async () => {
    const own = await caller.corporation();
    const more = { corporation_id: own };
    await importOf('sku,name,weight_in_kg,customs_code_US,customs_code_DE\na,A,1.5,847130,847130\nb,B,2,847130,\n', more);
    const job = await importOf('sku,name,weight_in_kg,customs_code_US,customs_code_DE\na,,3,-,\nb,B,2,,\nc,C,,,\n', more);
    expect(job).toMatchObject({
      status: 'COMPLETED',
      created_count: 1,
      updated_count: 1,
      unchanged_count: 1,
      failed_count: 0,
      error_report_url: null,
    });
    expect((await products(own)).find((one) => one.sku === 'a')).toMatchObject({
      name: 'A',
      weight_in_kg: 3,
      customs_jurisdiction_details: { DE: '847130' },
    });
  });

  it('rows without a sku match by source and its id; protected columns change only on request', async () => {
    const own = await caller.corporation();
    const more = { corporation_id: own };
    await importOf('sku,name,source_platform,source_platform_id\na,A,SHOPIFY,1\n,B,SHOPIFY,2\n', more);
    const job = await importOf('sku,name,source_platform,source_platform_id\na,A,XERO,9\n,B2,SHOPIFY,2\n', more);
    expect(job).toMatchObject({ status: 'COMPLETED', created_count: 0, updated_count: 1, unchanged_count: 1 });
    await importOf('sku,source_platform,source_platform_id\na,XERO,9\n', { ...more, update_protected_columns: true });
    const stored = await products(own);
    expect(
      stored.map(({ sku, name, source_platform, source_platform_id }) => [sku, name, source_platform, source_platform_id]).sort(),
    ).toEqual([
      [null, 'B2', 'SHOPIFY', '2'],
      ['a', 'A', 'XERO', '9'],
    ]);
  });

  it('a row with the source id of another product is rejected', async () => {
    const own = await caller.corporation();
    const more = { corporation_id: own, update_protected_columns: true };
    await importOf('sku,source_platform,source_platform_id\na,SHOPIFY,1\nb,SHOPIFY,2\n', more);
    const job = await importOf('sku,source_platform,source_platform_id\na,SHOPIFY,2\nc,SHOPIFY,1\n', more);
    expect(job).toMatchObject({ status: 'FAILED', processed_rows: 2, failed_count: 2 });
    expect(job.errors.map((error: { column: string; code: string }) => [error.column, error.code])).toEqual([
      ['source_platform_id', 'DUPLICATE'],
      ['source_platform_id', 'DUPLICATE'],
    ]);
  });

  it('of two rows about one product, one by its sku and one by its source id, only the first is applied, in the same chunk or a later one', async () => {
    const own = await caller.corporation();
    const more = { corporation_id: own };
    const header = 'sku,name,source_platform,source_platform_id,description,weight_in_kg\n';
    await importOf(`${header}A,Old,SHOPIFY,1,,\nB,Old,SHOPIFY,2,,\n`, more);
    const bySku = (sku: string): string => `${sku},By sku,,,,2\n`;
    const bySource = (id: number): string => `,By source,SHOPIFY,${id},Described,\n`;
    const between = rows(5_100, (index) => `s${index},n,,,,`);
    const repeated = (row: number, column: string, first: number, value: string) => ({
      row,
      column,
      code: 'DUPLICATE',
      message: `${column} repeats row ${first}, and only the first is imported`,
      value,
    });
    for (const far of [false, true]) {
      const [later, at] = far ? [between, 5_104] : ['', 4];
      const job = await importOf(header + bySku('A') + bySource(2) + later + bySource(1) + bySku('B'), more);
      expect(job).toMatchObject({
        status: 'COMPLETED_WITH_ERRORS',
        updated_count: far ? 0 : 2,
        unchanged_count: far ? 2 : 0,
        failed_count: 2,
      });
      expect(job.errors).toEqual([repeated(at, 'source_platform_id', 2, '1'), repeated(at + 1, 'sku', 3, 'B')]);
    }
    const stored = (await products(own)).filter(({ sku }) => ['A', 'B'].includes(sku as string));
    expect(stored.map(({ sku, name, description, weight_in_kg }) => [sku, name, description, weight_in_kg]).sort()).toEqual([
      ['A', 'By sku', null, 2],
      ['B', 'By source', 'Described', null],
    ]);
  });

  it('a repeated source id is named, not the sku of its row', async () => {
    const csv = `sku,name,source_platform,source_platform_id\n${rows(25, (index) => `S${index},n,SHOPIFY,${index}`)}S99,n,SHOPIFY,3\n`;
    const { errors } = await importOf(csv, { corporation_id: await caller.corporation() });
    const message = 'source_platform_id repeats row 5, and only the first is imported';
    expect(errors).toEqual([{ row: 27, column: 'source_platform_id', code: 'DUPLICATE', message, value: '3' }]);
  });

  it('without a corporation in the request the rows name theirs; foreign ones past the sample are rejected', async () => {
    const theirs = await stranger.corporation();
    const own = await caller.corporation();
    const job = await importOf(`corporation_id,name\n${rows(20, (index) => `${own},n${index}`)}${theirs},stolen\ncorp_x,lost\n`, {});
    expect(job).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', corporation_id: null, created_count: 20, failed_count: 2 });
    expect(job.errors.map((error: { row: number; code: string }) => [error.row, error.code])).toEqual([
      [22, 'NOT_FOUND'],
      [23, 'NOT_FOUND'],
    ]);
    expect((await stranger.send('GET', `/products?corporation_id=${theirs}`)).body.data.products).toEqual([]);
  });

  it('a file that stops being CSV is applied up to that row', async () => {
    const job = await importOf(`name\n${rows(600, (index) => `n${index} ${'x'.repeat(200)}`)}"open\n`);
    expect(job).toMatchObject({ status: 'COMPLETED_WITH_ERRORS', created_count: 600 });
    expect(job.errors[0]).toMatchObject({ row: 602, column: null, code: 'INVALID_FORMAT' });
  });

  it('more than 50,000 rows fail as a whole', async () => {
    const own = await caller.corporation();
    const job = await importOf(`name\n${'a\n'.repeat(50_001)}`, { corporation_id: own });
    expect(job).toMatchObject({ status: 'FAILED', total_rows: 50_001, processed_rows: 0 });
    expect(await products(own)).toEqual([]);
  });

  const headers: [string, string, object, string, string][] = [
    ['an unknown column', 'name,colour\nA,red\n', {}, 'CSV_HEADER_INVALID', 'colour'],
    ['a repeated column', 'name,Name\nA,A\n', {}, 'CSV_HEADER_INVALID', 'name'],
    ['neither name nor sku', 'description\nA\n', {}, 'CSV_HEADER_INVALID', 'name'],
    ['no corporation anywhere', 'name\nA\n', { corporation_id: null }, 'CSV_HEADER_INVALID', 'corporation_id'],
    ['no rows', 'name\n', {}, 'INVALID_PARAMS', 'file_id'],
    ['an issue in the first rows', 'name,weight_in_kg\nA,heavy\n', {}, 'INVALID_PARAMS', 'weight_in_kg'],
    ['a row with too many cells', 'name,sku\nA,b,c\n', {}, 'INVALID_PARAMS', 'row'],
    ['an open quote', 'name\n"A\n', {}, 'INVALID_PARAMS', 'file_id'],
    ['an unknown corporation', 'name\nA\n', { corporation_id: 'corp_x' }, 'CORPORATION_NOT_FOUND', 'corporation_id'],
    [
      'an unknown corporation in a row',
      'corporation_id,name\ncorp_x,A\n',
      { corporation_id: null },
      'CORPORATION_NOT_FOUND',
      'corporation_id',
    ],
  ];
  it.each(headers)('a file with %s starts no job', async (_, csv, more, code, field) => {
    const jobs = (): Promise<unknown> => gateway.services.database.orm.em.getConnection().execute('select count(*) from import_job');
    const before = await jobs();
    const file = (await caller.upload(csv)).body.data.id;
    const response = await start(file, { corporation_id: corporation, ...more });
    expect([response.status, response.body.error.code, response.body.error.details[0].field]).toEqual([400, code, field]);
    expect(await jobs()).toEqual(before);
  });

  it("another organisation's file and job give byte for byte the response of unknown ones", async () => {
    const file = (await caller.upload('name\nA\n')).body.data.id;
    const job = (await start(file)).body.data.job.id;
    await ended(job);
    const theirs = { corporation_id: await stranger.corporation() };
    const attempt = (fileId: string): Promise<GatewayResponse> =>
      stranger.send('POST', '/products/bulk_upload/csv', { file_id: fileId, ...theirs });
    expect((await attempt(file)).text).toBe((await attempt('file_01m7xdbh4rfzxskyet9qnceegy')).text);
    const unknown = await stranger.send('GET', '/jobs/job_01m7xdbh4rfzxskyet9qnceegy');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'JOB_NOT_FOUND']);
    expect((await stranger.send('GET', `/jobs/${job}`)).text).toBe(unknown.text);
  });

  it('an operator cancels a job that has not ended, and only such a one', async () => {
    const cancel = (id: string): Promise<GatewayResponse> =>
      gateway.graphql(
        ADMIN_TOKEN,
        'mutation($id: ID!) { cancelImportJob(input: { id: $id, reason: "test" }) { job { id status organizationId } } }',
        {
          id,
        },
      );
    const job = await importOf('name\nA\n');
    expect((await cancel(job.id)).body.errors[0].extensions.code).toBe('INVALID_STATE_TRANSITION');
    expect((await cancel('job_x')).body.errors[0].extensions.code).toBe('JOB_NOT_FOUND');
    const file = (await caller.upload(`name\n${rows(20_000, (index) => `n${index}`)}`)).body.data.id;
    const events = await recordEvents(gateway, caller.key);
    const { id } = (await start(file)).body.data.job;
    const response = await cancel(id);
    // Rows that were imported before are events of their own.
    const ofImport = (await events()).filter(({ topic }) => topic.startsWith('PRODUCTS_IMPORT_'));
    expect(ofImport).toMatchObject([{ topic: 'PRODUCTS_IMPORT_FAILED', data: { id, status: 'CANCELLED' } }]);
    const traces = await gateway.services.database.read(
      {
        name: 'cancel_trace',
        text: 'select operation, actor_id, reason from audit_entry where reason is not null and record_ids @> jsonb_build_array($1::text)',
      },
      [id],
    );
    expect(traces).toEqual([['cancelImportJob', 'admin', 'test']]);
    expect(response.body.data.cancelImportJob.job).toEqual({ id, status: 'CANCELLED', organizationId: job.organization_id });
    const stopped = await ended(id);
    expect(stopped.status).toBe('CANCELLED');
    expect(stopped.processed_rows).toBeLessThan(20_000);
  });
});

it('a customs code outside the lists is imported with the warning that other ways give', async () => {
  const job = await importOf('sku,customs_code_us,customs_code_de\nOLD-1,8517.12.0050,\nNEW-1,8471.30.0100,84713000\n');
  expect(job).toMatchObject({
    created_count: 2,
    failed_count: 0,
    warnings: ['line 2: customs_code_us: 851712 is not a six-digit code of the loaded Harmonized System list'],
  });
});

describe('an import that no worker has taken', () => {
  const idle = useGateway({ worker: false });

  it('is PENDING', async () => {
    const owner = await platformCaller(idle, base);
    const file = await owner.upload('sku,name\nA,Kettle\n');
    const body = { file_id: file.body.data.id, corporation_id: await owner.corporation() };
    const started = await owner.send('POST', '/products/bulk_upload/csv', body);
    expect([started.status, started.body.data.job.status, started.body.data.job.completed_at]).toEqual([200, 'PENDING', null]);
  });
});
