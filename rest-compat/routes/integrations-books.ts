// The routes of the books of a company: its reports and its postings.
import { common, companyPath } from './integrations-shared.ts';
import { path, query, type Route } from './route.ts';

const reportRoute = (name: string, summary: string, root: string, args: Route['args'], csv: string[]): Route => ({
  ...common,
  documented: false,
  method: 'GET',
  path: `${companyPath}/reports/${name}`,
  summary,
  root: `company.${root}`,
  args: { 'company.id': path('companyId'), ...args },
  envelope: { kind: 'record' },
  status: 200,
  csv,
});

const asOf = { asOf: query('as_of') };
const period = { from: query('from'), to: query('to') };
const compared = { periods: query('periods'), timeframe: query('timeframe'), breakdownBy: query('breakdown_by') };

const account = ['account_id', 'nominal_code', 'name', 'part', 'level'];
const subtotals = ['subtotal', 'comparisons', 'subtotal_comparisons', 'breakdown', 'subtotal_breakdown'];
const sectionColumns = ['section', ...account, 'amount', ...subtotals];
const trialColumns = [...account, 'debit', 'credit', ...subtotals];
const sourceColumns = [
  ...['account_id', 'nominal_code', 'name', 'part', 'source_account_id', 'source_name', 'source', 'gateway', 'difference', 'reason'],
];
const agedColumns = ['contact_id', 'name', 'total', 'buckets'];

/** Reports and postings. */
export const bookRoutes: Route[] = [
  reportRoute('trial_balance', 'Read the trial balance of a company', 'trialBalance', { ...asOf, ...compared }, trialColumns),
  reportRoute(
    'source_trial_balance',
    'Compare the trial balance of a company with that of its source',
    'sourceTrialBalance',
    asOf,
    sourceColumns,
  ),
  reportRoute('profit_and_loss', 'Read the profit and loss of a company', 'profitAndLoss', { ...period, ...compared }, sectionColumns),
  reportRoute('balance_sheet', 'Read the balance sheet of a company', 'balanceSheet', { ...asOf, ...compared }, sectionColumns),
  reportRoute('cash_flow', 'Read the cash flow of a company', 'cashFlow', { ...period, ...compared }, sectionColumns),
  reportRoute('aged_receivables', 'Read what customers owe a company', 'agedReceivables', asOf, agedColumns),
  reportRoute('aged_payables', 'Read what a company owes to vendors', 'agedPayables', asOf, agedColumns),
  {
    ...common,
    documented: false,
    method: 'GET',
    path: `${companyPath}/postings`,
    summary: 'List the postings of a company',
    root: 'company.postings',
    args: { 'company.id': path('companyId'), first: query('limit'), after: query('next') },
    envelope: { kind: 'page' },
    result: 'nodes',
    expand: ['account'],
    status: 200,
    ledgerQuery: 'conditions',
  },
];
