// The audit log: which entry a write leaves, who may read it, that its chains show what was tampered with, and what retention keeps.
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRetention, auditSealing, verifyChains } from '../../src/administration/audit-chain.ts';
import { migrationFiles } from '../../src/database/migrations/files.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { shippedContentPack } from '../../src/platform/registrations/content/shipped-content.ts';
import { entriesOf, execute, type StoredEntry } from '../support/audit.ts';
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { buildCorporation, platformCaller } from '../support/platform.ts';
import { buildCompany } from '../support/records.ts';

// No worker runs, so that an import waits to be cancelled and only the tests seal and remove.
const gateway = useGateway({ worker: false });

/** Runs an operation; returns its answer and the entries it left. */
async function left(query: string, variables: Record<string, unknown> = {}, key = ADMIN_TOKEN) {
  const { body, headers } = await gateway.graphql(key, query, variables);
  return { body, entries: await entriesOf(gateway, headers.get('x-request-id')!) };
}

const told = ({ operation, record_ids, actor_id, reason, organisation_id }: StoredEntry) => [
  operation,
  record_ids,
  actor_id,
  reason,
  organisation_id === null,
];

describe('entries of operators', () => {
  it('chosen: loading content that all organisations share leaves an entry, refused content none', async () => {
    const hs = 'mutation ($json: JSON!) { ingestHsCodes(json: $json, reason: "HS 2022") { entries } }';
    expect((await left(hs, { json: ['847130'] })).entries.map(told)).toEqual([['ingestHsCodes', ['hs_codes'], 'admin', 'HS 2022', true]]);
    expect((await left(hs, { json: ['84'] })).entries).toEqual([]);
    const lengths = 'mutation ($json: JSON!) { ingestCustomsLengths(json: $json) { entries } }';
    expect((await left(lengths, { json: { FR: { lengths: [8] } } })).entries.map(told)).toEqual([
      ['ingestCustomsLengths', ['lengths'], 'admin', null, true],
    ]);
    const content = 'mutation ($json: JSON!) { ingestRegistrationContent(json: $json, reason: "yearly") { version } }';
    const json = { ...shippedContentPack(), version: '2031.1' };
    expect((await left(content, { json })).entries.map(told)).toEqual([
      ['ingestRegistrationContent', [expect.stringMatching(/^pack_/)], 'admin', 'yearly', true],
    ]);
    expect((await left(content, { json })).entries).toEqual([]);
    const iso = 'mutation ($data: JSON!) { ingestIso3166(data: $data) { ingestion { applied } } }';
    const data = { '3166-1': [{ alpha_2: 'QZ', alpha_3: 'QZZ', numeric: '901', name: 'Quux' }] };
    const key = await gateway.key(['MANAGE_CONTENT']);
    const { identity } = (await gateway.services.keys.find(key))!;
    const ingested = await left(iso, { data }, key);
    expect(ingested.entries).toMatchObject([{ operation: 'ingestIso3166', actor_id: identity, actor_kind: 'KEY', organisation_id: null }]);
    expect(ingested.entries[0]!.record_ids).toContain('iso_3166');
    expect((await left(iso, { data }, key)).entries).toEqual([]);
  });

  it('chosen: the cancellation of an import leaves an entry, and a refused one none', async () => {
    const caller = await platformCaller(gateway, '/api/v1');
    const file = (await caller.upload('name\nA\n')).body.data.id;
    const started = await caller.send('POST', '/products/bulk_upload/csv', { file_id: file, corporation_id: await caller.corporation() });
    const id = started.body.data.job.id;
    const cancel = 'mutation ($id: ID!) { cancelImportJob(id: $id, reason: "wrong file") { job { id } } }';
    expect((await left(cancel, { id })).entries.map(told)).toEqual([['cancelImportJob', [id], 'admin', 'wrong file', false]]);
    expect((await left(cancel, { id })).entries).toEqual([]);
  });

  it('chosen: issuing, rotating and revoking a key leave one entry each', async () => {
    const issue = 'mutation { issueAccessKey(input: { organisationName: "Traced", roles: [PLATFORM] }) { accessKey { id } } }';
    const issued = await left(issue);
    const { id } = issued.body.data.issueAccessKey.accessKey;
    expect(issued.entries.map(told)).toEqual([['issueAccessKey', [id], 'admin', null, false]]);
    const rotated = await left('mutation ($id: ID!) { rotateAccessKey(id: $id) { accessKey { id } } }', { id });
    const successor = rotated.body.data.rotateAccessKey.accessKey.id;
    expect(rotated.entries.map(told)).toEqual([['rotateAccessKey', expect.arrayContaining([successor, id]), 'admin', null, false]]);
    const revoked = await left('mutation ($id: ID!) { revokeAccessKey(id: $id) { accessKey { id } } }', { id });
    expect(revoked.entries.map(told)).toEqual([['revokeAccessKey', [id], 'admin', null, false]]);
  });
});

