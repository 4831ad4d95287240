// The operations every ledger record has: read one, list, create, upsert, update, delete. Difference belongs into the record's own file.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, InputType, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { access } from '../core/access.ts';
import { connectionOf, filterConditions, orderBy, type Page, readConnection } from '../core/connections.ts';
import { type RequestContext, tenantOf } from '../core/context.ts';
import type { EntityManager } from '../core/database.ts';
import { defineEnum } from '../core/enums.ts';
import { GatewayError } from '../core/errors.ts';
import { filterInput, type InputClass } from '../core/inputs.ts';
import { modelOf, type RecordClass } from '../core/kit.ts';
import { exposeNode } from '../core/node.ts';
import { propOf, type Row, selectionFor } from '../core/reader.ts';
import { PositiveInt } from '../core/scalars.ts';
import { type FieldTree, lookAhead } from '../core/selection.ts';
import { transaction } from '../core/transact.ts';
import { Company, type CompanyRow, companyOf } from './company.ts';
import { namesOf } from './ledger-record.ts';
import { recordInput } from './record-input.ts';
import { recordFinishedWrite } from './sync.ts';
import { deleteRecord, type RecordInput, recordNotFound, updateRecord, type WriteMode, type WriteScope, writeRecords } from './write.ts';

const LedgerOrderField = defineEnum('LedgerOrderField', 'What a list of ledger records is ordered by.', {
  LEDGER_ID: 'The number of the record.',
  LEDGER_CREATED_AT: 'When the record was stored first.',
  LEDGER_UPDATED_AT: 'When the record last changed here.',
});

/** The property behind each order; the number ends every order anyway. */
const orderProps = { LEDGER_ID: [], LEDGER_CREATED_AT: ['ledgerCreatedAt'], LEDGER_UPDATED_AT: ['ledgerUpdatedAt'] };

const OrderDirection = defineEnum('OrderDirection', 'Direction of an order.', { ASC: 'Smallest or oldest first.', DESC: 'Largest or newest first.' });

@InputType({ description: 'Order of a list of ledger records; equal values are ordered by number.' })
class LedgerOrder {
  @Field(() => LedgerOrderField.values as never, { description: 'What to order by.' }) field!: keyof typeof orderProps;
  @Field(() => OrderDirection.values as never, { description: 'Direction.' }) direction!: 'ASC' | 'DESC';
}

/** The rest name of a payload member is its GraphQL name: rows choose members by root path. */
const many = (target: RecordClass): { type: () => unknown } => ({ type: () => [target] });

function payloadType(name: string, description: string, member: string, type: () => unknown, nullable: boolean, what: string): RecordClass {
  const payload = { [name]: class {} }[name]!;
  Field(() => ID, { description: 'Sync that accounts for the write.' })(payload.prototype, 'syncId');
  Field(type as never, { description: what, nullable })(payload.prototype, member);
  ObjectType(name, { description, simpleResolvers: true })(payload as never);
  return payload;
}

