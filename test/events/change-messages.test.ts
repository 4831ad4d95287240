// Messages about changed records: what each shows, who gets it, where it resumes.
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { INTERVAL_MS } from '../../src/events/shared-log.ts';
import { accountChanges } from '../support/account-changes.ts';
import { type Follower, follow } from '../support/changes.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';

const gateway = useGateway();
closeClients();
const { accounts, put, remove, openedBy } = accountChanges(gateway);

let company: TestCompany;
let organisation: string;
beforeAll(async () => {
  company = await buildCompany(gateway);
  organisation = (await gateway.services.keys.find(company.key))!.organisationName!;
});

describe('what a message says', () => {
  it('changes of a record within an interval are one message, with the record as it is at the end', async () => {
    const changes = await openedBy(accounts(company.key), company);
    await setTimeout(3 * INTERVAL_MS);
    const from = changes.received.length;
    await put(company, { platform_id: 'sentinel' });
    const writes = 12;
    for (let n = 1; n <= writes; n++) await put(company, { platform_id: 'often', name: `Version ${n}` });
    const own = () => changes.received.slice(from).filter(({ node }) => node.name.startsWith('Version'));
    await changes.next(({ node }) => node.name === `Version ${writes}`);
    expect(own().length).toBeLessThanOrEqual(writes);
    expect(own()[0]!.operation).toBe('CREATED');
    expect(
      own()
        .slice(1)
        .every(({ operation }) => operation === 'UPDATED'),
    ).toBe(true);
    // The record is read after its events, so a message may show a version that belongs to the next one already.
    const versionAt = (etag: string | null): number => Date.parse(etag!.slice(etag!.indexOf('-') + 1, -1));
    for (const [index, { previousEtag }] of own().slice(1).entries())
      expect(versionAt(previousEtag)).toBeLessThanOrEqual(versionAt(own()[index]!.node.etag));
  });

  it('changes that one read finds are one message per record, and resuming after any of them loses none', async () => {
    const changes = await openedBy(accounts(company.key), company);
    await put(company);
    const { eventId } = await changes.next(() => true);
    changes.stop();
    const [a, b] = [await put(company, { platform_id: 'a' }), await put(company, { platform_id: 'b' })];
    await put(company, { platform_id: 'a', name: 'Renamed' });
    await remove(company, b);
    const resumed = accounts(company.key, { after: eventId });
    const [first, second] = [
      await resumed.next(({ nodeId }) => nodeId === `account_${a}`),
      await resumed.next(({ nodeId }) => nodeId === `account_${b}`),
    ];
    expect(first).toMatchObject({ operation: 'CREATED', node: { name: 'Renamed' } });
    expect(second).toMatchObject({ operation: 'DELETED', matches: false });
    expect(resumed.received.filter(({ nodeId }) => [first.nodeId, second.nodeId].includes(nodeId))).toHaveLength(2);
    const again = accounts(company.key, { after: first.eventId });
    expect(await again.next(({ nodeId }) => nodeId === second.nodeId)).toMatchObject({ operation: 'DELETED' });
    const rest = accounts(company.key, { after: second.eventId });
    const last = await put(company, { platform_id: 'c' });
    await rest.next(({ nodeId }) => nodeId === `account_${last}`);
    expect(rest.received.map(({ nodeId }) => nodeId)).toEqual([`account_${last}`]);
  });

  it('a record that leaves the filter is reported once more with `matches` false; a new one outside it makes no message', async () => {
    const changes = await openedBy(accounts(company.key, { filter: { account: { name: { eq: 'Probe' } } } }), company);
    const outside = await put(company, { platform_id: 'outside', name: 'Elsewhere' });
    const inside = await put(company, { platform_id: 'inside' });
    expect(await changes.next(({ nodeId }) => nodeId === `account_${inside}`)).toMatchObject({ operation: 'CREATED', matches: true });
    await put(company, { platform_id: 'inside', name: 'Left' });
    const left = await changes.next(({ nodeId }) => nodeId === `account_${inside}`);
    expect(left).toMatchObject({ operation: 'UPDATED', matches: false, node: { name: 'Left' } });
    await put(company, { platform_id: 'outside' });
    expect(await changes.next(({ nodeId }) => nodeId === `account_${outside}`)).toMatchObject({ operation: 'UPDATED', matches: true });
    expect(changes.received.filter(({ nodeId }) => nodeId === `account_${outside}`)).toHaveLength(1);
  });

  it('an event names its record as a node, and null where the key may not read it', async () => {
    const both = await gateway.key(['PLATFORM', 'INTEGRATIONS'], organisation);
    const platform = await gateway.key(['PLATFORM'], organisation);
    const changes = await openedBy(accounts(company.key), company);
    const id = await put(company, { platform_id: 'subject', name: 'Subject' });
    await changes.next((change) => change.nodeId === `account_${id}`);
    const query = `{ events(first: 1, filter: { subjectId: { eq: "account_${id}" } }) { nodes { subjectId subject { __typename id ... on Account { name } } } } }`;
    const seen = (await gateway.graphql(both, query)).body.data.events.nodes;
    expect(seen).toEqual([{ subjectId: `account_${id}`, subject: { __typename: 'Account', id: `account_${id}`, name: 'Subject' } }]);
    expect((await gateway.graphql(platform, query)).body.data.events.nodes[0].subject).toBeNull();
  });
});

