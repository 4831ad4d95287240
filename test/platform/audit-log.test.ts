// Mutations of operators on content, imports and keys leave an entry in the audit log: who, what, on which record, and why.
import { expect, it } from 'vitest';
import pack from '../../src/platform/registrations/content/registration-content.json' with { type: 'json' };
import { ADMIN_TOKEN, useGateway } from '../support/gateway.ts';
import { platformCaller } from '../support/platform.ts';

// No worker runs, so that an import waits to be cancelled.
const gateway = useGateway({ worker: false });

type AuditEntry = [action: string, recordId: string, keyId: string, reason: string | null, isShared: string | null];

const auditEntries = async (): Promise<AuditEntry[]> =>
  (await gateway.services.database.read(
    {
      name: 'auditEntries',
      text: 'select action, record_id, key_id, reason, organisation_id is null from operator_action order by id',
    },
    [],
  )) as AuditEntry[];

/** Runs an operator's mutation; returns its answer and the audit entries it left. */
async function left(query: string, variables: Record<string, unknown> = {}, key = ADMIN_TOKEN) {
  const before = (await auditEntries()).length;
  const { body } = await gateway.graphql(key, query, variables);
  return { body, left: (await auditEntries()).slice(before) };
}

it('chosen: loading content that all organisations share leaves an audit entry, refused content none', async () => {
  const hs = 'mutation ($json: JSON!) { ingestHsCodes(json: $json, reason: "HS 2022") { entries } }';
  expect((await left(hs, { json: ['847130'] })).left).toEqual([['ingestHsCodes', 'hs_codes', 'admin', 'HS 2022', 't']]);
  expect((await left(hs, { json: ['84'] })).left).toEqual([]);
  const lengths = 'mutation ($json: JSON!) { ingestCustomsLengths(json: $json) { entries } }';
  expect((await left(lengths, { json: { FR: { lengths: [8] } } })).left).toEqual([['ingestCustomsLengths', 'lengths', 'admin', null, 't']]);
  const content = 'mutation ($json: JSON!) { ingestRegistrationContent(json: $json, reason: "yearly") { version } }';
  const json = { ...pack, version: '2031.1' };
  const id = expect.stringMatching(/^pack_/);
  expect((await left(content, { json })).left).toEqual([['ingestRegistrationContent', id, 'admin', 'yearly', 't']]);
  expect((await left(content, { json })).left).toEqual([]);
  const iso = 'mutation ($data: JSON!) { ingestIso3166(data: $data) { ingestion { applied } } }';
  const data = { '3166-1': [{ alpha_2: 'QZ', alpha_3: 'QZZ', numeric: '901', name: 'Quux' }] };
  const key = await gateway.key(['MANAGE_CONTENT']);
  const { identity } = (await gateway.services.keys.find(key))!;
  expect((await left(iso, { data }, key)).left).toEqual([['ingestIso3166', 'iso_3166', identity, null, 't']]);
  expect((await left(iso, { data }, key)).left).toEqual([]);
});

it('chosen: the cancellation of an import leaves an audit entry, and a refused one none', async () => {
  const caller = await platformCaller(gateway, '/api/v1');
  const file = (await caller.upload('name\nA\n')).body.data.id;
  const started = await caller.send('POST', '/products/bulk_upload/csv', { file_id: file, corporation_id: await caller.corporation() });
  const id = started.body.data.job.id;
  const cancel = 'mutation ($id: ID!) { cancelImportJob(id: $id, reason: "wrong file") { job { id } } }';
  expect((await left(cancel, { id })).left).toEqual([['cancelImportJob', id, 'admin', 'wrong file', 'f']]);
  expect((await left(cancel, { id })).left).toEqual([]);
});

it('chosen: issuing, rotating and revoking keys leaves audit entries', async () => {
  const issue = 'mutation { issueAccessKey(input: { organisationName: "Traced", roles: [PLATFORM] }) { accessKey { id } } }';
  const issued = await left(issue);
  const { id } = issued.body.data.issueAccessKey.accessKey;
  expect(issued.left).toEqual([['issueAccessKey', id, 'admin', null, 'f']]);
  const rotated = await left('mutation ($id: ID!) { rotateAccessKey(id: $id) { accessKey { id } } }', { id });
  const successor = rotated.body.data.rotateAccessKey.accessKey.id;
  expect(rotated.left.map(([action, record]) => [action, record])).toEqual([
    ['rotateAccessKey', successor],
    ['rotateAccessKey', id],
  ]);
  const revoked = await left('mutation ($id: ID!) { revokeAccessKey(id: $id) { accessKey { id } } }', { id });
  expect(revoked.left).toEqual([['revokeAccessKey', id, 'admin', null, 'f']]);
});
