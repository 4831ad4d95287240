// The rules by which the documents of a company become postings, as one query over the tables of the documents. Nothing is stored, so nothing is out
// of date. A statement names the period in $3 and $4, and documents outside it are not read.
import type { Statement } from '../../database/open.ts';
import { modelOf, type RecordClass } from '../../records/metadata.ts';
import { snakeCase } from '../../records/naming.ts';
import { BankTransaction } from '../records/bank-transaction.ts';
import { BillCreditNote } from '../records/bill-credit-note.ts';
import { Expense } from '../records/expense.ts';
import { InvoiceCreditNote } from '../records/invoice-credit-note.ts';
import { Bill, Invoice } from '../records/invoice-document.ts';
import { JournalEntry } from '../records/journal-entry.ts';
import { Payment } from '../records/payment.ts';
import { GROSS_OF_LINE, linesOf, linesWithTax, NET_OF_LINE, SUMS, sumsOf } from './line-sums.ts';

/** How many parameters the statements over postings have: company, organisation, first and last day, base currency, and its decimal places. */
const SHARED = 6;

/** How a document with lines posts: `sign` is 1 where its total is a debit. */
interface DocumentRule {
  type: string;
  record: RecordClass;
  sign: 1 | -1;
  /** The part that its total is. */
  control: 'RECEIVABLE' | 'PAYABLE' | 'MONEY';
  /** The part that its lines are. */
  lines: 'SALES' | 'COSTS';
  date: string;
}

const documentRules: DocumentRule[] = [
  { type: 'INVOICE', record: Invoice, sign: 1, control: 'RECEIVABLE', lines: 'SALES', date: 'posted_date' },
  { type: 'INVOICE_CREDIT_NOTE', record: InvoiceCreditNote, sign: -1, control: 'RECEIVABLE', lines: 'SALES', date: 'posted_date' },
  { type: 'BILL', record: Bill, sign: -1, control: 'PAYABLE', lines: 'COSTS', date: 'posted_date' },
  { type: 'BILL_CREDIT_NOTE', record: BillCreditNote, sign: 1, control: 'PAYABLE', lines: 'COSTS', date: 'posted_date' },
  { type: 'EXPENSE', record: Expense, sign: -1, control: 'MONEY', lines: 'COSTS', date: 'transaction_date' },
];

/** The record types whose documents post, with their tables. */
export const postedRecords = [
  ...documentRules.map(({ type, record }) => ({ type, table: modelOf(record).table })),
  { type: 'PAYMENT', table: modelOf(Payment).table },
  { type: 'JOURNAL_ENTRY', table: modelOf(JournalEntry).table },
];

/** The documents that payments pay. */
const payableRules = documentRules.filter(({ control }) => control !== 'MONEY');

/**
 * The accounts of the parts of documents that name no account, by the letters of their `subCategory`. They are the words of QuickBooks, NetSuite,
 * Tryton and Xero, and those of tax accounts.
 */
const controlNames: Record<string, string[]> = {
  RECEIVABLE: ['ACCOUNTSRECEIVABLE', 'RECEIVABLE', 'DEBTORS'],
  PAYABLE: ['ACCOUNTSPAYABLE', 'PAYABLE', 'CREDITORS'],
  TAX: ['TAX', 'TAXPAYABLE', 'SALESTAX', 'SALESTAXPAYABLE', 'GLOBALTAXPAYABLE', 'VAT', 'GST'],
  EXCHANGE: ['EXCHANGEGAINORLOSS', 'REALISEDCURRENCYGAIN'],
};

/** The categories of postings without an account. */
const categoryOfPart = `case p.part when 'RECEIVABLE' then 'ASSET' when 'MONEY' then 'ASSET' when 'PAYABLE' then 'LIABILITY' when 'TAX' then 'LIABILITY'
    when 'SALES' then 'INCOME' when 'EXCHANGE' then 'INCOME' when 'COSTS' then 'EXPENSE' else 'UNKNOWN' end`;

