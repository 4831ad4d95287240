// The reads of a record type as declared fields: one record, a list, the summary of that list.
import { type RequestContext, scopeOf } from '../../access/context.ts';
import type { OrderBy, Where } from '../../database/reader/conditions.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { notFound, nounOf } from '../../records/not-found.ts';
import type { RoleName } from '../../records/roles.ts';
import { connectionOf, pageArguments, readConnection } from '../connections.ts';
import { ownRecord } from '../own-record.ts';
import { readSummary } from '../summaries/summaries.ts';
import { PRICED, summaryOf } from '../summaries/summary-types.ts';
import { type Argument, type DeclaredField, id, listArguments, query, summaryArguments } from './fields.ts';

/** The record that owns those of a list: its type, the property that names it, and what it is to them. */
export interface Owner {
  record: RecordClass;
  property: string;
  description: string;
}

interface ReadOptions<T> {
  roles: readonly RoleName[];
  description: string;
  /** The records that it is about; all when absent. */
  where?: Where<T>;
}

interface ListOptions<T> extends ReadOptions<T> {
  /** Callers name the owner whose records they want; all of the organisation when absent. */
  owner?: Owner | undefined;
}

interface PageOptions<T> extends ListOptions<T> {
  order?: OrderBy<T>;
  /** Length of a page when the caller names none. */
  size?: number;
}

/** The record that a caller names by its global id. */
export function recordField<T extends object>(
  record: RecordClass<T>,
  { roles, where, noun = nounOf(record), description }: Partial<ReadOptions<T>> & { roles: readonly RoleName[]; noun?: string },
): DeclaredField {
  const text = `${noun[0]!.toUpperCase()}${noun.slice(1)} with this id. ${modelOf(record).notFound} if it does not exist.`;
  const args = { id: id(`Id of the ${noun}.`) };
  return query(() => record, { roles, nullable: true })(description ?? text, args, ({ id }, { context, info }) =>
    ownRecord(context, info, record, { ...where, id } as Where<T>, { id, field: 'id' }),
  );
}

const ownerArguments = (owner: Owner | undefined): Record<string, Argument<string>> =>
  owner ? { [owner.property]: id(owner.description) } : {};

/** What a read of a list returns, unless the caller may not see the owner that it names. Both are read side by side. */
async function ofOwner<R>(context: RequestContext, owner: Owner | undefined, args: Readonly<Record<string, unknown>>, reading: Promise<R>) {
  if (!owner) return reading;
  const key = args[owner.property] as string;
  const [records, found] = await Promise.all([reading, context.services.reader.one(owner.record, { id: key }, ['id'], scopeOf(context))]);
  if (!found) throw notFound(owner.record, key, owner.property);
  return records;
}

const conditions = <T>({ owner, where }: ListOptions<T>, args: Readonly<Record<string, unknown>>): Where<T> =>
  ({ ...where, ...(owner ? { [owner.property]: args[owner.property] } : {}) }) as Where<T>;

/** A list of records, newest first unless `order` says otherwise. */
export function listField<T extends object>(record: RecordClass<T>, options: PageOptions<T>): DeclaredField {
  const { roles, description, owner, order = { by: ['createdAt'] as unknown as OrderBy<T>['by'], descending: true }, size = 10 } = options;
  const Connection = connectionOf(record);
  const args = { ...ownerArguments(owner), ...listArguments(record, pageArguments(size)) };
  return query(() => Connection, { roles })(description, args, ({ page, filter, orderBy, ...args }, { context, info }, name) => {
    const list = owner ? `${(args as Record<string, unknown>)[owner.property]}.${name}` : name;
    const request = { record, list, where: conditions(options, args), filter, orderBy, order };
    return ofOwner(context, owner, args, readConnection(context, info, page, request));
  });
}

/** The summary of a list of records. */
export function summaryField<T extends object>(record: RecordClass<T>, options: ListOptions<T>): DeclaredField {
  const { roles, description, owner } = options;
  const { type } = summaryOf(record);
  const args = { ...ownerArguments(owner), summary: summaryArguments(record) };
  return query(() => type, { roles, extensions: PRICED })(description, args, ({ summary, ...args }, { context, info }) =>
    ofOwner(context, owner, args, readSummary(context, info, summary, { record, where: conditions(options, args) })),
  );
}
