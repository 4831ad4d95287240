// The trial balance that the source of a company makes of its own books, next to that of the gateway, with the difference of each account and its
// reason.
import { type RequestContext, scopeOf, tenantOf } from '../../access/context.ts';
import { arrayLiteral } from '../../database/array-literal.ts';
import { GatewayError } from '../../records/errors.ts';
import type { CompanyRow } from '../companies/company.ts';
import { Connection } from '../connections/connection.ts';
import { askSource } from '../connections/sources.ts';
import type { SourceBalances } from '../connectors/connector.ts';
import { exactSum } from '../writes/exact-sum.ts';
import { LEDGER_TRANSACTION } from './ledger-transaction.ts';
import type { SourceTrialBalance, SourceTrialBalanceRow } from './report-types.ts';
import { type Balance, balancesOf, booksOf, numberOf, unposted } from './reports.ts';
import { sourceAccounts } from './source-postings.statements.ts';

/** A balance there and here. */
type Compared = Omit<SourceTrialBalanceRow, 'companyId' | 'reason'>;

/** What the source reports, with the id of the connection that was asked. */
async function asked(
  context: RequestContext,
  company: CompanyRow,
  asOf: string,
): Promise<{ connectionId: string; report: SourceBalances }> {
  const { organisationId } = tenantOf(context);
  const { ledgerId, integrationType } = company;
  return askSource(context, { organisationId, ledgerId, integrationType }, async ({ connector, connection }) => {
    if (!connection || !connector.trialBalance)
      throw new GatewayError('OPERATION_NOT_SUPPORTED', `${connection?.source ?? integrationType} has no trial balance of its own`);
    return { connectionId: connection.id, report: await connector.trialBalance(asOf) };
  });
}

/** The balances here of the days that the source counts, and what income and expenses came to before these. */
async function balancesHere(context: RequestContext, companyId: number, asOf: string, incomeSince: string | null) {
  const all = await balancesOf(context, companyId, { to: asOf });
  if (incomeSince === null) return { accounts: all.accounts, earlierIncome: 0 };
  const year = await balancesOf(context, companyId, { from: incomeSince, to: asOf });
  const isIncome = ({ category }: Balance): boolean => category === 'INCOME' || category === 'EXPENSE';
  return {
    accounts: [...all.accounts.filter((account) => !isIncome(account)), ...year.accounts.filter(isIncome)],
    earlierIncome: exactSum([all.earnings, -year.earnings]),
  };
}

/** Asks the source of a company for its trial balance at the end of a day, and compares it. Reads what is here after the source has responded. */
export async function sourceTrialBalance(context: RequestContext, company: CompanyRow, asOf: string): Promise<SourceTrialBalance> {
  const companyId = company.ledgerId;
  const { connectionId, report } = await asked(context, company, asOf);
  const fetchedAt = context.services.clock.now().toISOString();
  const books = await booksOf(context, companyId, { to: asOf });
  const ids = arrayLiteral(report.rows, ({ accountId }) => accountId);
  const stored = await context.services.database.read(
    sourceAccounts,
    [String(companyId), String(tenantOf(context).organisationId), ids],
    scopeOf(context).freshness,
  );
  const accountIds = new Map(stored.map(([id, accountId]) => [id, numberOf(accountId)]));
  const { accounts, earlierIncome } = await balancesHere(context, companyId, asOf, report.incomeSince);
  const balances = new Map(accounts.map(({ accountId, balance }) => [accountId, balance]));
  const pulled = await context.services.reader.one(Connection, { id: connectionId }, ['pullStates'], scopeOf(context));
  const state = pulled?.pullStates[LEDGER_TRANSACTION];
  const isIncomplete = !books.isOfSource && (await unposted(context, { companyId, period: { to: asOf }, currency: null })).totalCount > 0;

  const compared = report.rows.map(({ accountId: id, name, balance }): Compared => {
    const accountId = accountIds.get(id) ?? null;
    const gateway = accountId === null ? 0 : (balances.get(accountId) ?? 0);
    const difference = exactSum([gateway, -balance]);
    return { accountId, part: null, sourceAccountId: id, sourceName: name, source: balance, gateway, difference };
  });
  const inReport = new Set(compared.flatMap(({ accountId }) => accountId ?? []));
  const others = accounts
    .filter(({ accountId }) => accountId === null || !inReport.has(accountId))
    .map(({ accountId, part, balance }): Compared => {
      return { accountId, part, sourceAccountId: null, sourceName: null, source: 0, gateway: balance, difference: balance };
    });

  const reasonOf = ({ accountId, sourceAccountId, difference }: Compared): string | null => {
    if (difference === 0) return null;
    if (report.currency !== null && books.currency !== null && report.currency !== books.currency) return 'OTHER_CURRENCY';
    if (accountId === null) return sourceAccountId === null ? 'NO_ACCOUNT' : 'ACCOUNT_NOT_STORED';
    if (difference === -earlierIncome) return 'EARLIER_YEARS';
    if (!books.isOfSource) return isIncomplete ? 'UNPOSTED_DOCUMENTS' : 'DERIVED';
    return (state?.refused ?? 0) > 0 ? 'POSTINGS_NOT_STORED' : 'CHANGED_SINCE_PULL';
  };
  const rows = [...compared, ...others]
    .filter(({ source, gateway }) => source !== 0 || gateway !== 0)
    .map((row): SourceTrialBalanceRow => ({ companyId, ...row, reason: reasonOf(row) }));
  return {
    ...{ asOf, fetchedAt, pulledAt: state?.lastSuccessAt ?? null, currency: report.currency, incomeSince: report.incomeSince },
    differences: rows.filter(({ difference }) => difference !== 0).length,
    rows,
  };
}