const own = (alias: string): string => `${alias}.company_id = $1::bigint and ${alias}.organisation_id = $2::bigint`;
const live = (alias: string): string => `${own(alias)} and ${alias}.ledger_deleted_at is null`;
const FROM = `$3::text::date::timestamp at time zone 'UTC'`;
const UNTIL = `($4::text::date + 1)::timestamp at time zone 'UTC'`;
const within = (column: string): string => `${column} >= ${FROM} and ${column} < ${UNTIL}`;
const dayOf = (column: string): string => `(${column} at time zone 'UTC')::date`;
const BASE = '$5::text';

/** A column of a document, or null where its record type does not have it. */
const columnOf = (record: RecordClass, name: string, type: string): string =>
  modelOf(record).props.has(name) ? `d.${snakeCase(name)}` : `null::${type}`;

const shippingOf = (record: RecordClass): string => `coalesce(${columnOf(record, 'shippingAmount', 'numeric')}, 0)`;
const discountOf = (record: RecordClass): string => `coalesce(${columnOf(record, 'totalDiscount', 'numeric')}, 0)`;

/** The state of a document in which it posts. */
const posts = (record: RecordClass): string =>
  modelOf(record).props.has('status') ? `coalesce(d.status, '') not in ('DRAFT', 'VOID')` : 'true';

const currencyOf = (alias: string): string => `coalesce(${alias}.currency_id, ${BASE})`;

/** Whether the amounts of a document are in the base currency. */
const isBase = (alias: string): string => `${currencyOf(alias)} is not distinct from ${BASE}`;

/** The rate of a document: its own, or that of the record of its currency; null where neither is known. */
const rateOf = (rate: string): string => `case when ${isBase('d')} then 1::numeric
    else coalesce(${rate}, (select c.exchange_rate from currency c where ${live('c')} and c.code = d.currency_id)) end`;
const documentRate = (record: RecordClass): string => rateOf(columnOf(record, 'currencyRate', 'numeric'));

/** An amount of a document in the base currency, rounded to its minor unit. One that is in the base currency stays as it is. */
const based = (amount: string, document: string): string =>
  `case when ${isBase(document)} then ${amount} else round((${amount}) * ${document}.rate, $6::int) end`;

const documentRows = ({ type, record, sign, control, lines, date }: DocumentRule): string => `
  select '${type}' as type, d.ledger_id as id, ${dayOf(`d.${date}`)} as date, ${sign} as sign, '${control}' as control,
    ${control === 'MONEY' ? 'd.account_id' : 'null::bigint'} as control_account, '${lines}' as part, d.contact_id, d.currency_id,
    ${documentRate(record)} as rate, d.is_tax_inclusive, d.total_amount, ${columnOf(record, 'taxAmount', 'numeric')} as own_tax,
    ${shippingOf(record)} as shipping, ${discountOf(record)} as discount,
    ${dayOf(`coalesce(${columnOf(record, 'dueDate', 'timestamptz')}, d.${date})`)} as due
  from ${modelOf(record).table} d where ${live('d')} and ${posts(record)} and ${within(`d.${date}`)}`;

/** The document that an allocation `a` names, as far as payments need it. */
const paidDocument = ({ type, record, date }: DocumentRule): string => `
  select '${type}' as type, d.ledger_id as id, ${currencyOf('d')} as currency_id, ${documentRate(record)} as rate, d.contact_id,
    ${dayOf(`coalesce(${columnOf(record, 'dueDate', 'timestamptz')}, d.${date})`)} as due
  from ${modelOf(record).table} d
  where a.document_type = '${type}' and d.ledger_id = a.document_id and ${live('d')} and ${posts(record)} and d.${date} is not null`;

