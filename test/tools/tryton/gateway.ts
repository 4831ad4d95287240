// Checks the whole gateway against Tryton. It is killed while callers write on both endpoints, Tryton's users change records and pulls run. At the
// end both databases hold the same, and each write has had one effect.
import { deepEqual, equal, ok } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { tryton } from '../../../src/integrations/connectors/tryton/tryton.ts';
import { GatewayProcess } from './gateway-process.ts';
import { random } from './kills.ts';
import { members, statements, type Total, tenThousandths } from './pulls.ts';
import type { TrytonServer } from './server.ts';
import { Rpc } from './source.ts';

const QUIET_MS = 600_000;
/** Writes of each round, besides changes of records that were written before. */
const WRITES = 6;

/** A write of a caller, found again by a name that only it has. */
interface Written {
  kind: keyof typeof kinds;
  name: string;
  isAcknowledged: boolean;
}

const line = (quantity: number) => ({ variant: { platform_id: '5' }, tax: { platform_id: '1' }, quantity, unit_amount: 2 });

/** What is written: the record under a name, its tables and columns at both ends. */
const kinds = {
  contact: {
    list: 'contacts',
    record: (name: string) => ({ name, email: `${name}@example.com` }),
    here: 'select count(*)::int as count from contact where name = $1 and ledger_deleted_at is null',
    there: 'select count(*)::int as count from party_party where name = $1',
  },
  estimate: {
    list: 'estimates',
    record: (name: string) => ({ memo: name, contact: [{ platform_id: '3' }], currency_id: 'EUR', line_items: [line(1), line(2)] }),
    here: 'select count(*)::int as count from estimate where memo = $1 and ledger_deleted_at is null',
    there: 'select count(*)::int as count from sale_sale where comment = $1',
  },
  purchaseOrder: {
    list: 'purchase_orders',
    record: (name: string) => ({ description: name, contact: { platform_id: '10' }, currency_id: 'EUR', line_items: [line(3)] }),
    here: 'select count(*)::int as count from purchase_order where description = $1 and ledger_deleted_at is null',
    there: 'select count(*)::int as count from purchase_purchase where description = $1',
  },
  invoice: {
    list: 'invoices',
    record: (name: string) => ({ memo: name, contact: { platform_id: '3' }, currency_id: 'EUR', line_items: [line(2)] }),
    here: 'select count(*)::int as count from invoice where memo = $1 and ledger_deleted_at is null',
    there: 'select count(*)::int as count from account_invoice where comment = $1',
  },
};
const kindNames = Object.keys(kinds) as Written['kind'][];

/** A REST body as the input of GraphQL. */
const camel = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body).replace(/"(\w+)":/g, (_, name: string) => `"${name.replace(/_(\w)/g, (_part, letter) => letter.toUpperCase())}":`),
  );

/** A call that the kill cut off, one that was rejected because the store is busy, or a pull next to one that is in progress. */
const isExpected = (error: unknown): boolean =>
  error instanceof TypeError || [': 503 ', 'SYNC_IN_PROGRESS'].some((words) => String(error).includes(words));

/** One history of writes, changes and kills. */
class History {
  readonly #server: TrytonServer;
  readonly #gateway: GatewayProcess;
  readonly #rpc: Rpc;
  readonly #below: (below: number) => number;
  readonly #name: string;
  readonly written: Written[] = [];
  #company = 0;
  changes = 0;

  constructor(server: TrytonServer, gateway: GatewayProcess, seed: number) {
    this.#server = server;
    this.#gateway = gateway;
    this.#rpc = new Rpc(server);
    this.#below = random(seed);
    this.#name = `gateway-${seed}`;
  }

  /** Connects a company and pulls it once. */
  async begin(): Promise<void> {
    await this.#gateway.issueKey();
    this.#company = (await this.#gateway.rest('POST', '/companies', { data: { name: 'Orchard' } })).data.ledger_id;
    const { url, database, user, password } = this.#server;
    await this.#gateway.graphql(
      `mutation ($company: ID!, $settings: JSONObject!) {
         createConnection(input: { companyId: $company, source: "TRYTON", settings: $settings }) { connection { status } } }`,
      { company: this.#company, settings: { url, database, user, password } },
    );
    // The first run of the connection may be under way already.
    await this.pull(true).catch((error: unknown) => ok(isExpected(error), String(error)));
    await this.quiet();
  }

  async pull(fullSync: boolean): Promise<void> {
    await this.#gateway.rest('POST', `/companies/${this.#company}/syncs`, { data: { fullSync } });
  }