it('chosen: the migration takes over what operators did before, with the kind of each', async () => {
  const { statements } = migrationFiles().find(({ name }) => name.endsWith('_audit_log'))!;
  const copy = statements.find((statement) => statement.includes('insert into "audit_entry"'))!;
  const key = await gateway.key(['PLATFORM'], 'Former');
  const { organisationId } = (await gateway.services.keys.find(key))!;
  const actors = ['admin', 'key_1', 'token:["a","b","c"]'];
  for (const [index, actor] of actors.entries())
    await execute(gateway, "insert into operator_action values ($1, $2, 'startValidation', 'reg_1', $3, 'asked', now())", [
      `opact_${index}`,
      index === 0 ? null : organisationId,
      actor,
    ]);
  await execute(gateway, copy);
  const copied = (await entriesOf(gateway, '')).map(({ actor_kind, actor_id, operation, record_ids, reason }) => [
    actor_kind,
    actor_id,
    operation,
    record_ids,
    reason,
  ]);
  expect(copied).toEqual(['OPERATOR', 'KEY', 'PERSON'].map((kind, index) => [kind, actors[index], 'startValidation', ['reg_1'], 'asked']));
  expect((await verifyChains(gateway.services.database, organisationId!, null)).problems).toEqual([]);
});

describe('entries of ledger records', () => {
  it('chosen: a change continues the content hash of the change before, and a repetition is one entry', async () => {
    const company = await buildCompany(gateway);
    const send = (method: string, path: string, body?: object) =>
      gateway.send(method, company.base + path, { headers: company.headers, ...(body ? { body } : {}) });
    const entryOf = async (answer: Awaited<ReturnType<typeof send>>): Promise<StoredEntry> => {
      const [entry, ...others] = await entriesOf(gateway, answer.headers.get('x-request-id')!);
      expect(others).toEqual([]);
      return entry!;
    };
    const made = await send('POST', '/accounts', { data: { name: 'Bank' } });
    const number = made.body.data.data.ledger_id;
    const created = await entryOf(made);
    expect(created).toMatchObject({ operation: 'createAccounts', record_ids: [`account_${number}`], before_hash: null, actor_kind: 'KEY' });
    const changed = await entryOf(await send('PUT', `/accounts/${number}`, { data: { name: 'Cash' } }));
    expect(changed).toMatchObject({ operation: 'updateAccount', record_ids: [`account_${number}`], before_hash: created.after_hash });
    expect(changed.after_hash).not.toBe(created.after_hash);
    const same = await entryOf(await send('PUT', `/accounts/${number}`, { data: { name: 'Cash' } }));
    expect(same.record_ids).toEqual([expect.stringMatching(/^sync_/)]);
    const gone = await entryOf(await send('DELETE', `/accounts/${number}`));
    expect(gone).toMatchObject({ operation: 'deleteAccount', before_hash: changed.after_hash, after_hash: null });
  });

  it('chosen: an entry names the first hundred records and counts all', async () => {
    const company = await buildCompany(gateway);
    const data = Array.from({ length: 120 }, (_, index) => ({ name: `Account ${index}` }));
    const create = 'mutation ($input: CreateAccountsInput!) { createAccounts(input: $input) { errors { message } } }';
    const {
      entries: [entry],
    } = await left(create, { input: { companyId: company.id, records: data } }, company.key);
    expect([entry!.record_ids.length, entry!.record_count]).toEqual([100, 120]);
  });
});

const LIST = `query ($first: Int, $after: String, $filter: AuditLogFilter) { auditLog(first: $first, after: $after, filter: $filter) {
  nodes { id at actor { kind id } operation recordIds organisationId requestId } pageInfo { hasNextPage endCursor } } }`;