/** Documents with lines: their lines, and what of the total is tax, shipping, discount or on no line. */
const documentQueries = `
document as (select * from (${documentRules.map(documentRows).join(' union all ')}) d where rate is not null),
document_line as (
  select d.type, d.id, d.date, d.sign, d.part, d.currency_id, d.rate, d.contact_id, l.ledger_id as place, l.account_id,
    coalesce(l.description, l.name) as description, l.tracking_category_ids as tracking, n.net, l.tax_amount, ${GROSS_OF_LINE},
    ${based('n.net', 'd')} as base
  from document d join line_item l on l.parent_type = d.type and l.parent_id = d.id and ${live('l')}
    cross join lateral (select ${NET_OF_LINE} as net) n
),
document_sum as (
  select type, id, ${SUMS}, sum(base) as base from document_line group by type, id
),
valued as materialized (
  select v.*, ${based('v.total', 'v')} as total_base, ${based('v.tax', 'v')} as tax_base, ${based('v.shipping', 'v')} as shipping_base,
    ${based('v.discount', 'v')} as discount_base
  from (select d.*, coalesce(l.net, 0) as net, coalesce(l.base, 0) as net_base, coalesce(d.own_tax, l.tax, 0) as tax,
      coalesce(d.total_amount, ${linesWithTax('d.own_tax')} + d.shipping - d.discount) as total
    from document d left join document_sum l using (type, id)) v
  where v.total is not null
)`;

/** Journal entries that balance. */
const entryQueries = `
entry_line as (
  select e.*, l.ledger_id as place, l.account_id, coalesce(l.description, l.name) as description, l.tracking_category_ids as tracking,
    coalesce(l.total_amount, 0) as amount, ${based('coalesce(l.total_amount, 0)', 'e')} as base
  from (select d.ledger_id as id, ${dayOf('d.transaction_date')} as date, d.currency_id, ${documentRate(JournalEntry)} as rate
    from journal_entry d where ${live('d')} and ${posts(JournalEntry)} and ${within('d.transaction_date')}) e
    join line_item l on l.parent_type = 'JOURNAL_ENTRY' and l.parent_id = e.id and ${live('l')}
  where e.rate is not null
),
entry as (select id, date, currency_id, sum(base) as base from entry_line group by id, date, currency_id having sum(amount) = 0)`;

/** What earlier payments of a document in its currency have settled of it, in the direction of this payment. */
const settledBefore = `(select coalesce(sum(case when q.direction = 'RECEIVED' then b.amount else -b.amount end), 0) * p.sign
    from payment_allocation b join payment q on q.ledger_id = b.payment_id and ${live('q')}
    where ${live('b')} and b.document_id = a.document_id and b.document_type = a.document_type and q.direction in ('RECEIVED', 'MADE')
      and ${currencyOf('q')} is not distinct from ${currencyOf('p')} and (q.transaction_date, b.ledger_id) < (p.paid_at, a.ledger_id))`;

/**
 * Payments, and their allocations at the rates of the documents that they pay. What an allocation settles is the difference of two rounded amounts.
 * All allocations of a document together therefore settle it to the last minor unit. The allocations of each payment and their documents are looked
 * up one by one: joined, the documents of all periods would be read.
 */
const paymentQueries = `
paid as (
  select * from (select d.ledger_id as id, ${dayOf('d.transaction_date')} as date, d.transaction_date as paid_at,
      case d.direction when 'RECEIVED' then 1 else -1 end as sign, case d.direction when 'RECEIVED' then 'RECEIVABLE' else 'PAYABLE' end as control,
      d.account_id, d.contact_id, d.currency_id, ${documentRate(Payment)} as rate, d.total_amount
    from payment d where ${live('d')} and d.direction in ('RECEIVED', 'MADE') and ${within('d.transaction_date')}) p where rate is not null
),
settled as (
  select p.id, p.date, p.sign, p.currency_id, a.ledger_id as place, a.amount, coalesce(n.contact_id, p.contact_id) as contact_id,
    coalesce(n.type, 'PAYMENT') as item_type, coalesce(n.id, p.id) as item_id, coalesce(n.due, p.date) as due,
    case when a.document_type like 'INVOICE%' then 'RECEIVABLE' when a.document_type like 'BILL%' then 'PAYABLE' else p.control end as part,
    case when ${isBase('p')} then a.amount else round((r.before + a.amount) * r.rate, $6::int) - round(r.before * r.rate, $6::int) end as base
  from paid p
    cross join lateral (select * from payment_allocation a where a.payment_id = p.id and ${live('a')} and a.amount is not null offset 0) a
    left join lateral (select * from (${payableRules.map(paidDocument).join(' union all ')}) n limit 1) n on true
    cross join lateral (select n.currency_id is not distinct from ${currencyOf('p')} and n.rate is not null as is_same) s
    cross join lateral (select case when s.is_same then n.rate else p.rate end as rate,
      case when s.is_same and not ${isBase('p')} then ${settledBefore} else 0 end as before) r
),
payment_sum as (select id, sum(amount) as amount, sum(base) as base from settled group by id),
valued_payment as materialized (
  select t.*, ${based('t.total', 't')} as total_base, ${based('t.rest', 't')} as rest_base
  from (select p.*, coalesce(p.total_amount, s.amount) as total, coalesce(p.total_amount, s.amount) - coalesce(s.amount, 0) as rest,
      coalesce(s.base, 0) as settled_base from paid p left join payment_sum s using (id)) t
  where t.total is not null
)`;