const pascal = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** The resolver class of a ledger record type; also opens the type to `node`. */
export function recordResolver(target: RecordClass): RecordClass {
  const model = modelOf(target);
  const names = namesOf(target);
  const label = names.dataModel.toLowerCase().replaceAll('_', ' ');
  const Filter: InputClass = filterInput(target);
  const Input: InputClass = recordInput(target);
  const Connection = connectionOf(target);
  const WritePayload = payloadType(`${model.name}WritePayload`, `Result of a write of ${label} records.`, names.many, many(target).type, true, 'The stored records, in the order given; null when the write runs asynchronously.');
  const OnePayload = payloadType(`${model.name}Payload`, `Result of a change of one ${label}.`, names.one, () => target, false, 'The record as it is stored now.');
  exposeNode(model.name, 'INTEGRATIONS');

  const write = async (context: RequestContext, info: GraphQLResolveInfo, companyId: number, data: RecordInput[], mode: WriteMode): Promise<Row> => {
    if (data.length === 0) throw new GatewayError('MISSING_PARAMS', 'data must have at least one record', { field: 'data' });
    const { ids, syncId } = await inScope(context, companyId, async (em, scope) => {
      const results = await writeRecords(em, scope, target, data, mode);
      const refused = results.find((result) => result instanceof GatewayError);
      if (refused) throw refused;
      return results.map((result) => (result as { ledgerId: number }).ledgerId);
    }, { dataModel: names.dataModel, configMode: mode === 'create' ? 'CREATE' : 'UPDATE' });
    return { syncId, [names.many]: await readBack(context, info, names.many, companyId, ids) };
  };

  const change = async (context: RequestContext, info: GraphQLResolveInfo, companyId: number, ledgerId: number, configMode: 'UPDATE' | 'DELETE', work: (em: EntityManager, scope: WriteScope) => Promise<void>): Promise<Row> => {
    const { syncId } = await inScope(context, companyId, async (em, scope) => {
      await work(em, scope);
      return [ledgerId];
    }, { dataModel: names.dataModel, configMode });
    return { syncId, [names.one]: (await readBack(context, info, names.one, companyId, [ledgerId]))[0] };
  };

  const readBack = async (context: RequestContext, info: GraphQLResolveInfo, member: string, companyId: number, ids: number[]): Promise<Row[]> => {
    const tree: FieldTree | undefined = lookAhead(info).fields.get(member);
    if (!tree) return [];
    const rows = await context.services.reader.rows({
      selection: selectionFor(model, tree),
      tenant: tenantOf(context),
      where: [
        { prop: propOf(model, 'companyId'), operator: 'eq', value: companyId },
        { prop: propOf(model, 'ledgerId'), operator: 'in', value: ids },
      ],
      includeDeleted: true,
      primary: true,
    });
    const byId = new Map(rows.map((row) => [row.ledgerId, row]));
    return ids.map((id) => byId.get(id)!);
  };

  @Resolver(() => Company)
  class RecordResolver {
    @FieldResolver(() => target as never, { name: names.one, nullable: true, description: `The ${label} with this number. RECORD_NOT_FOUND when the company has none.` })
    async [names.one](
      @Root() company: CompanyRow,
      @Arg('ledgerId', () => PositiveInt, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('includeDeleted', () => Boolean, { defaultValue: false, description: 'Also find a deleted record.' }) includeDeleted: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      const row = await context.services.reader.row({
        selection: selectionFor(model, lookAhead(info)),
        tenant: tenantOf(context),
        where: [
          { prop: propOf(model, 'companyId'), operator: 'eq', value: company.ledgerId },
          { prop: propOf(model, 'ledgerId'), operator: 'eq', value: ledgerId },
        ],
        includeDeleted,
        primary: context.primary,
      });
      if (!row) throw recordNotFound(target, ledgerId);
      return row;
    }

    @FieldResolver(() => Connection as never, { name: names.many, description: `The ${label} records of the company, by number unless ordered otherwise.` })
    [names.many](
      @Root() company: CompanyRow,
      @Arg('first', () => Int, { nullable: true, description: 'Page size from the start, 1 to 100; default 100.' }) first: number | null,
      @Arg('after', () => String, { nullable: true, description: 'Start after this cursor.' }) after: string | null,
      @Arg('last', () => Int, { nullable: true, description: 'Page size from the end, 1 to 100.' }) last: number | null,
      @Arg('before', () => String, { nullable: true, description: 'End before this cursor.' }) before: string | null,
      @Arg('filter', () => Filter, { nullable: true, description: 'Which records to return.' }) filter: Record<string, never> | null,
      @Arg('orderBy', () => LedgerOrder, { nullable: true, description: 'Order; by number, ascending, when absent.' }) order: LedgerOrder | null,
      @Arg('includeDeleted', () => Boolean, { defaultValue: false, description: 'Also return deleted records.' }) includeDeleted: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Page> {
      const own = { prop: propOf(model, 'companyId'), operator: 'eq' as const, value: company.ledgerId };
      return readConnection(context, info, { first, after, last, before }, {
        model,
        list: `${company.ledgerId}.${names.many}`,
        where: [own, ...filterConditions(model, filter)],
        filter,
        order: orderBy(model, order ? orderProps[order.field] : [], order?.direction === 'DESC'),
        includeDeleted,
        defaultSize: 100,
      });
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload as never, { name: `create${pascal(names.many)}`, description: `Creates ${label} records. RECORD_ALREADY_EXISTS when a platform id is taken.` })
    create(
      @Arg('companyId', () => PositiveInt, { description: 'Company to write to.' }) companyId: number,
      @Arg('data', () => [Input], { description: 'The records.' }) data: RecordInput[],
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return write(context, info, companyId, data, 'create');
    }

    @access('INTEGRATIONS')
    @Mutation(() => WritePayload as never, { name: `upsert${pascal(names.many)}`, description: `Creates ${label} records, or updates those whose platform id is known.` })
    upsert(
      @Arg('companyId', () => PositiveInt, { description: 'Company to write to.' }) companyId: number,
      @Arg('data', () => [Input], { description: 'The records, each with its `platformId`.' }) data: RecordInput[],
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return write(context, info, companyId, data, 'upsert');
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload as never, { name: `update${model.name}`, description: `Changes the given fields of one ${label}.` })
    update(
      @Arg('companyId', () => PositiveInt, { description: 'Company the record belongs to.' }) companyId: number,
      @Arg('ledgerId', () => PositiveInt, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('data', () => Input, { description: 'The fields to change.' }) data: RecordInput,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return change(context, info, companyId, ledgerId, 'UPDATE', async (em, scope) => {
        const result = await updateRecord(em, scope, target, ledgerId, data);
        if (result instanceof GatewayError) throw result;
      });
    }

    @access('INTEGRATIONS')
    @Mutation(() => OnePayload as never, { name: `delete${model.name}`, description: `Marks one ${label} and what belongs to it deleted.` })
    remove(
      @Arg('companyId', () => PositiveInt, { description: 'Company the record belongs to.' }) companyId: number,
      @Arg('ledgerId', () => PositiveInt, { description: 'Number of the record.' }) ledgerId: number,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      return change(context, info, companyId, ledgerId, 'DELETE', (em, scope) => deleteRecord(em, scope, target, ledgerId));
    }
  }
  return RecordResolver;
}

/** Runs a write of one company's records with its sync, in one transaction. */
async function inScope(
  context: RequestContext,
  companyId: number,
  work: (em: EntityManager, scope: WriteScope) => Promise<number[]>,
  account: { dataModel: string; configMode: 'CREATE' | 'UPDATE' | 'DELETE' },
): Promise<{ ids: number[]; syncId: string }> {
  const company = await companyOf(context, companyId);
  const { organisationId } = tenantOf(context);
  const { clock } = context.services;
  return transaction(context, async (em) => {
    const startedAt = clock.now();
    const ids = await work(em, { context, organisationId, company, now: startedAt });
    const syncId = await recordFinishedWrite(em, {
      ...account,
      organisationId,
      companyId,
      integrationType: company.integrationType,
      recordsSynced: ids.length,
      startedAt,
      endedAt: clock.now(),
    });
    return { ids, syncId };
  });
}