describe('reading', () => {
  let caller: Awaited<ReturnType<typeof platformCaller>>;
  let key: string;
  const ids: string[] = [];

  beforeAll(async () => {
    caller = await platformCaller(gateway, '/api/v1', 'Read');
    key = await gateway.key(['PLATFORM'], 'Read');
    const headers = { authorization: `Bearer ${key}` };
    for (let index = 0; index < 5; index++)
      ids.push((await gateway.send('POST', '/api/v1/corporations', { headers, body: buildCorporation() })).body.data.id);
  });

  const page = async (credential: string, variables: Record<string, unknown>) => {
    const { body } = await gateway.graphql(credential, LIST, variables);
    expect(body.errors).toBeUndefined();
    return body.data.auditLog;
  };

  it('documented: an organisation reads its own entries page by page, an operator those of all', async () => {
    const { organisation } = (await gateway.services.keys.find(key))!;
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { nodes, pageInfo }: { nodes: { recordIds: string[] }[]; pageInfo: { hasNextPage: boolean; endCursor: string } } = await page(
        key,
        { first: 2, after },
      );
      seen.push(...nodes.flatMap(({ recordIds }) => recordIds));
      [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(seen).toEqual(ids.toReversed());
    const own = await page(ADMIN_TOKEN, { first: 100, filter: { organisationId: organisation } });
    expect(own.nodes).toHaveLength(5);
    expect(own.nodes[0]).toMatchObject({ actor: { kind: 'KEY' }, operation: 'createCorporation', organisationId: organisation });
    const all = await page(ADMIN_TOKEN, { first: 100 });
    expect(new Set(all.nodes.map(({ organisationId }: { organisationId: string }) => organisationId)).size).toBeGreaterThan(1);
  });

  it('chosen: entries are found by record, mutation, actor, request and time', async () => {
    const [one] = (await page(key, { filter: { recordId: ids[1] } })).nodes;
    expect(one.recordIds).toEqual([ids[1]]);
    const found = async (filter: object) => (await page(key, { filter })).nodes.length;
    expect(await found({ requestId: one.requestId })).toBe(1);
    expect(await found({ operation: 'createCorporation', actorId: one.actor.id })).toBe(5);
    expect(await found({ operation: 'deleteCorporation' })).toBe(0);
    expect(await found({ since: one.at })).toBeGreaterThanOrEqual(1);
    expect(await found({ until: '2020-01-01T00:00:00Z' })).toBe(0);
  });

  it('documented: a foreign organisation answers like an unknown one, and a key limited to companies is refused', async () => {
    const foreign = await gateway.key(['PLATFORM'], 'Foreign');
    const { organisation } = (await gateway.services.keys.find(foreign))!;
    const codeOf = async (credential: string, organisationId: string) =>
      (await gateway.graphql(credential, LIST, { filter: { organisationId } })).body.errors[0].extensions.code;
    expect(await codeOf(key, organisation!)).toBe('PARTNER_NOT_FOUND');
    expect(await codeOf(key, 'org_unknown')).toBe('PARTNER_NOT_FOUND');
    const limited = await gateway.key(['PLATFORM'], 'Read', [1]);
    expect((await gateway.graphql(limited, LIST)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('chosen: REST lists and verifies the same', async () => {
    const first = await caller.send('GET', '/audit-log?limit=3');
    expect(first.body.data.entries).toHaveLength(3);
    expect(first.body.data.entries[0]).toMatchObject({ record_ids: [ids[4]], actor: { kind: 'KEY' }, operation: 'createCorporation' });
    const second = await caller.send('GET', `/audit-log?limit=3&cursor=${encodeURIComponent(first.body.data.cursor)}`);
    expect(second.body.data.entries.flatMap((entry: { record_ids: string[] }) => entry.record_ids)).toEqual([ids[1], ids[0]]);
    expect((await caller.send('GET', '/audit-log/verification')).body.data).toMatchObject({ checked: 5, problems: [], next: null });
  });
});

describe('chains', () => {
  let organisationId: number;
  let publicId: string;
  let ids: string[];

  beforeAll(async () => {
    const key = await gateway.key(['PLATFORM'], 'Chained');
    ({ organisationId, organisation: publicId } = (await gateway.services.keys.find(key)) as never);
    const caller = await platformCaller(gateway, '/api/v1', 'Chained');
    for (let index = 0; index < 6; index++) await caller.send('POST', '/corporations', buildCorporation());
    expect(await problems()).toEqual([]);
    ids = (
      await execute<{ id: string }>(gateway, 'select id from audit_entry where organisation_id = $1 order by position', [organisationId])
    ).map(({ id }) => id);
    expect(ids).toHaveLength(6);
  });

  const problems = async () =>
    (await verifyChains(gateway.services.database, organisationId, null)).problems.map(({ position, kind }) => `${kind} ${position}`);

  /** What verification tells after a statement, which is taken back by another. */
  async function tampered(statement: string, values: unknown[], back: string, backValues = values): Promise<string[]> {
    await execute(gateway, statement, values);
    const found = await problems();
    await execute(gateway, back, backValues);
    expect(await problems()).toEqual([]);
    return found;
  }

  it.each(['actor_id', 'operation', 'request_id', 'address', 'reason', 'before_hash'])(
    'documented: an entry with another %s is found',
    async (column) => {
      const [{ before }] = (await execute(gateway, `select ${column} as before from audit_entry where id = $1`, [ids[2]])) as [
        { before: string | null },
      ];
      const set = `update audit_entry set ${column} = $2 where id = $1`;
      expect(await tampered(set, [ids[2], 'another'], set, [ids[2], before])).toEqual(['ALTERED 3']);
    },
  );

  it('documented: a removed entry is found, the last one too', async () => {
    for (const at of [2, 5]) {
      const [row] = await execute<Record<string, unknown>>(gateway, 'select to_jsonb(e) as row from audit_entry e where id = $1', [
        ids[at],
      ]);
      const back = 'insert into audit_entry select * from jsonb_populate_record(null::audit_entry, $1::text::jsonb)';
      expect(await tampered('delete from audit_entry where id = $1', [ids[at]], back, [JSON.stringify(row!.row)])).toEqual([
        `MISSING ${at + 1}`,
      ]);
    }
  });

  it('documented: entries that changed places are found', async () => {
    const swap = `with former as (update audit_entry set position = -position where id = any($1::text[]) returning id) select 1 from former`;
    const places = 'update audit_entry set position = case id when $1 then $3::bigint else $4::bigint end where id in ($1, $2)';
    await execute(gateway, swap, [[ids[1], ids[2]]]);
    await execute(gateway, places, [ids[1], ids[2], 3, 2]);
    expect(await problems()).toEqual(['ALTERED 2', 'ALTERED 3', 'ALTERED 4']);
    await execute(gateway, swap, [[ids[1], ids[2]]]);
    await execute(gateway, places, [ids[1], ids[2], 2, 3]);
    expect(await problems()).toEqual([]);
  });

  it('chosen: a transaction of an organisation cannot change entries, nor read those of another', async () => {
    const { database } = gateway.services;
    const { organisationTransaction } = await import('../../src/database/transaction.ts');
    const { executeIn } = await import('../../src/database/open.ts');
    const run = (text: string) => organisationTransaction(database, organisationId, (em) => executeIn(em, text));
    expect(await run(`select 1 from audit_entry where organisation_id <> ${organisationId}`)).toEqual([]);
    for (const text of ["update audit_entry set reason = 'x'", 'delete from audit_entry', 'select 1 from audit_chain'])
      await expect(run(text)).rejects.toThrow(/permission denied/);
  });

  it('chosen: retention removes the oldest entries, and the others can be verified still', async () => {
    await execute(gateway, "update audit_entry set at = at - interval '9 years' where id = any($1::text[])", [ids.slice(0, 2)]);
    // Their hashes no longer fit; retention looks at times alone.
    const removeOld = () => systemTransaction(gateway.services.database, (em) => auditRetention.batch(em, gateway.services));
    expect(await removeOld()).toBe(true);
    expect(await removeOld()).toBe(false);
    const kept = await execute<{ id: string }>(gateway, 'select id from audit_entry where organisation_id = $1 order by position', [
      organisationId,
    ]);
    expect(kept.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await problems()).toEqual([]);
    await execute(gateway, 'delete from audit_entry where id = $1', [ids[2]]);
    expect(await problems()).toEqual(['MISSING 3']);
  });

  it('chosen: the heads name the organisation, and sealing again changes nothing', async () => {
    const { heads } = await verifyChains(gateway.services.database, organisationId, null);
    expect(heads).toMatchObject([{ organisationId: publicId, position: 6 }]);
    expect(await systemTransaction(gateway.services.database, (em) => auditSealing.batch(em, gateway.services))).toBe(false);
    expect((await verifyChains(gateway.services.database, organisationId, null)).heads).toEqual(heads);
  });
});