/** One posting of each document: its place, and its account, part, amounts and item as SQL on the document. */
interface PartRule {
  place: number;
  account?: string;
  part: string;
  amount: string;
  base: string;
  description?: string;
  /** The type of the document, where the posting opens an amount of it. */
  opens?: string;
}

const documentParts: PartRule[] = [
  {
    place: -5,
    account: 'control_account',
    part: 'control',
    amount: 'total',
    base: 'total_base',
    opens: `case when control <> 'MONEY' then type end`,
  },
  { place: -4, part: 'part', amount: '-shipping', base: '-shipping_base', description: 'Shipping' },
  { place: -3, part: 'part', amount: 'discount', base: 'discount_base', description: 'Discount' },
  { place: -2, part: `'TAX'`, amount: '-tax', base: '-tax_base', description: 'Tax' },
  {
    ...{ place: -1, part: 'part', description: 'On no line' },
    amount: 'net + tax + shipping - discount - total',
    base: 'net_base + tax_base + shipping_base - discount_base - total_base',
  },
];

const paymentParts: PartRule[] = [
  { place: -3, account: 'account_id', part: `'MONEY'`, amount: 'total', base: 'total_base' },
  { place: -2, part: 'control', amount: '-rest', base: '-rest_base', description: 'Not allocated', opens: `'PAYMENT'` },
  { place: -1, part: `'EXCHANGE'`, amount: '0', base: 'settled_base + rest_base - total_base', description: 'Exchange difference' },
];

const partRows = (type: string, from: string, due: string, parts: readonly PartRule[]): string =>
  parts
    .map(
      ({ place, account = 'null', part, amount, base, description, opens = 'null' }) => `
  select ${type}, id, ${place}, date, ${account}, ${part}, sign * (${amount}), sign * (${base}), currency_id, contact_id,
    ${description === undefined ? 'null' : `'${description}'`}, ${opens}, ${opens === 'null' ? 'null' : 'id'}, ${due}, null
  from ${from} where ${amount} <> 0 or ${base} <> 0`,
    )
    .join(' union all ');

const postingColumns =
  'type, id, place, date, account_id, part, amount, base, currency_id, contact_id, description, item_type, item_id, due, tracking';

/** The postings before the accounts of their parts are found. Places below 0 are parts of the document itself, the others are the numbers of its lines. */
const derivedRows = `
  select type, id, place, date, account_id, part, -sign * net, -sign * base, currency_id, contact_id, description, null::text, null::bigint, null::date, tracking
  from document_line where net <> 0
  union all ${partRows('type', 'valued', 'due', documentParts)}
  union all
  select 'JOURNAL_ENTRY', l.id, l.place, l.date, l.account_id, 'ENTRY', l.amount, l.base, l.currency_id, null, l.description, null, null, null, l.tracking
  from entry_line l join entry e using (id) where l.amount <> 0
  union all
  select 'JOURNAL_ENTRY', id, -1, date, null, 'EXCHANGE', 0, -base, currency_id, null, 'Rounding', null, null, null, null from entry where base <> 0
  union all
  select 'PAYMENT', id, place, date, null, part, -sign * amount, -sign * base, currency_id, contact_id, null, item_type, item_id, due, null
  from settled where amount <> 0
  union all ${partRows(`'PAYMENT'`, 'valued_payment', 'date', paymentParts)}`;

