// Ingests a document of ISO 3166 content in one transaction: read, check, store, add a version. The first start and dry runs take the same path.

import { createHash } from 'node:crypto';
import { lockUntilCommit } from '../../database/locks.ts';
import type { Database, EntityManager } from '../../database/open.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { Gathering, isPlainObject } from '../../records/checked.ts';
import { GatewayError, invalid } from '../../records/errors.ts';
import { normaliseDateTime } from '../../records/scalars.ts';
import { type Content, readPart } from './check.ts';
import { partsOf, type Warning } from './formats.ts';
import { withdrawMissing } from './iso.statements.ts';
import { type IsoPart, partNames } from './records.ts';
import { checkRelations } from './relations.ts';
import { addVersion, type ContentSource, currentCount, currentVersion, noRows, type PartCounts, storedCodes, upsertPart } from './store.ts';

/** Result of an ingest. */
export interface Ingestion {
  versionId: number;
  source: ContentSource;
  sha256: string;
  mode: 'MERGE' | 'REPLACE';
  dryRun: boolean;
  applied: boolean;
  counts: Record<IsoPart, PartCounts>;
  warnings: Warning[];
}

export interface IngestServices {
  database: Database;
  now: Date;
  /** Called inside the transaction when the content changed. */
  changed: (em: EntityManager) => Promise<void>;
}

/** Most rows of one ingest, over all parts. */
export const MAX_CONTENT_ROWS = 20_000;
/** A replacing document that withdraws a larger share of a part is probably incomplete, and needs `force`. */
const WITHDRAWN_SHARE = 0.1;

interface Envelope {
  source: ContentSource;
  mode: Ingestion['mode'];
  dryRun: boolean;
  force: boolean;
  data: unknown;
  /** JSON pointer of `data`. */
  base: string;
}

/** Ingests a document, with or without an envelope. */
export async function ingest(body: unknown, services: IngestServices): Promise<Ingestion> {
  const envelope = openEnvelope(body);
  const warnings = new Warnings();
  const content = readContent(envelope, warnings);
  const sha256 = createHash('sha256').update(canonical(envelope.data)).digest('hex');
  const outcome = { source: envelope.source, sha256, mode: envelope.mode, dryRun: envelope.dryRun };
  const run = systemTransaction(services.database, async (em): Promise<Ingestion> => {
    const stored = await store(em, envelope, content, services);
    const applied = Object.values(stored).some((counts) => counts.inserted + counts.updated + counts.withdrawn > 0);
    const result = { ...outcome, counts: stored, warnings: warnings.list, applied: applied && !envelope.dryRun };
    if (envelope.dryRun) throw new DryRun({ ...result, versionId: await currentVersion(em) });
    if (!applied) return { ...result, versionId: await currentVersion(em) };
    await services.changed(em);
    return { ...result, versionId: await addVersion(em, envelope.source, sha256, envelope.mode, services.now) };
  });
  return run.catch((error: unknown) => {
    if (error instanceof DryRun) return error.outcome;
    throw error;
  });
}

/** Carries the outcome of a dry run out of the transaction it rolls back. */
class DryRun extends Error {
  readonly outcome: Ingestion;
  constructor(outcome: Ingestion) {
    super('dry run');
    this.outcome = outcome;
  }
}

/** Collects one warning per code, with its first place and the number of places. */
class Warnings {
  readonly #byCode = new Map<string, Warning & { count: number }>();

  readonly add = (warning: Warning): void => {
    const known = this.#byCode.get(warning.code);
    if (known) known.count++;
    else this.#byCode.set(warning.code, { ...warning, count: 1 });
  };