  /** Writes, changes and a pull at once, and a kill at some moment of them. */
  async round(): Promise<void> {
    // The kill waits for some responses, so that writes are stored however slow the machine is.
    const wanted = this.#below(WRITES + 1);
    let ended = 0;
    const enough = Promise.withResolvers<void>();
    const count = (): void => {
      if (++ended >= wanted) enough.resolve();
    };
    const callers = Array.from({ length: WRITES }, () => this.#write().finally(count));
    if (wanted === 0) enough.resolve();
    const users = [this.#created(), this.#renamed()];
    const both = this.#changedAtBothEnds();
    const work = Promise.allSettled([...callers, ...users, both, this.pull(false)]);
    await enough.promise;
    await setTimeout(this.#below(3_000));
    await this.#gateway.kill();
    const refused = (await work).flatMap((one) => (one.status === 'rejected' && !isExpected(one.reason) ? [one.reason] : []));
    if (refused.length > 0) throw new AggregateError(refused, refused.map(String).join('; '));
    await this.#gateway.start();
  }

  /** A new record of a caller, on one of the endpoints. */
  async #write(): Promise<void> {
    const kind = kindNames[this.#below(kindNames.length)]!;
    const written: Written = { kind, name: `${this.#name}-${this.written.length}`, isAcknowledged: false };
    this.written.push(written);
    const { list, record } = kinds[kind];
    const data = record(written.name);
    if (this.#below(2) === 0) await this.#gateway.rest('POST', `/companies/${this.#company}/${list}`, { data });
    else {
      const type = kind.replace(/^./, (letter) => letter.toUpperCase());
      const query = `mutation ($company: ID!, $data: [${type}Input!]!) { create${type}s(input: { companyId: $company, records: $data }) { syncId } }`;
      await this.#gateway.graphql(query, { company: this.#company, data: [camel(data)] });
    }
    written.isAcknowledged = true;
  }

  async #created(): Promise<void> {
    await this.#rpc.call('party.party.create', [{ name: `${this.#name} of Tryton ${this.changes++}` }]);
  }

  /** Tryton's user renames a contact that no caller writes. */
  async #renamed(): Promise<void> {
    await this.#rpc.call('party.party.write', [4 + this.#below(5)], { name: `${this.#name} renamed ${this.changes++}` });
  }

  /** A contact changes at both ends, and a document gets one more line here, which a retry would add again. */
  async #changedAtBothEnds(): Promise<void> {
    const [contact] = await this.#gateway.sql<{ id: string }>(
      'select ledger_id as id from contact where company_id = $1 and platform_id = $2 and ledger_deleted_at is null',
      [this.#company, String(11 + this.#below(2))],
    );
    const [order] = await this.#gateway.sql<{ id: string; lines: string }>(
      `select p.ledger_id as id, (select json_agg(json_build_object('platform_id', l.platform_id, 'quantity', l.quantity, 'unit_amount', l.unit_amount,
         'variant_id', l.variant_id, 'tax_id', l.tax_id)) from line_item l where l.parent_id = p.ledger_id and l.ledger_deleted_at is null) as lines
       from purchase_order p where p.company_id = $1 and p.source_state = 'IN_SYNC' and p.description like $2 order by p.ledger_id desc limit 1`,
      [this.#company, `${this.#name}-%`],
    );
    const path = `/companies/${this.#company}`;
    const changes = await Promise.allSettled([
      contact && this.#gateway.rest('PUT', `${path}/contacts/${contact.id}`, { data: { email: `${this.changes}@example.com` } }),
      contact &&
        this.#below(2) === 0 &&
        this.#rpc.call('party.party.write', [11], { name: `${this.#name} at both ends ${this.changes++}` }),
      order && this.#gateway.rest('PUT', `${path}/purchase_orders/${order.id}`, { data: { line_items: [...order.lines, line(7)] } }),
    ]);
    // Tryton may reject its user, whose view is older than what the gateway has just written.
    for (const { reason } of changes.filter((one) => one.status === 'rejected')) if (!String(reason).includes('model.party')) throw reason;
  }

  /** Waits until nothing is under way, and decides what is in conflict. */
  async quiet(): Promise<{ conflicts: number }> {
    let conflicts = 0;
    for (const end = Date.now() + QUIET_MS; Date.now() < end; await setTimeout(500)) {
      const [open] = await this.#gateway.sql<{ pushes: number; syncs: number }>(
        `select (select count(*)::int from source_push) as pushes,
           (select count(*)::int from sync where status not in ('SUCCESS', 'PARTIAL_SUCCESS', 'FAILED', 'CANCELLED')) as syncs`,
      );
      if (open!.pushes + open!.syncs > 0) continue;
      const undecided = await this.#gateway.sql<{ id: string }>(
        "select 'contact_' || ledger_id as id from contact where source_state = 'CONFLICT'",
      );
      if (undecided.length === 0) return { conflicts };
      for (const { id } of undecided) {
        const keep = this.#below(2) === 0 ? 'LOCAL' : 'SOURCE';
        await this.#gateway.graphql(`mutation ($id: ID!) { resolveConflict(input: { id: $id, keep: ${keep} }) { record { id } } }`, { id });
        conflicts += 1;
      }
    }
    const stuck = await this.#gateway.sql('select data_model, attempts, claimed_until from source_push');
    throw new Error(`the gateway is not quiet: ${JSON.stringify(stuck)}`);
  }

  /** Each write has one effect at both ends; one whose response was lost has at most one. */
  async expectOneEffect(): Promise<number> {
    let lost = 0;
    for (const { kind, name, isAcknowledged } of this.written) {
      const [here] = await this.#gateway.sql<{ count: number }>(kinds[kind].here, [name]);
      const [there] = await this.#server.sql<{ count: number }>(kinds[kind].there, [name]);
      equal(there!.count, here!.count, `${kind} ${name} at both ends`);
      ok(isAcknowledged ? here!.count === 1 : here!.count <= 1, `${kind} ${name} has ${here!.count} effects`);
      lost += Number(!isAcknowledged);
    }
    return lost;
  }

  /** Both databases hold the same records, sums and children, and the same contacts by name. */
  async expectEqual(): Promise<string> {
    const figures: string[] = [];
    for (const { dataModel } of tryton.capabilities) {
      const table = dataModel.toLowerCase();
      const { sum, lines } = members[dataModel] ?? {};
      const child = lines === 'line_items' ? 'line_item' : lines === 'addresses' ? 'address' : 'variant';
      const children = `select count(*)::int from ${child} c where c.parent_type = $1 and c.ledger_deleted_at is null`;
      const postings = "select count(*)::int from source_posting where $1 = 'LEDGER_TRANSACTION'";
      const [here] = await this.#gateway.sql<Total>(
        `select count(*)::int as count, ${sum ? `sum(${sum})::text` : 'null'} as sum, (${lines === 'postings' ? postings : children})
           as lines from "${table}" where ledger_deleted_at is null`,
        [dataModel],
      );
      const [there] = await this.#server.sql<Total>(statements[dataModel]!);
      equal(here!.count, there!.count, `${dataModel} records`);
      if (sum) equal(tenThousandths(here!.sum), tenThousandths(there!.sum), `${dataModel} sum of ${sum}`);
      if (lines) equal(here!.lines, there!.lines, `${dataModel} ${lines}`);
      figures.push(`${dataModel} ${here!.count}`);
    }
    deepEqual(
      await this.#gateway.sql('select platform_id::int as id, name from contact where ledger_deleted_at is null order by 1'),
      await this.#server.sql('select id, name from party_party order by 1'),
    );
    const failed = await this.#gateway.sql(
      ['contact', 'estimate', 'purchase_order', 'invoice']
        .map((table) => `select '${table}' as type, source_state, source_error from ${table} where source_state <> 'IN_SYNC'`)
        .join(' union all '),
    );
    deepEqual(failed, [], 'every record is in sync');
    return figures.join(', ');
  }
}

/** Kills the gateway so many times; throws where the ends differ. */
export async function gatewayKillsLoseNothing(server: TrytonServer, kills: number, seed: number): Promise<string> {
  const gateway = new GatewayProcess(await server.emptyDatabase(`gateway_${seed}`));
  try {
    await gateway.start();
    const history = new History(server, gateway, seed);
    await history.begin();
    for (let killed = 0; killed < kills; killed += 1) await history.round();
    const { conflicts } = await history.quiet();
    await history.pull(true);
    const { conflicts: later } = await history.quiet();
    const lost = await history.expectOneEffect();
    const figures = await history.expectEqual();
    return `${kills} kills, ${history.written.length} writes of which ${lost} lost their response, ${history.changes} changes at Tryton, ${conflicts + later} conflicts decided; ${figures}`;
  } finally {
    await gateway.stop();
  }
}
