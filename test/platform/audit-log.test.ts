// The audit log: which entry a write leaves, who may read it, that its chains show what was tampered with, and what retention keeps.
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditRetention, auditSealing, verifyChains } from '../../src/administration/audit-chain.ts';
import { migrationFiles } from '../../src/database/migrations/files.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { shippedContentPack } from '../../src/platform/registrations/content/shipped-content.ts';
import { entriesOf, execute, type StoredEntry } from '../support/audit.ts';
import { ADMIN_TOKEN, startGateway, useGateway } from '../support/gateway.ts';
import { buildCorporation, platformCaller } from '../support/platform.ts';
import { buildCompany } from '../support/records.ts';

// No worker runs, so that an import waits to be cancelled and only the tests seal and remove.
const gateway = useGateway({ worker: false });

/** Runs an operation; returns its response and the entries it left. */
async function left(query: string, variables: Record<string, unknown> = {}, key = ADMIN_TOKEN) {
  const { body, headers } = await gateway.graphql(key, query, variables);
  return { body, entries: await entriesOf(gateway, headers.get('x-request-id')!) };
}

const reported = ({ operation, record_ids, actor_id, reason, organisation_id }: StoredEntry) => [
  operation,
  record_ids,
  actor_id,
  reason,
  organisation_id === null,
];

describe('entries of operators', () => {
  it('loading content that all organisations share leaves an entry, rejected content none', async () => {
    const hs = 'mutation ($json: JSON!) { ingestHsCodes(input: { json: $json, reason: "HS 2022" }) { entries } }';
    expect((await left(hs, { json: ['847130'] })).entries.map(reported)).toEqual([
      ['ingestHsCodes', ['hs_codes'], 'admin', 'HS 2022', true],
    ]);
    expect((await left(hs, { json: ['84'] })).entries).toEqual([]);
    const lengths = 'mutation ($json: JSON!) { ingestCustomsLengths(input: { json: $json }) { entries } }';
    expect((await left(lengths, { json: { FR: { lengths: [8] } } })).entries.map(reported)).toEqual([
      ['ingestCustomsLengths', ['lengths'], 'admin', null, true],
    ]);
    const content = 'mutation ($json: JSON!) { ingestRegistrationContent(input: { json: $json, reason: "yearly" }) { version } }';
    const json = { ...shippedContentPack(), version: '2031.1' };
    expect((await left(content, { json })).entries.map(reported)).toEqual([
      ['ingestRegistrationContent', [expect.stringMatching(/^pack_/)], 'admin', 'yearly', true],
    ]);
    expect((await left(content, { json })).entries).toEqual([]);
    const iso = 'mutation ($data: JSON!) { ingestIso3166(input: { data: $data }) { ingestion { applied } } }';
    const data = { '3166-1': [{ alpha_2: 'QZ', alpha_3: 'QZZ', numeric: '901', name: 'Quux' }] };
    const key = await gateway.key(['MANAGE_CONTENT']);
    const { identity } = (await gateway.services.keys.find(key))!;
    const ingested = await left(iso, { data }, key);
    expect(ingested.entries).toMatchObject([{ operation: 'ingestIso3166', actor_id: identity, actor_kind: 'KEY', organisation_id: null }]);
    expect(ingested.entries[0]!.record_ids).toContain('iso_3166');
    expect((await left(iso, { data }, key)).entries).toEqual([]);
  });

  it('the cancellation of an import leaves an entry, and a rejected one none', async () => {
    const caller = await platformCaller(gateway, '/api/v1');
    const file = (await caller.upload('name\nA\n')).body.data.id;
    const started = await caller.send('POST', '/products/bulk_upload/csv', { file_id: file, corporation_id: await caller.corporation() });
    const id = started.body.data.job.id;
    const cancel = 'mutation ($id: ID!) { cancelImportJob(input: { id: $id, reason: "wrong file" }) { job { id } } }';
    expect((await left(cancel, { id })).entries.map(reported)).toEqual([['cancelImportJob', [id], 'admin', 'wrong file', false]]);
    expect((await left(cancel, { id })).entries).toEqual([]);
  });

  it('issuing, rotating and revoking a key leave one entry each', async () => {
    const issue = 'mutation { issueAccessKey(input: { organisationName: "Traced", roles: [PLATFORM] }) { accessKey { id } } }';
    const issued = await left(issue);
    const { id } = issued.body.data.issueAccessKey.accessKey;
    expect(issued.entries.map(reported)).toEqual([['issueAccessKey', [id], 'admin', null, false]]);
    const rotated = await left('mutation ($id: ID!) { rotateAccessKey(input: { id: $id }) { accessKey { id } } }', { id });
    const successor = rotated.body.data.rotateAccessKey.accessKey.id;
    expect(rotated.entries.map(reported)).toEqual([['rotateAccessKey', expect.arrayContaining([successor, id]), 'admin', null, false]]);
    const revoked = await left('mutation ($id: ID!) { revokeAccessKey(input: { id: $id }) { accessKey { id } } }', { id });
    expect(revoked.entries.map(reported)).toEqual([['revokeAccessKey', [id], 'admin', null, false]]);
  });
});