const controlValues = Object.entries(controlNames)
  .flatMap(([part, names]) => names.map((name) => `('${part}', '${name}')`))
  .join(', ');

/** The account of each part that documents name no account for: of several the one with the lowest code. */
const controlQuery = `
control as (
  select distinct on (s.part) s.part, a.ledger_id as account_id
  from account a join (values ${controlValues}) s(part, name) on s.name = upper(regexp_replace(a.sub_category, '[^A-Za-z]', '', 'g'))
  where ${live('a')} order by s.part, a.nominal_code collate "C" nulls last, a.ledger_id
)`;

const postingQueries = `with recursive ${[documentQueries, entryQueries, paymentQueries, controlQuery].join(',')},
posting as (
  select q.type, q.id, q.place, q.date, coalesce(q.account_id, c.account_id) as account_id, q.part, q.amount, q.base, ${currencyOf('q')} as currency_id,
    q.contact_id, q.description, q.item_type, q.item_id, q.due, q.tracking
  from (${derivedRows}) q(${postingColumns}) left join control c on c.part = q.part and q.account_id is null
)`;

/** The currency of the books: the base currency of the company, or the only one that its documents name. Indexes have the first and the last code. */
export const baseCurrency: Statement = {
  name: 'books_currency',
  text: `select coalesce(
    (select c.code from currency c where ${live('c')} and c.is_base_currency order by c.ledger_id limit 1),
    (select min(code) from (${[...documentRules.map(({ record }) => record), JournalEntry, Payment]
      .flatMap((record) =>
        ['min', 'max'].map((end) => `select ${end}(d.currency_id) as code from ${modelOf(record).table} d where ${live('d')}`),
      )
      .join(' union all ')}) t having min(code) = max(code)))`,
};

/**
 * What reports read of balances: the accounts that have a balance and all accounts above them. Each has the totals of its category, of all debits and
 * credits, of income with expenses, and of these with equity. `union` keeps no account twice, so that accounts which are above each other end the
 * recursion.
 */
export const balanceRows = `
above(account_id) as (
  select account_id from balance where account_id is not null
  union
  select a.parent_account_id from above n join account a on ${own('a')} and a.ledger_id = n.account_id where a.parent_account_id is not null
),
balance_row as (
  select a.ledger_id as account_id, a.parent_account_id as parent_id, a.nominal_code, a.sub_category, null as part, coalesce(a.category, 'UNKNOWN') as category,
    s.balance, s.columns
  from (select account_id, sum(balance) as balance, max(columns) as columns
      from (select account_id, balance, columns from balance union all select account_id, 0, null from above) p group by account_id) s
    join account a on ${own('a')} and a.ledger_id = s.account_id
  union all
  select null, null, null, null, part, category, balance, columns from balance where account_id is null
)
select account_id, part, category, balance, sum(balance) over (partition by category), sum(greatest(balance, 0)) over (), sum(greatest(-balance, 0)) over (),
  sum(balance) filter (where category in ('INCOME', 'EXPENSE')) over (), sum(balance) filter (where category in ('EQUITY', 'INCOME', 'EXPENSE')) over (),
  nominal_code, parent_id, sub_category, columns
from balance_row order by nominal_code collate "C" nulls last, account_id nulls last, part`;

/** The balance of each account in the period. */
export const balances: Statement = {
  name: 'books_balances',
  isReplanned: true,
  text: `${postingQueries},
balance as (
  select a.ledger_id as account_id, case when a.ledger_id is null then p.part end as part, case when a.ledger_id is null then ${categoryOfPart} end as category,
    sum(p.base) as balance, null::text as columns
  from posting p left join account a on ${own('a')} and a.ledger_id = p.account_id group by 1, 2, 3 having sum(p.base) <> 0
),
${balanceRows}`,
};