describe('who gets a message', () => {
  it('an organisation never gets the changes of another, and a limited key those of its companies alone', async () => {
    const foreign = await buildCompany(gateway);
    const sibling = await buildCompany(gateway, { key: company.key });
    const limited = await gateway.key(['INTEGRATIONS'], organisation, [company.id]);
    const [own, theirs, few] = [accounts(company.key), accounts(foreign.key), accounts(limited)];
    await openedBy(own, company);
    await openedBy(theirs, foreign);
    await openedBy(few, company);
    const marks = { own: await put(company), sibling: await put(sibling), foreign: await put(foreign), last: await put(company) };
    const ids = ({ received }: Follower): string[] => received.map(({ nodeId }) => nodeId);
    const last = ({ nodeId }: { nodeId: string }): boolean => nodeId === `account_${marks.last}`;
    await Promise.all([own.next(last), few.next(last), theirs.next(({ nodeId }) => nodeId === `account_${marks.foreign}`)]);
    expect(ids(own)).toEqual(expect.arrayContaining([`account_${marks.own}`, `account_${marks.sibling}`]));
    expect(ids(own)).not.toContain(`account_${marks.foreign}`);
    expect(ids(few)).toContain(`account_${marks.own}`);
    expect(ids(few)).not.toContain(`account_${marks.sibling}`);
    expect(ids(theirs).filter((id) => Object.values(marks).some((mark) => id === `account_${mark}`))).toEqual([`account_${marks.foreign}`]);
    const { eventId } = theirs.received[0]!;
    for (const [variables, code] of [
      [{ company: foreign.id }, 'COMPANY_NOT_FOUND'],
      [{ type: ['PRODUCT'] }, 'FORBIDDEN'],
      [{ after: eventId }, 'INVALID_PARAMS'],
      [{ type: [] }, 'INVALID_PARAMS'],
      [{ filter: { contact: {} } }, 'INVALID_PARAMS'],
    ] as const)
      expect(await accounts(company.key, variables).ended).toMatchObject({ code });
    expect(await accounts(limited, { company: sibling.id }).ended).toMatchObject({ code: 'COMPANY_NOT_FOUND' });
  });

  it('subscribers of different selections and rights each get their own, those of equal ones the same', async () => {
    const limited = await gateway.key(['INTEGRATIONS'], organisation, [company.id]);
    const short = follow(
      connectWithKey(gateway.origin, company.key),
      'subscription { recordChanged(type: [ACCOUNT]) { operation nodeId node { ... on Account { company { name } nominalCode } } } }',
    );
    const others = [accounts(company.key), accounts(company.key), accounts(limited)];
    for (const one of [short, ...others]) await openedBy(one, company);
    const id = await put(company, { nominal_code: '4711' });
    const messages = await Promise.all(others.map((one) => one.next((change) => change.nodeId === `account_${id}`)));
    for (const message of messages) expect(message).toEqual(messages[0]);
    const own = await short.next((change) => change.nodeId === `account_${id}`);
    expect(own).toEqual({
      operation: 'CREATED',
      nodeId: `account_${id}`,
      node: { company: { name: 'Test company' }, nominalCode: '4711' },
    });
  });

  it('a key that is revoked ends its subscriptions within ten seconds, also when nothing happens', async () => {
    const key = await gateway.key(['INTEGRATIONS'], organisation);
    const changes = await openedBy(accounts(key), company);
    await gateway.services.keys.end((await gateway.services.keys.find(key))!.identity, gateway.services.clock.now(), 'revokedAt');
    expect(await changes.ended).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