const LIST = `query ($first: Int, $after: String, $filter: AuditLogFilter) { auditLog(first: $first, after: $after, filter: $filter) {
  nodes { id at actor { kind id } operation recordIds organisationId requestId } pageInfo { hasNextPage endCursor } } }`;

/** Actions of operators as the table of earlier releases had them, taken over by the migration of the audit log. */
async function takeOver(actions: { id: string; organisationId: number | null; actor: string; secondsAgo: number }[]): Promise<void> {
  const { statements } = migrationFiles().find(({ name }) => name.endsWith('_audit_log'))!;
  for (const { id, organisationId, actor, secondsAgo } of actions)
    await execute(
      gateway,
      `insert into operator_action values ($1, $2, 'startValidation', 'reg_1', $3, 'asked', now() - make_interval(secs => $4::int))`,
      [id, organisationId, actor, secondsAgo],
    );
  await execute(gateway, statements.find((statement) => statement.includes('insert into "audit_entry"'))!);
  await execute(gateway, 'delete from operator_action');
}

it('the migration takes over what operators did before, with the kind of each', async () => {
  const key = await gateway.key(['PLATFORM'], 'Former');
  const { organisationId } = (await gateway.services.keys.find(key))!;
  const actors = ['admin', 'key_1', 'token:["a","b","c"]'];
  await takeOver(
    actors.map((actor, index) => ({
      id: `opact_${index}`,
      organisationId: index === 0 ? null : organisationId,
      actor,
      secondsAgo: actors.length - index,
    })),
  );
  const copied = (await entriesOf(gateway, '')).map(({ actor_kind, actor_id, operation, record_ids, reason }) => [
    actor_kind,
    actor_id,
    operation,
    record_ids,
    reason,
  ]);
  expect(copied).toEqual(['OPERATOR', 'KEY', 'PERSON'].map((kind, index) => [kind, actors[index], 'startValidation', ['reg_1'], 'asked']));
  expect((await verifyChains(gateway.services, organisationId!, null)).problems).toEqual([]);
});

it('what the migration took over is listed, exported and sealed among the others by its time', async () => {
  const caller = await platformCaller(gateway, '/api/v1', 'Upgraded');
  const key = await gateway.key(['PLATFORM'], 'Upgraded');
  const { organisationId, organisation } = (await gateway.services.keys.find(key))!;
  const write = () => caller.send('POST', '/corporations', buildCorporation());
  await write();
  // Their ids sort after every id of the log, whatever their times.
  const taken = [3_000, 2_000, 1_000].map((secondsAgo) => ({ id: `opact_ago_${secondsAgo}`, organisationId, actor: 'admin', secondsAgo }));
  await takeOver(taken);
  for (let index = 0; index < 2; index++) await write();
  const ofOrganisation = `from audit_entry where organisation_id = ${organisationId}`;
  const byTime = (await execute<{ id: string }>(gateway, `select id ${ofOrganisation} order by at`)).map(({ id }) => id);
  expect(byTime.slice(0, 3)).toEqual(taken.map(({ id }) => id));
  for (const [credential, filter] of [
    [key, {}],
    [ADMIN_TOKEN, { organisationId: organisation }],
  ] as const) {
    const seen: { id: string; at: string }[] = [];
    for (let after: string | null = null, isMore = true; isMore; ) {
      const { body } = await gateway.graphql(credential, LIST, { first: 2, after, filter });
      const { nodes, pageInfo }: { nodes: typeof seen; pageInfo: { hasNextPage: boolean; endCursor: string } } = body.data.auditLog;
      seen.push(...nodes);
      [after, isMore] = [pageInfo.endCursor, pageInfo.hasNextPage];
    }
    expect(seen.map(({ id }) => id)).toEqual(byTime.toReversed());
    const since = (await gateway.graphql(credential, LIST, { filter: { ...filter, since: seen.at(-2)!.at, until: seen[0]!.at } })).body;
    expect(since.data.auditLog.nodes.map(({ id }: { id: string }) => id)).toEqual(byTime.slice(1, -1).toReversed());
  }
  expect((await verifyChains(gateway.services, organisationId!, null)).problems).toEqual([]);
  expect((await execute<{ id: string }>(gateway, `select id ${ofOrganisation} order by position`)).map(({ id }) => id)).toEqual(byTime);
});