/** Most columns of the breakdown of a report. */
export const MAX_COLUMNS = 200;

/** The ids of a list of tracking categories as text, sorted: lists of the same categories are one value. */
export const trackingValue = (ids: string): string =>
  `(select jsonb_agg(id order by id collate "C")::text from (select distinct id from jsonb_array_elements_text(${ids}) id) i)`;

/**
 * What reports read of balances that are broken down. `moved` has a balance for each account, part and value of the breakdown. The text in `columns`
 * has the balances of each value, and is empty where there are too many values. A parameter says whether income and expenses are wanted alone.
 */
export const brokenDownRows = (moved: string, isIncomeAlone: string): string => `moved as (${moved}),
part_balance as (
  select account_id, part, category, coalesce(value, '') as value, sum(balance) as balance from moved
  where not ${isIncomeAlone}::text::boolean or category in ('INCOME', 'EXPENSE') group by 1, 2, 3, 4 having sum(balance) <> 0
),
balance as (
  select account_id, part, category, sum(balance) as balance,
    case when (select count(distinct value) from part_balance) <= ${MAX_COLUMNS} then jsonb_object_agg(value, balance)::text else '' end as columns
  from part_balance group by 1, 2, 3
),
${balanceRows}`;

const brokenDownBy = (name: string, group: string, value: string): Statement => ({
  name: `books_balances_${name}`,
  isReplanned: true,
  text: `${postingQueries},
${brokenDownRows(
  `
  select a.ledger_id as account_id, case when a.ledger_id is null then p.part end as part,
    case when a.ledger_id is null then ${categoryOfPart} else coalesce(a.category, 'UNKNOWN') end as category, ${value} as value, p.base as balance
  from (select account_id, part, ${group} as value, sum(base) as base from posting group by 1, 2, 3) p
    left join account a on ${own('a')} and a.ledger_id = p.account_id
`,
  `$${SHARED + 1}`,
)}`,
});

/** The balance of each account in the period, broken down by contact or by tracking categories. */
export const brokenDown = {
  CONTACT: brokenDownBy('by_contact', 'contact_id', 'p.value::text'),
  TRACKING_CATEGORY: brokenDownBy('by_tracking', 'tracking', trackingValue('p.value')),
};

/** The contacts in $3 by their names, as aged reports have them. */
export const sortedContacts: Statement = {
  name: 'books_sorted_contacts',
  text: `select c.ledger_id from contact c where ${own('c')} and c.ledger_id = any($3::text::bigint[]) order by c.name collate "C" nulls last, c.ledger_id`,
};

/** Most days overdue of each bucket of aged reports but the last; the first one ends with the due date. */
export const BUCKET_ENDS = [0, 30, 60, 90] as const;

const bucketSums = [
  'true',
  ...BUCKET_ENDS.map((end, index) => (index === 0 ? `overdue <= ${end}` : `overdue > ${BUCKET_ENDS[index - 1]} and overdue <= ${end}`)),
  `overdue > ${BUCKET_ENDS.at(-1)}`,
].map((condition) => `coalesce(sum(amount) filter (where ${condition}), 0)`);

/** What aged reports read of open items: by contact, all of it and each bucket, and the same for all contacts. */
export const openSums = `select i.contact_id, ${bucketSums.join(', ')}, grouping(i.contact_id) as is_total
from item i left join contact c on ${own('c')} and c.ledger_id = i.contact_id
group by grouping sets ((i.contact_id, c.name), ()) order by is_total desc, c.name collate "C" nulls last, i.contact_id`;

/** What is open on the last day. $7 says of which part. */
export const openAmounts: Statement = {
  name: 'books_open_amounts',
  isReplanned: true,
  text: `${postingQueries},
item as (
  select max(contact_id) as contact_id, $4::text::date - max(due) as overdue, case $7::text when 'PAYABLE' then -sum(base) else sum(base) end as amount
  from posting where part = $7::text and item_id is not null group by item_type, item_id having sum(base) <> 0
)
${openSums}`,
};

