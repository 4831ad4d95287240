// The reads of every ledger record type: one record, a list, its integrity issues. What is special to one type belongs in that record's file.

import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Extensions, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import { type RequestContext, scopeOf } from '../../access/context.ts';
import { needs, type Row } from '../../database/reader/projection.ts';
import { connectionOf, type Page, type PageArguments, pageArguments, readConnection } from '../../graphql/connections.ts';
import { RecordArg } from '../../graphql/input-types.ts';
import { placedBy } from '../../graphql/json-lists.ts';
import { FilterArg, type FilterInput, OrderArg, type OrderInput } from '../../graphql/list-inputs.ts';
import { ownRecordOfEach } from '../../graphql/own-record.ts';
import { readSummary, type Summary } from '../../graphql/summaries/summaries.ts';
import { PRICED, type SummaryArguments, summaryOf } from '../../graphql/summaries/summary-types.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { Company, type CompanyRow } from '../companies/company.ts';
import { LedgerRecord, namesOf } from '../ledger/ledger-record.ts';
import { IntegrityIssue, readIssues } from '../writes/integrity-check.ts';
import { type Issue, propsOfRules } from '../writes/integrity-rules.ts';

const PageOptions = pageArguments(100);

/** The resolver classes for reads of a ledger record type; also opens the type to `node`. */
export function recordReads(target: RecordClass<LedgerRecord>): RecordClass[] {
  const model = modelOf(target);
  const names = namesOf(target);
  const label = names.dataModel.toLowerCase().replaceAll('_', ' ');
  const Connection = connectionOf(target);
  const Totals = summaryOf(target);
  const placeOf = ({ ledgerId }: Pick<CompanyRow, 'ledgerId'> | Row) => ({
    list: `${ledgerId}.${names.many}`,
    where: { companyId: ledgerId as number },
  });
  const totals: string = `${names.many}Summary`;

  @Resolver(() => Company)
  class RecordResolver {
    @FieldResolver(() => target, {
      name: names.one,
      nullable: true,
      description: `The ${label} with this number. RECORD_NOT_FOUND if it does not exist.`,
    })
    [names.one](
      @Root() company: CompanyRow,
      @RecordArg('ledgerId', () => target, { description: 'Number of the record.' }) ledgerId: number,
      @Arg('includeDeleted', () => Boolean, { defaultValue: false, description: 'Also find a deleted record.' }) includeDeleted: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Row> {
      const where = { companyId: company.ledgerId, ledgerId };
      return ownRecordOfEach(context, info, target, where, { id: ledgerId, field: 'ledgerId' }, { ...scopeOf(context), includeDeleted });
    }

    @placedBy(Company, placeOf)
    @FieldResolver(() => Connection, {
      name: names.many,
      description: `The ${label} records of the company, sorted by number by default.`,
    })
    [names.many](
      @Root() company: CompanyRow,
      @Args(() => PageOptions) page: PageArguments,
      @FilterArg(target) filter: FilterInput | null,
      @OrderArg(target) orderBy: OrderInput[] | null,
      @Arg('includeDeleted', () => Boolean, { defaultValue: false, description: 'Also return deleted records.' }) includeDeleted: boolean,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Page> {
      return readConnection(context, info, page, {
        record: target,
        ...placeOf(company),
        filter,
        orderBy,
        includeDeleted,
      });
    }

    @FieldResolver(() => Totals.type, {
      name: totals,
      description: `Counts, sums, averages and extremes of the ${label} records, in groups.`,
    })
    @Extensions(PRICED)
    [totals](
      @Root() company: CompanyRow,
      @Args(() => Totals.Arguments) args: SummaryArguments,
      @Ctx() context: RequestContext,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Summary> {
      return readSummary(context, info, args, { record: target, where: { companyId: company.ledgerId } });
    }
  }

  @Resolver(() => target)
  class IssueResolver {
    @needs<object>(target, ...propsOfRules(model), 'ledgerId', 'companyId')
    @FieldResolver(() => [IntegrityIssue], {
      description: 'Broken integrity rules.',
    })
    @Extensions({ rest: 'select' })
    integrityIssues(@Root() record: Row, @Ctx() context: RequestContext, @Info() info: GraphQLResolveInfo): Promise<Issue[]> {
      // A computed record (an ISO 4217 currency that the company has not stored) breaks no rule.
      return record.ledgerId === null ? Promise.resolve([]) : readIssues(context, info, model, record);
    }
  }
  return [RecordResolver, IssueResolver];
}
