// Command `explain`: what an id names, its state and what happened to it, read from the database. It prints ids, states, numbers and times, and
// no contents.
import type { Command } from 'commander';
import { Organisation } from '../access/tables.ts';
import type { Config } from '../config.ts';
import type { RunStatement } from '../database/migrations/state.ts';
import type { KeptRequest } from '../http/request-part.ts';
import { decodeGlobalId, isTypeId } from '../records/ids.ts';
import { type KindName, type Model, modelOf, propOf } from '../records/metadata.ts';
import { cell, type Printer } from './print.ts';
import { onStore } from './store.ts';

type Row = Record<string, unknown>;

/** Rows of one kind that belong to what is explained. */
interface History {
  of: string;
  rows: Row[];
}

/** Kinds of properties whose values are no contents. */
const KINDS: ReadonlySet<KindName> = new Set(['uuid', 'id', 'ledgerId', 'integer', 'flag', 'moment', 'date', 'enumeration']);
/** Texts that are words of the gateway, not of callers. */
const WORDS: ReadonlySet<string> = new Set(['operation', 'dataModel', 'errorCode', 'error', 'requestId']);

/** Most rows of one kind, and the newest entries of the audit log that are looked at, because no index leads to those that match. */
const MAX_ROWS = 20;
const MAX_ENTRIES = 10_000;

const literal = (value: string | number): string => `'${String(value).replaceAll("'", "''")}'`;

const columnsOf = ({ props }: Model): string =>
  [...props.values()]
    .filter(({ kind, name }) => KINDS.has(kind) || WORDS.has(name))
    .map(({ column, name }) => `t."${column}" as "${name}"`)
    .join(', ');

const rowsOf = (run: RunStatement, model: Model, property: string, value: string | number): Promise<Row[]> =>
  run(
    `select ${columnsOf(model)} from "${model.table}" t where t."${propOf(model, property).column}" = ${literal(value)} order by t."${propOf(model, model.key).column}" desc limit ${MAX_ROWS}`,
  );

/** Entries of the audit log under a condition, newest first. */
const entriesWhere = (run: RunStatement, condition: string): Promise<Row[]> =>
  run(
    `select e.id, e.at, e.actor_kind as "actorKind", e.actor_id as "actorId", e.operation, e.record_count as "recordCount", e.request_id as "requestId"
     from (select * from audit_entry order by at desc, id desc limit ${MAX_ENTRIES}) e where ${condition} order by e.at desc, e.id desc limit ${MAX_ROWS}`,
  );

/** Requests of organisations with an id, among the newest rows: no index leads to the id of a request. */
async function requestsOf(run: RunStatement, id: string): Promise<Row[]> {
  const rows = await run<{ requests: string }>(
    `select p.requests from (select requests from request_part order by second desc, id desc limit ${MAX_ENTRIES}) p where strpos(p.requests, ${literal(JSON.stringify(id))}) > 0 limit ${MAX_ROWS}`,
  );
  return rows
    .flatMap(({ requests }) => JSON.parse(requests) as KeptRequest[])
    .filter(([, requestId]) => requestId === id)
    .map(([at, , operation, status, errorCode, actorKind, actorId, duration]) => ({
      at: new Date(at),
      operation,
      status,
      errorCode,
      actorKind,
      actorId,
      duration,
    }));
}

/** The record that an id names. Operators know organisations by their public ids. */
function recordOf(id: string): { model: Model; property: string; value: string | number } | undefined {
  const organisation = modelOf(Organisation);
  if (isTypeId(id, organisation.prefix)) return { model: organisation, property: 'publicId', value: id };
  const named = decodeGlobalId(id);
  return named && { model: named.model, property: named.model.key, value: named.key };
}

/** What is known of an id; of a request how it ended and what it wrote. */
async function explain(run: RunStatement, id: string): Promise<{ type: string; history: History[] }> {
  const named = recordOf(id);
  if (!named) {
    const requests = { of: 'request', rows: await requestsOf(run, id) };
    return { type: 'Request', history: [requests, { of: 'audit log', rows: await entriesWhere(run, `e.request_id = ${literal(id)}`) }] };
  }
  const { model, property, value } = named;
  const history = [{ of: 'state', rows: await rowsOf(run, model, property, value) }];
  for (const { name, target, from, to, many, where } of model.relations.values())
    if (many && from === property && !where) history.push({ of: name, rows: await rowsOf(run, modelOf(target()), to, value) });
  history.push({ of: 'audit log', rows: await entriesWhere(run, `e.record_ids @> ${literal(JSON.stringify([id]))}::jsonb`) });
  return { type: model.name, history };
}

/** A row on a line; what is not set is left out. */
const lineOf = (row: Row): string =>
  Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${cell(value instanceof Date ? value.toISOString() : value)}`)
    .join('  ');

/** Adds the command. */
export function explainCommand(program: Command, config: Config, printer: Printer): void {
  program
    .command('explain')
    .description(
      'show what an id names, its state and what happened to it, without contents; the embedded database needs the gateway to be stopped',
    )
    .argument('<id>', 'id of a request, or global id of a record of any kind: dlv_…, sync_…, syncjob_…, key_…, file_…, account_…, org_…')
    .action(async (id: string) => {
      const { type, history } = await onStore(config, (run) => explain(run, id)).catch((error: Error) => program.error(error.message));
      const found = history.filter(({ rows }) => rows.length > 0);
      if (found.length === 0)
        program.error(
          type === 'Request'
            ? `nothing is known of ${id}: no request that was kept has this id (REQUEST_RETENTION_DAYS), and the id of a record begins with its kind, such as dlv_, sync_ or account_`
            : `nothing is known of ${id}: this database has no ${type} with this id, or its retention has passed`,
        );
      const text = found.flatMap(({ of, rows }) => [`${of}:`, ...rows.map((row) => `  ${lineOf(row)}`)]);
      printer.result(
        { id, type, ...Object.fromEntries(found.map(({ of, rows }) => [of.replaceAll(' ', '_'), rows])) },
        [`${type} ${id}`, ...text].join('\n'),
      );
    });
}
