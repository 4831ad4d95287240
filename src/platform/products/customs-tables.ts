// The customs tables an operator may load: the six-digit Harmonized System list, absent until loaded, and the national lengths.
import { Arg, Ctx, Field, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { access } from '../../access/authorise.ts';
import type { RequestContext, Services } from '../../access/context.ts';
import { type OperatorCall, reasonArgument, recordOperatorAction } from '../../administration/audit-log.ts';
import { executeIn } from '../../database/open.ts';
import { projectionOf, propOf } from '../../database/reader/projection.ts';
import { systemTransaction } from '../../database/transaction.ts';
import { identifier, json, moment, record } from '../../records/decorators.ts';
import { modelOf } from '../../records/metadata.ts';
import { JSONValue } from '../../records/scalars.ts';
import { checkedValue } from '../shared/payloads.ts';
import { type CustomsCodeOptions, readCustomsLengths, readHsCodes } from './customs-codes.ts';

@record({
  description: 'A customs table loaded by an operator; it replaces the built-in one.',
  scope: 'shared',
  key: 'name',
  prefix: 'customs_table',
  primaryKey: ['name'],
  internal: true,
})
export class CustomsTable {
  @identifier('`hs_codes` or `lengths`.', { required: true }) name!: string;
  @json('The table.', { required: true }) content!: unknown;
  @moment('When it was loaded.', { required: true }) loadedAt!: Date;
}

/** How long a process caches the tables; tables that another process loads take effect here after that. */
const CACHE_MS = 5_000;
const cached = new WeakMap<object, { options: CustomsCodeOptions; until: number }>();
const model = modelOf(CustomsTable);
const projection = projectionOf(model, ['name', 'content']);

/** The tables in force: the loaded ones, otherwise the built-in ones. */
export async function customsOptions(services: Services): Promise<CustomsCodeOptions> {
  const now = services.clock.now().getTime();
  const known = cached.get(services.reader);
  if (known && known.until > now) return known.options;
  const rows = await services.reader.rows({
    projection,
    tenant: null,
    where: [{ prop: propOf(model, 'name'), operator: 'in', value: ['hs_codes', 'lengths'] }],
    primary: true,
  });
  const content = (name: string): unknown => rows.find((row) => row.name === name)?.content;
  const codes = content('hs_codes') as string[] | undefined;
  const lengths = content('lengths') as CustomsCodeOptions['lengths'];
  const options: CustomsCodeOptions = { hsCodes: codes ? new Set(codes) : null, ...(lengths ? { lengths } : {}) };
  cached.set(services.reader, { options, until: now + CACHE_MS });
  return options;
}

async function store(context: RequestContext, call: OperatorCall, content: unknown): Promise<void> {
  const { database, reader, clock } = context.services;
  await systemTransaction(database, async (em) => {
    await executeIn(
      em,
      `insert into customs_table (name, content, loaded_at) values ($1, $2::jsonb, $3::timestamptz)
       on conflict (name) do update set content = excluded.content, loaded_at = excluded.loaded_at`,
      [call.id, JSON.stringify(content), clock.now().toISOString()],
    );
    await recordOperatorAction(em, context, null, call);
  });
  cached.delete(reader);
}

@ObjectType({ description: 'Result of loading a customs table.', simpleResolvers: true })
export class IngestCustomsTablePayload {
  @Field(() => Int, { description: 'Number of entries of the table now in force.' }) entries!: number;
}

@Resolver()
export class CustomsTableResolver {
  @access('ADMIN')
  @Mutation(() => IngestCustomsTablePayload, {
    description: 'Loads the six-digit codes of the Harmonized System; from then on codes outside it are accepted with a warning.',
  })
  async ingestHsCodes(
    @Arg('json', () => JSONValue, { description: 'An array of six-digit strings; replaces the list loaded before.' }) content: unknown,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<IngestCustomsTablePayload> {
    const codes = [...checkedValue(readHsCodes(content))];
    await store(context, { action: 'ingestHsCodes', id: 'hs_codes', reason }, codes);
    return { entries: codes.length };
  }

  @access('ADMIN')
  @Mutation(() => IngestCustomsTablePayload, { description: 'Loads the lengths of customs codes by country; replaces the built-in table.' })
  async ingestCustomsLengths(
    @Arg('json', () => JSONValue, { description: 'An object of country to `{ lengths: [Int], finalLetter: Boolean }`.' }) content: unknown,
    @Arg('reason', () => String, reasonArgument) reason: string | null,
    @Ctx() context: RequestContext,
  ): Promise<IngestCustomsTablePayload> {
    const lengths = checkedValue(readCustomsLengths(content));
    await store(context, { action: 'ingestCustomsLengths', id: 'lengths', reason }, lengths);
    return { entries: Object.keys(lengths).length };
  }
}
