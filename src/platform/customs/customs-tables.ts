// The customs tables an operator may load in place of those shipped: the six-digit codes that products are checked against, and the national lengths.
import { Field, Int, ObjectType } from 'type-graphql';
import { audit, auditRecords } from '../../access/audit.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import { reason } from '../../administration/operator-transaction.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { argument, mutation, resolver } from '../../graphql/declared/fields.ts';
import { identifier, json, moment, record } from '../../records/decorators.ts';
import { JSONValue } from '../../records/scalars.ts';
import { CacheKey, ShortLived } from '../../runtime/caches.ts';
import { today } from '../shared/dates.ts';
import { checkedValue } from '../shared/payloads.ts';
import { type CustomsCodeOptions, type CustomsLengthTable, readCustomsLengths, readHsCodes } from './customs-codes.ts';
import { harmonizedSystem } from './harmonized-system.ts';
import { codesOn } from './national/national-tariff.ts';

@record({
  description: 'A customs table loaded by an operator; it replaces the built-in one.',
  scope: 'shared',
  key: 'name',
  prefix: 'customs_table',
  primaryKey: ['name'],
  internal: true,
})
export class CustomsTable {
  @identifier('`hs_codes` or `lengths`.', { required: true }) name!: 'hs_codes' | 'lengths';
  @json('The table: six-digit codes, or lengths by country.', { required: true }) content!: string[] | CustomsLengthTable;
  @moment('When it was loaded.', { required: true }) loadedAt!: Date;
}

/** How long a process caches the tables; tables that another process loads take effect here after that. */
const CACHE_MS = 5_000;
const cached = new CacheKey<Services, ShortLived<CustomsCodeOptions>>('customs_tables', () => new ShortLived(CACHE_MS));

/** The tables in force: the loaded ones, otherwise the built-in ones. */
export const customsOptions = (services: Services): Promise<CustomsCodeOptions> =>
  services.caches.of(cached).get(services.clock.now(), () => readOptions(services));

async function readOptions(services: Services): Promise<CustomsCodeOptions> {
  const { reader, caches, clock } = services;
  const national = await codesOn(services, today(clock));
  const options: CustomsCodeOptions = { hsCodes: caches.of(harmonizedSystem).get().codes, national };
  for (const { content } of await reader.find(CustomsTable, { where: {} }, ['content'], { tenant: null })) {
    if (Array.isArray(content)) options.hsCodes = new Set<string>(content);
    else options.lengths = content;
  }
  return options;
}

async function store(
  context: RequestContext,
  { name, content }: Pick<CustomsTable, 'name' | 'content'>,
  reason: string | null,
): Promise<void> {
  const { database, caches, clock } = context.services;
  await systemTransaction(database, async (em) => {
    await em.upsert(CustomsTable, { name, content, loadedAt: clock.now() });
    audit(em, context, null);
    auditRecords(em, [{ id: name }], reason);
  });
  caches.of(cached).clear();
}

@ObjectType({ description: 'Result of loading a customs table.', simpleResolvers: true })
export class IngestCustomsTablePayload {
  @Field(() => Int, { description: 'Number of entries in the new table.' }) entries!: number;
}

const ingesting = mutation(() => IngestCustomsTablePayload, { roles: ['ADMIN'] });

export const CustomsTableResolver = resolver({
  ingestHsCodes: ingesting(
    'Loads six-digit codes that replace HS 2022. Codes of products outside the list are accepted with a warning.',
    { json: argument<unknown>(() => JSONValue, 'An array of six-digit strings; replaces the previous list.'), reason },
    async ({ json, reason }, { context }) => {
      const codes = [...checkedValue(readHsCodes(json))];
      await store(context, { name: 'hs_codes', content: codes }, reason);
      return { entries: codes.length };
    },
  ),
  ingestCustomsLengths: ingesting(
    'Loads the lengths of customs codes by country, which replace the built-in table.',
    { json: argument<unknown>(() => JSONValue, 'An object of country to `{ lengths: [Int], finalLetter: Boolean }`.'), reason },
    async ({ json, reason }, { context }) => {
      const lengths = checkedValue(readCustomsLengths(json));
      await store(context, { name: 'lengths', content: lengths }, reason);
      return { entries: Object.keys(lengths).length };
    },
  ),
});