it('no other table has taken over ids of another one, which its lists would sort by', () => {
  const copies = migrationFiles().flatMap(({ name, statements }) =>
    statements.filter((statement) => /^insert into "\w+" \("id"[\s\S]*\bselect\b/m.test(statement)).map(() => name),
  );
  expect(copies).toEqual([expect.stringMatching(/_audit_log$/)]);
});

describe('entries of ledger records', () => {
  it('a change continues the content hash of the change before, and a retry is one entry', async () => {
    const company = await buildCompany(gateway);
    const send = (method: string, path: string, body?: object) =>
      gateway.send(method, company.base + path, { headers: company.headers, ...(body ? { body } : {}) });
    const entryOf = async (response: Awaited<ReturnType<typeof send>>): Promise<StoredEntry> => {
      const [entry, ...others] = await entriesOf(gateway, response.headers.get('x-request-id')!);
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

  it('an entry names the first hundred records and counts all', async () => {
    const company = await buildCompany(gateway);
    const data = Array.from({ length: 120 }, (_, index) => ({ name: `Account ${index}` }));
    const create = 'mutation ($input: CreateAccountsInput!) { createAccounts(input: $input) { errors { message } } }';
    const {
      entries: [entry],
    } = await left(create, { input: { companyId: company.id, records: data } }, company.key);
    expect([entry!.record_ids.length, entry!.record_count]).toEqual([100, 120]);
  });
});

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

  it('an organisation reads its own entries page by page, an operator those of all', async () => {
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

  it('entries are found by record, mutation, actor, request and time', async () => {
    const [one] = (await page(key, { filter: { recordId: ids[1] } })).nodes;
    expect(one.recordIds).toEqual([ids[1]]);
    const found = async (filter: object) => (await page(key, { filter })).nodes.length;
    expect(await found({ requestId: one.requestId })).toBe(1);
    expect(await found({ operation: 'createCorporation', actorId: one.actor.id })).toBe(5);
    expect(await found({ operation: 'deleteCorporation' })).toBe(0);
    expect(await found({ since: one.at })).toBeGreaterThanOrEqual(1);
    expect(await found({ until: '2020-01-01T00:00:00Z' })).toBe(0);
  });

  it('a foreign organisation responds like an unknown one, and a key limited to companies is rejected', async () => {
    const foreign = await gateway.key(['PLATFORM'], 'Foreign');
    const { organisation } = (await gateway.services.keys.find(foreign))!;
    const codeOf = async (credential: string, organisationId: string) =>
      (await gateway.graphql(credential, LIST, { filter: { organisationId } })).body.errors[0].extensions.code;
    expect(await codeOf(key, organisation!)).toBe('PARTNER_NOT_FOUND');
    expect(await codeOf(key, 'org_unknown')).toBe('PARTNER_NOT_FOUND');
    const limited = await gateway.key(['PLATFORM'], 'Read', [1]);
    expect((await gateway.graphql(limited, LIST)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('REST lists and verifies the same', async () => {
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
    (await verifyChains(gateway.services, organisationId, null)).problems.map(({ position, kind }) => `${kind} ${position}`);

  /** What verification reports after a statement, which is taken back by another. */
  async function tampered(statement: string, values: unknown[], back: string, backValues = values): Promise<string[]> {
    await execute(gateway, statement, values);
    const found = await problems();
    await execute(gateway, back, backValues);
    expect(await problems()).toEqual([]);
    return found;
  }

  it.each(['actor_id', 'operation', 'request_id', 'address', 'reason', 'before_hash'])(
    'an entry with another %s is found',
    async (column) => {
      const [{ before }] = (await execute(gateway, `select ${column} as before from audit_entry where id = $1`, [ids[2]])) as [
        { before: string | null },
      ];
      const set = `update audit_entry set ${column} = $2 where id = $1`;
      expect(await tampered(set, [ids[2], 'another'], set, [ids[2], before])).toEqual(['ALTERED 3']);
    },
  );

  it('a removed entry is found, the last one too', async () => {
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

  it('entries that changed places are found', async () => {
    const swap = `with former as (update audit_entry set position = -position where id = any($1::text[]) returning id) select 1 from former`;
    const places = 'update audit_entry set position = case id when $1 then $3::bigint else $4::bigint end where id in ($1, $2)';
    await execute(gateway, swap, [[ids[1], ids[2]]]);
    await execute(gateway, places, [ids[1], ids[2], 3, 2]);
    expect(await problems()).toEqual(['ALTERED 2', 'ALTERED 3', 'ALTERED 4']);
    await execute(gateway, swap, [[ids[1], ids[2]]]);
    await execute(gateway, places, [ids[1], ids[2], 2, 3]);
    expect(await problems()).toEqual([]);
  });

  it('a transaction of an organisation cannot change entries, nor read those of another', async () => {
    const { database } = gateway.services;
    const { organisationTransaction } = await import('../../src/database/transaction.ts');
    const { executeIn } = await import('../../src/database/open.ts');
    const run = (text: string) => organisationTransaction(database, organisationId, (em) => executeIn(em, text));
    expect(await run(`select 1 from audit_entry where organisation_id <> ${organisationId}`)).toEqual([]);
    for (const text of ["update audit_entry set reason = 'x'", 'delete from audit_entry', 'select 1 from audit_chain'])
      await expect(run(text)).rejects.toThrow(/permission denied/);
  });

  it('retention removes the oldest entries, and the others can be verified still', async () => {
    await execute(gateway, "update audit_entry set at = at - interval '9 years' where id = any($1::text[])", [ids.slice(0, 2)]);
    // Their hashes no longer fit; retention looks at times alone.
    const removeOld = () => systemTransaction(gateway.services.database, (em) => auditRetention.batch(em, gateway.services));
    expect(await removeOld()).toBe(true);
    expect(await removeOld()).toBe(false);
    const kept = await execute<{ id: string }>(gateway, 'select id from audit_entry where organisation_id = $1 order by position', [
      organisationId,
    ]);
    // The newest of the old ones stays, and shows that those before it were old enough.
    expect(kept.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(await problems()).toEqual(['ALTERED 2']);
    await execute(gateway, "update audit_entry set at = at + interval '9 years' where id = $1", [ids[1]]);
    expect(await problems()).toEqual(['MISSING 1']);
    await execute(gateway, 'delete from audit_entry where id = $1', [ids[2]]);
    expect(await problems()).toEqual(['MISSING 1', 'MISSING 3']);
  });

  it('the heads name the organisation, and sealing again changes nothing', async () => {
    const { heads } = await verifyChains(gateway.services, organisationId, null);
    expect(heads).toMatchObject([{ organisationId: publicId, position: 6 }]);
    expect(await systemTransaction(gateway.services.database, (em) => auditSealing.batch(em, gateway.services))).toBe(false);
    expect((await verifyChains(gateway.services, organisationId, null)).heads).toEqual(heads);
  });
});

describe('a user of the database', () => {
  interface Head {
    organisationId: string;
    position: number;
    hash: string;
  }

  /** A new organisation with four sealed entries, their head, and the findings about its chain, alone or next to a head that was kept. */
  async function sealed() {
    const name = `Chained ${randomUUID()}`;
    const key = await gateway.key(['PLATFORM'], name);
    const id = (await gateway.services.keys.find(key))!.organisationId!;
    const write = () =>
      gateway.send('POST', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` }, body: buildCorporation() });
    for (let index = 0; index < 4; index++) await write();
    const QUERY = `query ($heads: [AuditHeadInput!]) { auditVerification(heads: $heads) {
      problems { position kind } heads { organisationId position hash } } }`;
    const verified = async (credential: string, heads: Head[] | null) =>
      (await gateway.graphql(credential, QUERY, { heads })).body.data.auditVerification;
    const found = async (...kept: Head[]): Promise<string[]> => {
      const { problems } = await verified(key, kept.length > 0 ? kept : null);
      return problems.map(({ position, kind }: { position: number; kind: string }) => `${kind} ${position}`);
    };
    const [head] = (await verified(key, null)).heads as [Head];
    expect([head.position, await found(), await found(head)]).toEqual([4, [], []]);
    const run = (text: string, values: unknown[] = []) =>
      execute<Record<string, never>>(gateway, text.replaceAll(':id', String(id)), values);
    return { key, id, head, found, run, write };
  }

  it('who deletes the record of a chain is found, also after more entries', async () => {
    const { found, run, write } = await sealed();
    await run('delete from audit_chain where organisation_id = :id');
    expect(await found()).toEqual(['MISSING 5']);
    await write();
    expect(await found()).toEqual(['ALTERED 5']);
  });

  it('who deletes a whole chain with its record is found by a head', async () => {
    const { found, run, head, write } = await sealed();
    await run('delete from audit_chain where organisation_id = :id');
    await run('delete from audit_entry where organisation_id = :id');
    expect([await found(), await found(head)]).toEqual([[], ['MISSING 4']]);
    for (let index = 0; index < 4; index++) await write();
    expect([await found(), await found(head)]).toEqual([[], ['ALTERED 4']]);
  });

  it.each(['with the entries before it', 'alone'])('who moves the start of a chain is found (%s)', async (how) => {
    const { found, run } = await sealed();
    await run(`update audit_chain c set start_position = 3, start_hash = e.hash from audit_entry e
      where c.organisation_id = :id and e.organisation_id = :id and e.position = 3`);
    if (how !== 'alone') await run('delete from audit_entry where organisation_id = :id and position <= 3');
    expect(await found()).toEqual(how === 'alone' ? ['MISSING 3', 'MISSING 4'] : ['MISSING 3']);
  });

  it('who cuts off the end of a chain is found by a head', async () => {
    const { found, run, head, write } = await sealed();
    await run('delete from audit_entry where organisation_id = :id and position = 4');
    await run(`update audit_chain c set end_position = 3, end_hash = e.hash from audit_entry e
      where c.organisation_id = :id and e.organisation_id = :id and e.position = 3`);
    expect([await found(), await found(head)]).toEqual([[], ['MISSING 4']]);
    await write();
    expect([await found(), await found(head)]).toEqual([[], ['ALTERED 4']]);
  });

  it('who alters an entry and seals the chain again is found by a head', async () => {
    const { found, run, head } = await sealed();
    await run("update audit_entry set actor_id = 'another' where organisation_id = :id and position = 2");
    await run('update audit_entry set position = null, hash = null where organisation_id = :id');
    await run('delete from audit_chain where organisation_id = :id');
    expect([await found(), await found(head)]).toEqual([[], ['ALTERED 4']]);
  });

  it('the log of the process has the heads, out of the reach of who deletes both', async () => {
    const lines: string[] = [];
    const logging = await startGateway({ worker: false }, pino({}, { write: (line) => lines.push(line) }));
    try {
      const key = await logging.key(['PLATFORM']);
      await logging.send('POST', '/api/v1/corporations', { headers: { authorization: `Bearer ${key}` }, body: buildCorporation() });
      const { body } = await logging.graphql(key, '{ auditVerification { heads { organisationId position hash } } }');
      const [head] = body.data.auditVerification.heads;
      const heads = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'audit chain head');
      expect(heads).toContainEqual(expect.objectContaining({ ...head, position: 1 }));
    } finally {
      await logging.stop();
    }
  });

  it('a head stays right while entries are added and old ones removed, and a foreign one is rejected', async () => {
    const { key, id, found, run, head, write } = await sealed();
    await write();
    expect([await found(), await found(head)]).toEqual([[], []]);
    await run("update audit_entry set at = at - interval '9 years' where organisation_id = :id and position <= 5");
    await systemTransaction(gateway.services.database, (em) => auditRetention.batch(em, gateway.services));
    expect(await run('select start_position::int from audit_chain where organisation_id = :id')).toEqual([{ start_position: 4 }]);
    expect(await found(head)).toEqual([]);
    expect(await found({ ...head, position: 1 })).toEqual([]);
    const other = await sealed();
    expect(other.id).not.toBe(id);
    const query = 'query ($heads: [AuditHeadInput!]) { auditVerification(heads: $heads) { checked } }';
    const { body } = await gateway.graphql(key, query, { heads: [other.head] });
    expect(body.errors[0].extensions).toMatchObject({ code: 'PARTNER_NOT_FOUND' });
  });
});
