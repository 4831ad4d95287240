// A poller that follows the recipe of docs/guides/lists.md beside writers: every version that was stored last is seen, and the versions of a record in their order.
import { beforeAll, describe, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync } from '../support/syncs.ts';

const gateway = useGateway();
const rounds = Number(process.env.SUITE_ROUNDS ?? 1);
const seed = Number(process.env.SUITE_SEED ?? Date.now() % 1_000_000);
const WRITERS = 4;
const WRITES = 40;
const BATCHES = 4;
const BATCH = 600;
const random = seededRandom(seed);
/** Records that a list showed after its end. */
let beyond = 0;

function seededRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Item {
  platform_id: string;
  name: string;
  ledger_created_at: string;
  ledger_updated_at: string;
}

/** Walks the items from a mark on to the end, and returns the mark of the next walk: the largest stamp that was seen. */
async function walk(company: TestCompany, order: 'ledger_updated_at' | 'ledger_created_at', mark: string, see: (item: Item) => void) {
  let largest = mark;
  let cursor = '';
  do {
    const query = `limit=100&order_by=${order}&${order}[gte]=${encodeURIComponent(mark)}${cursor && `&next=${encodeURIComponent(cursor)}`}`;
    const { status, body, text } = await gateway.send('GET', `${company.base}/items?${query}`, { headers: company.headers });
    expect(status, text).toBe(200);
    for (const item of body.data as Item[]) {
      beyond += Number(!(item[order] < body.pagination.settled_until));
      expect(item[order] >= largest).toBe(true);
      largest = item[order];
      see(item);
    }
    cursor = body.pagination.next ?? '';
  } while (cursor);
  return largest;
}

/** Follows the items until `isOver` held before a walk began; returns the names that were seen of each, in their order. */
async function poll(company: TestCompany, order: 'ledger_updated_at' | 'ledger_created_at', isOver: () => boolean) {
  const seen = new Map<string, string[]>();
  let mark = '2000-01-01T00:00:00.000Z';
  for (let isLast = false; !isLast; ) {
    isLast = isOver();
    mark = await walk(company, order, mark, ({ platform_id, name }) => {
      const names = seen.get(platform_id) ?? [];
      if (names.at(-1) !== name) seen.set(platform_id, [...names, name]);
    });
  }
  return seen;
}

/** Writes items one after the other, some of them again; notes the last name of each. */
async function write(origin: string, company: TestCompany, writer: number, stored: Map<string, number>): Promise<void> {
  for (let turn = 0; turn < WRITES; turn++) {
    const platform_id = `w${writer}-${Math.floor(random() * WRITES)}`;
    const body = JSON.stringify({ data: { platform_id, name: String(turn) } });
    const headers = { ...company.headers, 'content-type': 'application/json' };
    const response = await fetch(`${origin}${company.base}/items`, { method: 'PUT', headers, body });
    expect(response.status, await response.text()).toBeLessThan(300);
    stored.set(platform_id, turn);
  }
}

async function writeBatch(company: TestCompany, batch: number, stored: Map<string, number>): Promise<void> {
  const data = Array.from({ length: BATCH }, (_, index) => ({ platform_id: `b${batch % 2}-${index}`, name: String(batch) }));
  const { status, body, text } = await gateway.send('PUT', `${company.base}/items?run_async=true`, {
    headers: company.headers,
    body: { data },
  });
  expect(status, text).toBeLessThan(300);
  const { status: end } = await endOfSync(gateway, company, body.data.sync_id);
  expect(end).toBe('SUCCESS');
  for (const { platform_id } of data) stored.set(platform_id, batch);
}

describe.each(Array.from({ length: rounds }, (_, round) => round))('pollers beside writers, round %i', (round) => {
  let company: TestCompany;
  beforeAll(async () => {
    company = await buildCompany(gateway);
  });

  it('the documented recipe misses no record and no last version', async () => {
    const stored = new Map<string, number>();
    let isOver = false;
    const batches = (async () => {
      for (let batch = 0; batch < BATCHES; batch++) await writeBatch(company, batch, stored);
    })();
    const singles = Array.from({ length: WRITERS }, (_, writer) => write(gateway.origin, company, writer, stored));
    const written = Promise.all([batches, ...singles]).finally(() => {
      isOver = true;
    });
    const [updated, created] = await Promise.all([
      poll(company, 'ledger_updated_at', () => isOver),
      poll(company, 'ledger_created_at', () => isOver),
      written,
    ]);
    const missed = [...stored].filter(([id, version]) => updated.get(id)?.at(-1) !== String(version));
    const neverSeen = [...stored.keys()].filter((id) => !created.has(id));
    const outOfOrder = [...updated.values()].filter((names) =>
      names.some((name, index) => index > 0 && Number(name) < Number(names[index - 1])),
    );
    console.log(
      `poll: seed ${seed}, round ${round}: ${stored.size} records, ${missed.length} missed by ledger_updated_at, ${neverSeen.length} by ledger_created_at, ${outOfOrder.length} out of order, ${beyond} beyond the end`,
    );
    expect({ missed, neverSeen, outOfOrder, beyond }).toEqual({ missed: [], neverSeen: [], outOfOrder: [], beyond: 0 });
  });
});

it('the totals and the list the other way around show what was just written', async () => {
  const company = await buildCompany(gateway);
  await write(gateway.origin, company, 0, new Map());
  const { body } = await gateway.send('GET', `${company.base}/items?limit=1&order_by=-ledger_updated_at`, { headers: company.headers });
  expect(body.data[0].name).toBe(String(WRITES - 1));
  expect(body.pagination).not.toHaveProperty('settled_until');
});
