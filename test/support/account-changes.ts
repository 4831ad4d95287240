// Changes of accounts in tests: subscribers that follow them, and the writes that they receive.
import { expect } from 'vitest';
import { type Follower, follow, started } from './changes.ts';
import type { Gateway } from './gateway.ts';
import type { TestCompany } from './records.ts';
import { connectWithKey } from './subscriber.ts';

const FIELDS =
  'operation nodeId eventId previousEtag matches node { __typename id ... on Account { name nominalCode etag ledgerDeletedAt } }';
const CHANGED = `subscription ($type: [RecordType!]!, $company: ID, $filter: RecordFilters, $after: ID) {
  recordChanged(type: $type, companyId: $company, filter: $filter, after: $after) { ${FIELDS} } }`;

/** Follows and changes accounts of a gateway. */
export function accountChanges(gateway: Gateway) {
  let count = 0;
  const accounts = (key: string, variables: Record<string, unknown> = {}): Follower =>
    follow(connectWithKey(gateway.origin, key), CHANGED, { type: ['ACCOUNT'], ...variables });
  /** Creates an account, or changes the one with this platform id; returns its number. */
  const put = async ({ headers, base }: Pick<TestCompany, 'headers' | 'base'>, data: Record<string, unknown> = {}): Promise<number> => {
    const body = { data: { name: 'Probe', platform_id: `probe-${++count}`, ...data } };
    const response = await gateway.send('PUT', `${base}/accounts`, { headers, body });
    expect(response.status, response.text).toBeLessThan(300);
    return response.body.data.data.ledger_id;
  };
  const remove = ({ headers, base }: TestCompany, id: number): Promise<unknown> =>
    gateway.send('DELETE', `${base}/accounts/${id}`, { headers });
  /** The follower, which has received something by then. */
  const openedBy = async (follower: Follower, by: TestCompany): Promise<Follower> => {
    await started(follower, () => put(by));
    return follower;
  };
  return { accounts, put, remove, openedBy };
}
