// The settled times of organisations: those who ask while a look is in progress share the next one, and pages of older records need none.
import { expect, it } from 'vitest';
import { SettledTimes } from '../../src/database/settled.statements.ts';
import { countingStatements, currentOwner } from '../../src/runtime/statement-count.ts';
import { useGateway } from '../support/gateway.ts';
import { buildCompany } from '../support/records.ts';
import { statementsOf } from '../support/statements.ts';

const gateway = useGateway({ worker: false });

it('look once for all who ask while another look is in progress, and as the work of no caller', async () => {
  const looks: [organisations: string, owner: string | undefined][] = [];
  const times = new SettledTimes((statement, values) => {
    looks.push([values[0]!, currentOwner()?.name]);
    return gateway.services.database.read(statement, values);
  });
  const askedBy = (name: string, id: number): Promise<number> => countingStatements({ sent: 0, owner: { name } }, () => times.of(id));
  const first = askedBy('first', 901);
  // The look begins within this turn of the event loop, and its response cannot arrive in it.
  while (looks.length === 0) await Promise.resolve();
  const others = [902, 901, 903, 902, 901].map((id) => askedBy('other', id));
  const [begun, ...found] = await Promise.all([first, ...others]);
  expect(looks).toEqual([
    ['{901}', undefined],
    ['{902,901,903}', undefined],
  ]);
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toBeGreaterThanOrEqual(begun!);
});

it('look again after a look that failed', async () => {
  let isDown = true;
  const times = new SettledTimes((statement, values) =>
    isDown ? Promise.reject(new Error('down')) : gateway.services.database.read(statement, values),
  );
  const failed = [times.of(901), times.of(902)];
  expect((await Promise.allSettled(failed)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await times.of(901)).toBeGreaterThan(0);
});

it('are looked for by pages that reach what was just written, which show it', async () => {
  const { id, key, base, headers } = await buildCompany(gateway);
  const { database } = gateway.services;
  const clock = new SettledTimes((statement, values) => database.read(statement, values));
  const read = async (limit: number): Promise<string[]> => {
    const { status, body, text } = await gateway.send('GET', `${base}/accounts?order_by=ledger_created_at&limit=${limit}`, { headers });
    expect(status, text).toBe(200);
    for (const account of body.data) expect(account.ledger_created_at < body.pagination.settled_until, text).toBe(true);
    return body.data.map(({ name }: { name: string }) => name);
  };
  const names: string[] = [];
  for (let made = 0; made < 6; made++) {
    const name = `account ${made}`;
    const { status, body, text } = await gateway.send('POST', `${base}/accounts`, { headers, body: { data: { name } } });
    expect(status, text).toBe(201);
    names.push(name);
    // What has the stamp of this millisecond is not settled before the next.
    while ((await clock.of(0)) <= Date.parse(body.data.data.ledger_created_at));
    // The list before this record was read less than a second ago.
    expect(await read(100)).toEqual(names);
    const document = `query ($id: ID!) { company(id: $id) { accounts(last: 1, orderBy: { field: LEDGER_CREATED_AT }) { nodes { name } } } }`;
    const last = await gateway.graphql(key, document, { id });
    expect(last.body.data.company.accounts.nodes, last.text).toEqual([{ name }]);
  }
  for (const limit of [3, 5, 6, 100]) expect(await statementsOf(database, () => read(limit))).toBe(1);
});