  get list(): Warning[] {
    return [...this.#byCode.values()].map(({ count, message, ...rest }) => ({ ...rest, message: `${message} (${count} here)` }));
  }
}

function readContent({ data, base, mode }: Envelope, warnings: Warnings): Content {
  const issues = new Gathering();
  const parts = partsOf(data);
  const rows = parts.reduce((sum, part) => sum + part.rows.length, 0);
  if (rows > MAX_CONTENT_ROWS)
    throw new GatewayError('BATCH_LIMIT_EXCEEDED', `the document has ${rows} rows, more than ${MAX_CONTENT_ROWS}`);
  if (rows === 0) throw invalid(base || '/', 'the document has no rows');
  const place = (pointer: string): string => base + pointer;
  const content: Content = {};
  for (const part of parts) {
    const placed = { ...part, rows: part.rows.map((row) => ({ ...row, pointer: place(row.pointer) })) };
    // An empty part would withdraw everything.
    if (mode === 'REPLACE' && part.rows.length === 0) issues.add(place(part.pointer), 'REQUIRED', 'a part that is replaced must have rows');
    content[part.part] = readPart(placed, issues, warnings.add);
  }
  issues.refuse();
  return content;
}

/** Checks the content against the stored content, and stores it. An advisory lock lets one ingest run at a time. */
async function store(
  em: EntityManager,
  { mode, force }: Envelope,
  content: Content,
  { now }: IngestServices,
): Promise<Record<IsoPart, PartCounts>> {
  await lockUntilCommit(em, 'iso_3166');
  const issues = new Gathering();
  checkRelations(content, await storedCodes(em), mode === 'REPLACE', issues);
  issues.refuse();
  const counts = { countries: noRows(), subdivisions: noRows(), former: noRows() };
  for (const part of partNames) {
    const rows = content[part];
    if (!rows) continue;
    const before = mode === 'REPLACE' ? await currentCount(em, part) : 0;
    counts[part] = await upsertPart(em, part, rows, now);
    if (mode === 'MERGE') continue;
    const withdrawn = await withdrawMissing(em, part, rows, now);
    if (withdrawn > before * WITHDRAWN_SHARE && !force) {
      throw new GatewayError(
        'OPERATION_DENIED',
        `the document would withdraw ${withdrawn} of ${before} ${part}, more than 10 %; send force: true if that is meant`,
      );
    }
    counts[part].withdrawn = withdrawn;
  }
  return counts;
}

const envelopeMembers = ['source', 'mode', 'dry_run', 'force', 'data'];

/** Reads the envelope, which is optional and recognised by its member `data`. */
function openEnvelope(body: unknown): Envelope {
  const given = isPlainObject(body) ? body : {};
  if (!('data' in given)) return { source: sourceOf(given.source), mode: 'MERGE', dryRun: false, force: false, data: body, base: '' };
  const unknown = Object.keys(given).find((name) => !envelopeMembers.includes(name));
  if (unknown !== undefined)
    throw invalid(`/${unknown.slice(0, 60)}`, `an envelope may have ${envelopeMembers.join(', ')}`, 'UNKNOWN_FIELD');
  const mode = typeof given.mode === 'string' ? given.mode.toUpperCase() : (given.mode ?? 'MERGE');
  if (mode !== 'MERGE' && mode !== 'REPLACE') throw invalid('/mode', 'mode must be merge or replace');
  const flag = (name: string): boolean => {
    const value = given[name] ?? false;
    if (typeof value !== 'boolean') throw invalid(`/${name}`, `${name} must be true or false`, 'INVALID_TYPE');
    return value;
  };
  return { source: sourceOf(given.source), mode, dryRun: flag('dry_run'), force: flag('force'), data: given.data, base: '/data' };
}

function sourceOf(source: unknown): ContentSource {
  if (source === undefined || source === null) return { name: 'unnamed', version: null, publishedAt: null };
  if (typeof source === 'string') return sourceOf({ name: source });
  if (!isPlainObject(source)) throw invalid('/source', 'source must be an object with name and version', 'INVALID_TYPE');
  const textOf = (name: string): string | null => {
    const value = source[name] ?? null;
    if (value !== null && (typeof value !== 'string' || value.length > 255))
      throw invalid(`/source/${name}`, `${name} must be text of at most 255 characters`, 'INVALID_TYPE');
    return value;
  };
  const published = textOf('published_at');
  const publishedAt = published === null ? null : normaliseDateTime(published);
  if (publishedAt === undefined) throw invalid('/source/published_at', 'published_at must be an ISO 8601 date and time', 'INVALID_FORMAT');
  return { name: textOf('name') ?? 'unnamed', version: textOf('version'), publishedAt };
}

/** JSON with sorted keys, so that documents with the same content have the same hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
