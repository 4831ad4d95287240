// The routes of the books of a company: its reports and its postings.
import { common, companyPath } from './integrations-shared.ts';
import { path, query, type Route } from './route.ts';

const reportRoute = (name: string, summary: string, root: string, args: Route['args']): Route => ({
  ...common,
  documented: false,
  method: 'GET',
  path: `${companyPath}/reports/${name}`,
  summary,
  root: `company.${root}`,
  args: { 'company.id': path('companyId'), ...args },
  envelope: { kind: 'record' },
  status: 200,
});

const compared = { periods: query('periods'), timeframe: query('timeframe') };
const asOf = { asOf: query('as_of') };

/** Reports and postings. */
export const bookRoutes: Route[] = [
  reportRoute('trial_balance', 'Read the trial balance of a company', 'trialBalance', { ...asOf, ...compared }),
  reportRoute('profit_and_loss', 'Read the profit and loss of a company', 'profitAndLoss', {
    from: query('from'),
    to: query('to'),
    ...compared,
  }),
  reportRoute('balance_sheet', 'Read the balance sheet of a company', 'balanceSheet', { ...asOf, ...compared }),
  reportRoute('aged_receivables', 'Read what customers owe a company', 'agedReceivables', asOf),
  reportRoute('aged_payables', 'Read what a company owes to vendors', 'agedPayables', asOf),
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
