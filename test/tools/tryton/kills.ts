// Checks of writes whose sender is killed: whatever the moment, the write has one effect.
import { equal, notEqual, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { PushRequest, SourceRecord } from '../../../src/integrations/connectors/connector.ts';
import { request } from './pushes.ts';
import type { TrytonServer } from './server.ts';
import { connect } from './source.ts';

/** A relay to Tryton that kills its caller at one of the calls: before the call reaches Tryton, or when it is done and not reported. */
class Relay {
  readonly #target: string;
  readonly #server: Server;
  child: ChildProcess | undefined;
  /** Number of the call at which the caller is killed; 0 for none. */
  at = 0;
  isHeard = false;
  calls = 0;

  constructor(target: string) {
    this.#target = target;
    this.#server = createServer((call, response) => void this.#pass(call, response));
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(call: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of call) chunks.push(chunk);
    this.calls += 1;
    const isLast = this.calls === this.at;
    if (isLast && !this.isHeard) return void this.child!.kill('SIGKILL');
    const headers = {
      'content-type': 'application/json',
      ...(call.headers.authorization ? { authorization: call.headers.authorization } : {}),
    };
    const shown = await fetch(this.#target + call.url, { method: 'POST', headers, body: Buffer.concat(chunks) });
    const body = await shown.text();
    if (isLast) return void this.child!.kill('SIGKILL');
    response.writeHead(shown.status, { 'content-type': 'application/json' }).end(body);
  }
}

/** Runs one attempt; the source id it ends with, or null where it was killed. */
async function attempt(relay: Relay, server: object, write: PushRequest, isRepeated: boolean): Promise<string | null> {
  relay.calls = 0;
  const child = spawn('node', [join(import.meta.dirname, 'attempt.ts'), JSON.stringify({ server, write, isRepeated })]);
  relay.child = child;
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)));
  if (signal === 'SIGKILL') return null;
  notEqual(output, '', errors);
  return output;
}

/** Numbers that follow from a seed (mulberry32). */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Writes whose effects can be counted, by a name that only they have. */
const effects: { make(name: string): Promise<PushRequest> | PushRequest; count: string; expected: number }[] = [
  {
    make: (name) => request('CREATE', 'CONTACT', null, { name, email: `${name}@example.com` }),
    count: 'select count(*)::int as count from party_party where name = $1',
    expected: 1,
  },
  {
    make: (name) => request('CREATE', 'ITEM', null, { name, price: 1.25 }),
    count: 'select count(*)::int as count from product_template where name = $1',
    expected: 1,
  },
  ...(['ESTIMATE', 'INVOICE', 'BILL'] as const).map((dataModel) => ({
    make: (memo: string) =>
      request('CREATE', dataModel, null, {
        contact_id: dataModel === 'BILL' ? '10' : '3',
        memo,
        line_items: [{ variant_id: '5', quantity: 1, unit_amount: 2, tax_id: '1' }],
      }),
    // The sum with tax: a draft whose taxes were not computed is not whole.
    count:
      dataModel === 'ESTIMATE'
        ? 'select count(*)::int as count from sale_sale where comment = $1'
        : 'select coalesce(sum(t.amount) * 100, 0)::int as count from account_invoice i join account_invoice_tax t on t.invoice = i.id where i.comment = $1',
    expected: dataModel === 'ESTIMATE' ? 1 : 42,
  })),
];

/** An update that adds a line, which a retry would add again. */
async function addedLine(server: TrytonServer, name: string): Promise<PushRequest> {
  const line = { variant_id: '5', quantity: 1, unit_amount: 2 };
  const { platformId, record } = await connect(server).push!(
    request('CREATE', 'PURCHASE_ORDER', null, { contact_id: '10', description: name, line_items: [line] }),
  );
  const lines = [...(record!.line_items as SourceRecord[]), { ...line, unit_amount: 3 }];
  return request('UPDATE', 'PURCHASE_ORDER', platformId, { ...record, line_items: lines }, record);
}
const LINES = 'select count(*)::int as count from purchase_line l join purchase_purchase p on p.id = l.purchase where p.description = $1';

/** Kills the sender of writes at calls that follow from the seed, twice in each round, and counts the effects at the end. */
export async function killsLeaveOneEffect(server: TrytonServer, rounds: number, seed: number): Promise<string> {
  const below = random(seed);
  const relay = new Relay(server.url);
  const address = { url: await relay.open(), database: server.database, user: server.user, password: server.password };
  let killed = 0;
  let heard = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const name = `kill-${seed}-${round}`;
      const kind = [...effects, { make: (text: string) => addedLine(server, text), count: LINES, expected: 2 }][
        round % (effects.length + 1)
      ]!;
      const write = await kind.make(name);
      let id: string | null = null;
      for (let tried = 0; id === null; tried += 1) {
        // The third attempt is left alone.
        relay.at = tried < 2 ? 1 + below(12) : 0;
        relay.isHeard = below(2) === 1;
        id = await attempt(relay, address, write, tried > 0);
        if (id === null) [killed, heard] = [killed + 1, heard + Number(relay.isHeard)];
      }
      const [{ count }] = (await server.sql<{ count: number }>(kind.count, [name])) as [{ count: number }];
      equal(count, kind.expected, `${write.operation} ${write.dataModel} of round ${round}, seed ${seed}`);
    }
  } finally {
    relay.close();
  }
  ok(killed > 0, 'something was killed');
  return `${rounds} writes, ${killed} kills, ${heard} of them after Tryton had done the call`;
}