/** The conditions on postings besides their period: $7 to $10 are on the date, then come those on each column. */
const filteredColumns: readonly (readonly [column: string, type: string])[] = [
  ['account_id', 'bigint'],
  ['contact_id', 'bigint'],
  ['id', 'bigint'],
  ['type', 'text'],
  ['part', 'text'],
];
const columnConditions = filteredColumns.map(([column, type], index) => {
  const [values, missing] = [`$${SHARED + 4 + index * 2}`, `$${SHARED + 5 + index * 2}`];
  return `(${values}::text is null or p.${column} = any(${values}::text::${type}[])) and (${missing}::text is null or (p.${column} is null) = ${missing}::text::boolean)`;
});
const filteredPostings = `${postingQueries}, filtered as (
  select p.* from posting p where ($${SHARED + 1}::text is null or p.date > $${SHARED + 1}::text::date) and ($${SHARED + 2}::text is null or p.date < $${SHARED + 2}::text::date)
    and ($${SHARED + 3}::text is null or p.date = any($${SHARED + 3}::text::date[])) and ${columnConditions.join(' and ')})`;
/** How many columns of postings lists are filtered by, besides the date. */
export const FILTERED = filteredColumns.length;
const AFTER = SHARED + 4 + FILTERED * 2;

/** What lists of postings read of each; its place is that in the list. */
const pageColumns =
  'p.date, p.account_id, p.part, p.amount, p.currency_id, p.base, p.contact_id, p.type, p.id, p.description, p.place, p.due, p.tracking';

/** Postings in the order of their days and documents, after a place, with their places. */
export const postingPage: Statement = {
  name: 'books_postings',
  isReplanned: true,
  text: `${filteredPostings}
select ${pageColumns}
from filtered p where $${AFTER}::text is null or (p.date, p.type, p.id, p.place) > ($${AFTER}::text::date, $${AFTER + 1}::text, $${AFTER + 2}::text::bigint, $${AFTER + 3}::text::bigint)
order by p.date, p.type, p.id, p.place limit $${AFTER + 4}::text::bigint offset $${AFTER + 5}::text::bigint`,
};

/** The first postings of each row of a report. `keyed` has the key of its row next to each posting; $7 names the rows, and $8 how many postings. */
const rowPostingsOf = (name: string, keyed: string): Statement => ({
  name: `books_row_postings_${name}`,
  isReplanned: true,
  text: `${postingQueries}
select p.key, ${pageColumns}
from (select k.*, row_number() over (partition by k.key order by k.date, k.type, k.id, k.place) as rank from (${keyed}) k
  where k.key = any($${SHARED + 1}::text::text[])) p
where p.rank <= $${SHARED + 2}::text::bigint order by p.date, p.type, p.id, p.place`,
});

/** The first postings of accounts, or of parts without one; and those of open items by their contact, of the part in $9. */
export const rowPostings = {
  ACCOUNT: rowPostingsOf('of_accounts', 'select p.*, coalesce(p.account_id::text, p.part) as key from posting p'),
  CONTACT: rowPostingsOf(
    'of_contacts',
    `select * from (select p.*, coalesce((max(p.contact_id) over item)::text, '') as key, sum(p.base) over item as open from posting p
      where p.part = $${SHARED + 3}::text and p.item_id is not null window item as (partition by p.item_type, p.item_id)) i where open <> 0`,
  ),
};

/** The number of postings. */
export const postingCount: Statement = {
  name: 'books_posting_count',
  isReplanned: true,
  text: `${filteredPostings} select count(*) from filtered`,
};

/** Why a document is in no posting, in the order in which the reasons are looked for; null for one that posts. */
const reasonOf = (record: RecordClass, date: string, hasAmount: string): string =>
  `case when d.${date} is null then 'NO_DATE'${record === Payment ? ` when d.direction is null or d.direction not in ('RECEIVED', 'MADE') then 'NO_DIRECTION'` : ''}
    when ${documentRate(record)} is null then 'NO_CURRENCY_RATE' when not (${hasAmount}) then 'NO_AMOUNT' end`;

