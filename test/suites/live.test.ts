// Live data: what a changed record costs does not depend on how many follow it. A round is 20 subscribers.
import { beforeAll, expect, it } from 'vitest';
import { socketLimits } from '../../src/graphql/subscriptions/messages.ts';
import { type Follower, follow, started } from '../support/changes.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';
import { closeClients, connectWithKey } from '../support/subscriber.ts';

const SUBSCRIBERS = 20 * Number(process.env.SUITE_ROUNDS ?? 1);

// Without a worker, so that no background task counts.
const gateway = useGateway({ worker: false });
closeClients();

let company: TestCompany;
beforeAll(async () => {
  company = await buildCompany(gateway);
});

const documentOf = (field: string): string =>
  `subscription { recordChanged(type: [ACCOUNT]) { operation nodeId eventId node { ... on Account { ${field} company { name } } } } }`;

let count = 0;
async function write(): Promise<string> {
  const { headers, base } = company;
  const name = `Write ${++count}`;
  const response = await gateway.send('PUT', `${base}/accounts`, { headers, body: { data: { platform_id: 'live', name } } });
  expect(response.status, response.text).toBeLessThan(300);
  return name;
}

/** Subscribers on as many connections as they need. */
async function crowd(size: number, field = 'name'): Promise<Follower[]> {
  const followers: Follower[] = [];
  while (followers.length < size) {
    const client = connectWithKey(gateway.origin, company.key);
    for (let open = 0; open < socketLimits.subscriptions && followers.length < size; open++)
      followers.push(follow(client, documentOf(field)));
  }
  for (const follower of followers) await started(follower, write);
  return followers;
}

/** Writes once and waits until every subscriber has the record as it was written. */
async function writeAndReceive(followers: readonly Follower[]): Promise<void> {
  const name = await write();
  await Promise.all(followers.map((follower) => follower.next(({ node }) => (node.name ?? node.shown) === name)));
}

it(`a change takes as many statements with ${SUBSCRIBERS} subscribers as with one, and one read more for another selection`, async () => {
  const [first] = (await crowd(1)) as [Follower];
  const alone = await statementsOf(gateway.services.database, () => writeAndReceive([first]));
  const all = [first, ...(await crowd(SUBSCRIBERS - 1))];
  expect(await statementsOf(gateway.services.database, () => writeAndReceive(all))).toBe(alone);
  all.push(...(await crowd(1, 'shown: name nominalCode')));
  // The record and its company.
  expect(await statementsOf(gateway.services.database, () => writeAndReceive(all))).toBe(alone + 2);
});
