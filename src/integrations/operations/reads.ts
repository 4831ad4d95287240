// The reads of every ledger record type: one record, a list, its integrity issues. What is special to one type belongs in that record's file.
import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, Field, FieldResolver, Info, InputType, Resolver, Root } from 'type-graphql';
import { type RequestContext, tenantOf } from '../../access/context.ts';
import { projectionFor, propOf, type Row, resolverNeeds } from '../../database/reader/projection.ts';
import {
  connectionOf,
  filterConditions,
  orderBy,
  type Page,
  type PageArguments,
  pageArguments,
  readConnection,
} from '../../graphql/connections.ts';
import { filterInput, type InputClass } from '../../graphql/input-types.ts';
import { lookAhead } from '../../graphql/look-ahead.ts';
import { exposeNode } from '../../graphql/node.ts';
import { defineEnum } from '../../records/enums.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { PositiveInt } from '../../records/scalars.ts';
import { Company, type CompanyRow } from '../companies/company.ts';
import { namesOf } from '../ledger/ledger-record.ts';
import { IntegrityIssue, readIssues } from '../writes/integrity-check.ts';
import { type Issue, propsOfRules } from '../writes/integrity-rules.ts';
import { recordNotFound } from '../writes/write.ts';

const PageOptions = pageArguments(100);

const LedgerOrderField = defineEnum('LedgerOrderField', 'What a list of ledger records is ordered by.', {
  LEDGER_ID: 'The number of the record.',
  LEDGER_CREATED_AT: 'When the record was stored first.',
  LEDGER_UPDATED_AT: 'When the record last changed here.',
});

/** The property of each order. Every order ends with the record number, also where none is listed. */
const orderProps = { LEDGER_ID: [], LEDGER_CREATED_AT: ['ledgerCreatedAt'], LEDGER_UPDATED_AT: ['ledgerUpdatedAt'] };

const OrderDirection = defineEnum('OrderDirection', 'Direction of an order.', {
  ASC: 'Smallest or oldest first.',
  DESC: 'Largest or newest first.',
});

@InputType({ description: 'Order of a list of ledger records; equal values are ordered by number.' })
class LedgerOrder {
  @Field(() => LedgerOrderField.values as never, { description: 'What to order by.' }) field!: keyof typeof orderProps;
  @Field(() => OrderDirection.values as never, { description: 'Direction.' }) direction!: 'ASC' | 'DESC';
}

/** The resolver classes for reads of a ledger record type; also opens the type to `node`. */
export function recordReads(target: RecordClass): RecordClass[] {
  const model = modelOf(target);
  const names = namesOf(target);
  const label = names.dataModel.toLowerCase().replaceAll('_', ' ');
  const Filter: InputClass = filterInput(target);
  const Connection = connectionOf(target);
  exposeNode(model.name, 'INTEGRATIONS');
  resolverNeeds(model.name, 'integrityIssues', [...propsOfRules(model), 'ledgerId', 'companyId']);

  @Resolver(() => Company)
  class RecordResolver {
    @FieldResolver(() => target as never, {
      name: names.one,
      nullable: true,
      description: `The ${label} with this number. RECORD_NOT_FOUND when the company has none.`,
    })
    async [names.one](
      @Root() company: CompanyRow,
      @Arg('ledgerId', () => PositiveInt, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('includeDeleted', () => Boolean, { defaultValue: false, description: 'Also find a deleted record.' }) includeDeleted: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      const row = await context.services.reader.row({
        projection: projectionFor(model, lookAhead(info)),
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

    @FieldResolver(() => Connection as never, {
      name: names.many,
      description: `The ${label} records of the company, by number unless ordered otherwise.`,
    })
    [names.many](
      @Root() company: CompanyRow,
      @Args(() => PageOptions) page: PageArguments,
      @Arg('filter', () => Filter, { nullable: true, description: 'Which records to return.' }) filter: Record<string, never> | null,
      @Arg('orderBy', () => LedgerOrder, { nullable: true, description: 'Order; by number, ascending, when absent.' })
      order: LedgerOrder | null,
      @Arg('includeDeleted', () => Boolean, { defaultValue: false, description: 'Also return deleted records.' }) includeDeleted: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Page> {
      const own = { prop: propOf(model, 'companyId'), operator: 'eq' as const, value: company.ledgerId };
      return readConnection(context, info, page, {
        model,
        list: `${company.ledgerId}.${names.many}`,
        where: [own, ...filterConditions(model, filter)],
        filter,
        order: orderBy(model, order ? orderProps[order.field] : [], order?.direction === 'DESC'),
        includeDeleted,
      });
    }
  }

  @Resolver(() => target as never)
  class IssueResolver {
    @FieldResolver(() => [IntegrityIssue], {
      description: 'Integrity rules that the record breaks. Writes with `strict` refuse such records.',
    })
    @Extensions({ rest: 'never' })
    integrityIssues(@Root() record: Row, @Ctx() context: RequestContext): Promise<Issue[]> {
      // A computed record (an ISO 4217 currency that the company has not stored) breaks no rule.
      return record.ledgerId === null ? Promise.resolve([]) : readIssues(context, model, record);
    }
  }
  return [RecordResolver, IssueResolver];
}