const unpostedRows = (type: string, record: RecordClass, date: string, number: string, reason: string): string => `
  select '${type}' as type, d.ledger_id as id, d.${number} as number, ${dayOf(`d.${date}`)} as date, ${reason} as reason
  from ${modelOf(record).table} d where ${live('d')} and ${posts(record)} and (d.${date} is null or ${within(`d.${date}`)})`;

const entryAmount = `(select sum(l.total_amount) ${linesOf('JOURNAL_ENTRY', 'true')})`;

/** That a source says that more of a document is paid than the payments here, which are in its currency, have settled. */
const isPaidElsewhere = ({ type, record, sign }: DocumentRule): string => {
  const left = modelOf(record).props.has('amountDue') ? 'd.amount_due' : 'd.remaining_credit';
  const ofLines = `(select ${linesWithTax(columnOf(record, 'taxAmount', 'numeric'))} from (${sumsOf(type, 'true')}) l)`;
  const paid = `case when q.direction = '${sign === 1 ? 'RECEIVED' : 'MADE'}' then b.amount else -b.amount end`;
  return `${left} < (select coalesce(d.total_amount, ${ofLines} + ${shippingOf(record)} - ${discountOf(record)}) - coalesce(sum(${paid}), 0)
    from payment_allocation b join payment q on q.ledger_id = b.payment_id and ${live('q')} and q.direction in ('RECEIVED', 'MADE')
    where ${live('b')} and b.document_id = d.ledger_id
    having coalesce(bool_and(${currencyOf('q')} is not distinct from ${currencyOf('d')}), true))`;
};

const unpostedQueries = [
  ...documentRules.map((rule) => {
    const { type, record, date, control } = rule;
    const hasAmount = `d.total_amount is not null or exists (select ${linesOf(type, `${NET_OF_LINE} is not null`)})`;
    const reason = reasonOf(record, date, hasAmount);
    const missing = control === 'MONEY' ? reason : `coalesce(${reason}, case when ${isPaidElsewhere(rule)} then 'PAYMENT_MISSING' end)`;
    return unpostedRows(type, record, date, 'document_number', missing);
  }),
  unpostedRows(
    'JOURNAL_ENTRY',
    JournalEntry,
    'transaction_date',
    'document_number',
    `coalesce(${reasonOf(JournalEntry, 'transaction_date', `exists (select ${linesOf('JOURNAL_ENTRY', 'l.total_amount is not null')})`)},
      case when ${entryAmount} <> 0 then 'OUT_OF_BALANCE' end)`,
  ),
  unpostedRows(
    'PAYMENT',
    Payment,
    'transaction_date',
    'reference_number',
    reasonOf(
      Payment,
      'transaction_date',
      `d.total_amount is not null or exists (select from payment_allocation a where a.payment_id = d.ledger_id and ${live('a')} and a.amount is not null)`,
    ),
  ),
  // A source may have the same money as an expense, under the same id.
  unpostedRows(
    'BANK_TRANSACTION',
    BankTransaction,
    'transaction_date',
    'reference_number',
    `case when coalesce(d.status, '') not in ('PENDING', 'RECONCILED', 'VOID') and not exists (select from expense e where ${live('e')}
      and e.platform_id = d.platform_id and e.ledger_integration_type = d.ledger_integration_type) then 'NOT_MATCHED' end`,
  ),
].join(' union all ');

/** Most documents that a report names as not posted, wholly or in part. */
export const MAX_UNPOSTED = 100;

/** The documents of the period, and those without a date, that are in no posting, with the number of all of them. */
export const unpostedDocuments: Statement = {
  name: 'books_unposted',
  isReplanned: true,
  text: `select type, id, number, date, reason, count(*) over () from (${unpostedQueries}) t where reason is not null
    order by date nulls first, type, id limit ${MAX_UNPOSTED}`,
};
