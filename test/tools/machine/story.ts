// The chapters of docs/operations in the order they are followed, and what callers and operators see after each.
import { commandsOf } from './chapters.ts';
import type { Machine } from './machine.ts';
import { NEXT, RELEASE, REPOSITORY } from './release.ts';

const GATEWAY = 'http://127.0.0.1:4000';

let failures = 0;
function check(what: string, isTrue: boolean, seen: unknown = ''): void {
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${what}${isTrue ? '' : `: ${String(seen).trim().slice(0, 800)}`}`);
  if (!isTrue) failures++;
}

class Operator {
  readonly #machine: Machine;
  key = '';
  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Runs the commands of a chapter; returns what each block printed. */
  follow(page: string, title: string, environment: Record<string, string> = {}): string[] {
    const start = performance.now();
    const printed = commandsOf(page, title).map((commands, index) => {
      try {
        return this.#machine.run(commands, environment);
      } catch (error) {
        throw new Error(`${title}, block ${index + 1}: ${(error as Error).message}`);
      }
    });
    console.log(`     ${title}: followed in ${((performance.now() - start) / 1_000).toFixed(0)} s`);
    return printed;
  }

  /** What happens to the machine, and what is asked of it, next to the document. */
  run(commands: string): string {
    return this.#machine.run(commands);
  }

  #send(method: string, path: string, body?: unknown): { status: number; text: string } {
    const data = body === undefined ? '' : `-H 'content-type: application/json' --data '${JSON.stringify(body)}'`;
    const command = `curl --silent --max-time 10 --request ${method} -H 'Authorization: Bearer ${this.key}' -H 'api_key: ${this.key}' ${data} --write-out '\\n%{http_code}' '${GATEWAY}${path}' || true`;
    const lines = this.run(command).trimEnd().split('\n');
    return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join('\n') };
  }

  /** Creates a corporation, reads it back and returns its id. */
  write(name: string): string {
    const made = this.#send('POST', '/api/v1/corporations', { legal_name: name, jurisdiction: 'GB' });
    const id = /"id":"(corp_\w+)"/.exec(made.text)?.[1] ?? '';
    check(`${name}: a write is accepted and read back`, made.status === 200 && this.has(id, name), made.text);
    return id;
  }

  has(id: string, name: string): boolean {
    const { status, text } = this.#send('GET', `/api/v1/corporations/${id}`);
    return status === 200 && text.includes(name);
  }

  health(): { version: string; schema: string } {
    return JSON.parse(this.#send('GET', '/healthz').text);
  }

  metric(pattern: RegExp): string {
    return pattern.exec(this.run('curl --silent http://127.0.0.1:4001/metrics'))?.[1] ?? '';
  }
}

function install(operator: Operator): void {
  operator.run('pg_dropcluster --stop 15 main; pg_createcluster 15 main --port 5432 --start');
  const [, , issued] = operator.follow('install.md', 'On Debian', { REPOSITORY, RELEASE });
  check(
    'the doctor finds nothing wrong',
    /gateway +ok/.test(issued!) && /migrations +ok/.test(issued!) && !/ERROR|warning/.test(issued!),
    issued,
  );
  operator.key = /ent_\w+/.exec(issued!)?.[0] ?? '';
  const user = operator.run('ps -o user= -p "$(systemctl show --property MainPID --value ledger-gateway)"').trim();
  check('the service runs without rights', user !== '' && user !== 'root', user);
  const node = operator.run('readlink "/proc/$(systemctl show --property MainPID --value ledger-gateway)/exe"');
  check('the service runs on the Node that comes with the program', node.includes('/opt/ledger-gateway-'), node);
}

function upgrade(operator: Operator): void {
  const before = operator.write('Written before the upgrade');
  const [printed] = operator.follow('upgrade.md', 'Install the next release', { REPOSITORY, RELEASE: NEXT });
  check(
    'the check says that a migration is pending, and the plan has its SQL',
    /pending: 29990101000000_rolled[\s\S]*exit code 3[\s\S]*add "rolled"/.test(printed!),
    printed,
  );
  const { version, schema } = operator.health();
  check('version and schema are the new ones', version === '99.0.0' && schema === '29990101000000_rolled', `${version} ${schema}`);
  check('what was written before is there', operator.has(before, 'Written before the upgrade'));
  const after = operator.write('Written after the upgrade');
  const refused = operator.run(
    `ledger-admin --json migrate --check; PROGRAM=/opt/ledger-gateway-${RELEASE} ledger-admin migrate --check || echo "exit code $?"`,
  );
  check(
    'the program of the last release rejects the schema and names the version to use',
    /use version 99\.0\.0[\s\S]*exit code 4/.test(refused),
    refused,
  );
  operator.follow('upgrade.md', 'Roll back', { FORMER: RELEASE });
  const back = operator.health();
  check(
    'the former program runs on the newer schema',
    `v${back.version}` === RELEASE && back.schema === '29990101000000_rolled',
    JSON.stringify(back),
  );
  check(
    'nothing that was written since is lost',
    operator.has(before, 'Written before the upgrade') && operator.has(after, 'Written after the upgrade'),
  );
  operator.write('Written after the roll back');
  const looked = operator.follow('fix.md', 'First look').join('');
  check(
    'the first look shows service, doctor, metrics and sessions',
    ['Active: active', 'gateway_database_connections', 'wait_event_type'].every((text) => looked.includes(text)),
    looked,
  );
  operator.run('systemctl stop postgresql@15-main');
  check(
    'without its database it returns 503',
    operator.run(`curl --silent --output /dev/null --write-out '%{http_code}' ${GATEWAY}/healthz`) === '503',
  );
  operator.run('systemctl start postgresql@15-main');
  operator.write('Written after the outage, without a restart');
}

function pooler(operator: Operator): void {
  const reported = operator.follow('scale.md', 'Connection poolers').join('');
  check('the start says that it found a pooler', /pooler/i.test(reported), reported);
  operator.write('Written through the pooler');
}

function restore(operator: Operator): void {
  const kept = operator.write('Written before the backup');
  operator.follow('back-up.md', 'Back up PostgreSQL');
  operator.run('pg_createcluster 15 restored --port 5434 --start');
  operator.follow('back-up.md', 'Restore PostgreSQL', { PGPORT: '5434' });
  check('the restored database has what was written', operator.has(kept, 'Written before the backup'));
  check(
    'the gateway is connected to the new server',
    operator
      .run(
        'runuser -u postgres -- psql --port 5434 --tuples-only --command "select count(*) > 0 from pg_stat_activity where usename = \'gateway\'"',
      )
      .trim() === 't',
  );
  operator.write('Written after the restore');
}

function losses(operator: Operator): void {
  operator.follow('scale.md', 'Read replicas');
  operator.write('Written with a replica');
  operator.run('systemctl kill --kill-whom main --signal KILL postgresql@15-replica');
  operator.write('Written while the replica is lost');
  operator.follow('scale.md', 'A replica is lost');
  const kept = operator.write('Written with the new replica');
  operator.run(
    'until [ "$(runuser -u postgres -- psql --tuples-only --no-align --command "select replay_lsn >= pg_current_wal_lsn() from pg_stat_replication")" = t ]; do sleep 0.2; done',
  );
  operator.run('systemctl kill --kill-whom main --signal KILL postgresql@15-main');
  operator.follow('scale.md', 'The primary is lost');
  check('the promoted server has what it had received', operator.has(kept, 'Written with the new replica'));
  operator.write('Written after the failover');
}

/** Follows the document; returns the number of failed checks. */
export function followDocument(machine: Machine): number {
  const operator = new Operator(machine);
  install(operator);
  upgrade(operator);
  // Each of the next chapters begins where the installation ended.
  machine.run('cp /etc/ledger-gateway.env /root/installed.env');
  for (const chapter of [pooler, restore, losses]) {
    machine.run(
      `cp /root/installed.env /etc/ledger-gateway.env; systemctl restart ledger-gateway; until curl --fail --silent ${GATEWAY}/readyz; do sleep 1; done`,
    );
    chapter(operator);
  }
  return failures;
}
