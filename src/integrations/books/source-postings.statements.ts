// The statements over the postings that a source has sent: balances from the monthly totals and the days around them, open amounts, and pages.
// Parameters of all: company, organisation, and first and last day.
import type { Statement } from '../../database/open.ts';
import { modelOf } from '../../records/metadata.ts';
import { Account } from '../records/account.ts';
import { balanceRows, brokenDownRows, FILTERED, openSums, postedRecords, trackingValue } from './postings.statements.ts';

const own = (alias: string): string => `${alias}.company_id = $1::bigint and ${alias}.organisation_id = $2::bigint`;
/** Of the source that the company has now. */
const ofSource = (alias: string): string => `${own(alias)} and ${alias}.ledger_integration_type = (
    select c.integration_type from company c where c.ledger_id = $1::bigint and c.organisation_id = $2::bigint)`;

/**
 * The stored record that an id of the source names: a live one before a deleted one. They are looked up one after the other, because the index on ids
 * has live records alone.
 */
const recordOf = (table: string, id: string): string => {
  const found = `select r.ledger_id from "${table}" r where ${ofSource('r')} and r.platform_id = ${id} and r.ledger_deleted_at is`;
  return `coalesce((${found} null), (${found} not null order by r.ledger_deleted_at desc limit 1))`;
};

/** The stored account of the id that a row has. */
const joinedAccount = (alias: string): string => `left join lateral (select a.* from ${modelOf(Account).table} a where ${own('a')}
    and a.ledger_id = ${recordOf(modelOf(Account).table, `${alias}.account_id`)}) a on true`;

/**
 * Whether the reports of a company are made of the postings of its source: a pull of them has ended, and the source has some. Before that, a part of
 * them would be shown as the whole.
 */
export const isKeptBySource: Statement = {
  name: 'books_source',
  text: `select exists (select from sync_job j join sync s on s.id = j.sync_id and s.company_id = j.company_id
      where ${own('j')} and j.data_model = 'LEDGER_TRANSACTION' and j.job_type = 'PULL' and j.status = 'SUCCESS' and j.parent_job_id is null
        and s.integration_type = (select c.integration_type from company c where c.ledger_id = $1::bigint and c.organisation_id = $2::bigint))
    and exists (select from source_posting t where ${ofSource('t')})`,
};

/** The stored account of each id of the source in $3. */
export const sourceAccounts: Statement = {
  name: 'books_source_accounts',
  text: `select i.id, ${recordOf(modelOf(Account).table, 'i.id')} from unnest($3::text::text[]) i(id)`,
};

/** Whether the postings of a part in the period say when they are due or settled, so that open amounts follow from them. $5 is the part. */
export const reportsOpenAmounts: Statement = {
  name: 'books_source_open',
  text: `select exists (select from source_posting t where ${ofSource('t')} and t.part = $5::text and t.date >= $3::text::date and t.date <= $4::text::date
    and (t.due_date is not null or t.settled_date is not null))`,
};

/** The days of a period that are no whole months, before and after those that are. */
const DAYS_AROUND = [
  't.date >= w.from_day and t.date < least(w.first_month, w.to_day + 1)',
  't.date >= greatest(w.first_month, w.last_month) and t.date <= w.to_day',
];

/** The balance of each account in the period, with the same columns as those of derived postings. */
export const sourceBalances: Statement = {
  name: 'books_source_balances',
  isReplanned: true,
  text: `with recursive w as (select $3::text::date as from_day, $4::text::date as to_day,
  (date_trunc('month', $3::text::date - 1) + interval '1 month')::date as first_month, date_trunc('month', $4::text::date + 1)::date as last_month),
moved as (
  select t.account_id, t.balance from posting_total t, w where ${ofSource('t')} and t.month >= w.first_month and t.month < w.last_month
  ${DAYS_AROUND.map((days) => `union all select t.account_id, t.base_amount from source_posting t, w where ${ofSource('t')} and ${days}`).join('\n  ')}
),
summed as (select account_id, sum(balance) as balance from moved group by account_id having sum(balance) <> 0),
balance as (
  select a.ledger_id as account_id, case when a.ledger_id is null then 'ENTRY' end as part, case when a.ledger_id is null then 'UNKNOWN' end as category,
    sum(s.balance) as balance, null::text as columns
  from summed s ${joinedAccount('s')}
  group by 1, 2, 3 having sum(s.balance) <> 0
),
${balanceRows}`,
};

const brokenDownBy = (name: string, column: string, value: string): Statement => ({
  name: `books_source_balances_${name}`,
  isReplanned: true,
  text: `with recursive ${brokenDownRows(
    `
  select a.ledger_id as account_id, case when a.ledger_id is null then 'ENTRY' end as part, coalesce(a.category, 'UNKNOWN') as category,
    ${value} as value, t.balance
  from (select account_id, ${column} as value, sum(base_amount) as balance from source_posting t
    where ${ofSource('t')} and t.date >= $3::text::date and t.date <= $4::text::date group by 1, 2) t ${joinedAccount('t')}
`,
    '$5',
  )}`,
});

/** The balance of each account in the period, broken down by contact or by tracking categories: the monthly totals have neither. */
export const sourceBrokenDown = {
  CONTACT: brokenDownBy('by_contact', 't.contact_id', `${recordOf('contact', 't.value')}::text`),
  TRACKING_CATEGORY: brokenDownBy('by_tracking', 't.tracking_category_ids', trackingValue('t.value')),
};

/** That a posting of a part is open on the last day. */
const isOpen = (
  part: string,
): string => `${ofSource('t')} and t.part = ${part}::text and t.date >= $3::text::date and t.date <= $4::text::date
      and (t.settled_date is null or t.settled_date > $4::text::date)`;

/** What is open on the last day, by contact: postings of a part that nothing has settled until then. $5 says of which part. */
export const sourceOpenAmounts: Statement = {
  name: 'books_source_open_amounts',
  isReplanned: true,
  text: `with item as (
  select ${recordOf('contact', 't.contact_id')} as contact_id, t.overdue, t.amount
  from (select t.contact_id, $4::text::date - coalesce(t.due_date, t.date) as overdue,
      sum(case $5::text when 'PAYABLE' then -t.base_amount else t.base_amount end) as amount
    from source_posting t where ${isOpen('$5')} group by 1, 2 having sum(t.base_amount) <> 0) t
)
${openSums}`,
};

/** The documents that postings belong to, by their type and id in the source. */
const documents = postedRecords
  .map(({ type, table }) => `select '${type}' as type, d.ledger_id, d.platform_id from "${table}" d where ${ofSource('d')}`)
  .join(' union all ');

/** The conditions of a filter: $5 to $7 are on the date, then come those on each column. */
const [ACCOUNT, CONTACT, DOCUMENT, TYPE, PART] = [8, 10, 12, 14, 16] as const;
const named = (column: string, table: string, place: number): string => `($${place}::text is null or t.${column} in (
    select r.platform_id from "${table}" r where ${ofSource('r')} and r.ledger_id = any($${place}::text::bigint[])))
  and ($${place + 1}::text is null or (${recordOf(table, `t.${column}`)} is null) = $${place + 1}::text::boolean)`;
const valued = (column: string, place: number): string => `($${place}::text is null or ${column} = any($${place}::text::text[]))
  and ($${place + 1}::text is null or (${column} is null) = $${place + 1}::text::boolean)`;
const documentOf = `case h.document_type ${postedRecords
  .map(({ type, table }) => `when '${type}' then ${recordOf(table, 'h.document_id')}`)
  .join(' ')} end`;

const filtered = `from source_posting t
  join ledger_transaction h on h.company_id = t.company_id and h.ledger_integration_type = t.ledger_integration_type and h.platform_id = t.transaction_id
  where ${ofSource('t')} and t.date >= $3::text::date and t.date <= $4::text::date
  and ($5::text is null or t.date > $5::text::date) and ($6::text is null or t.date < $6::text::date) and ($7::text is null or t.date = any($7::text::date[]))
  and ${named('account_id', 'account', ACCOUNT)}
  and ${named('contact_id', 'contact', CONTACT)}
  and ($${DOCUMENT}::text is null or (h.document_type, h.document_id) in (select d.type, d.platform_id from (${documents}) d where d.ledger_id = any($${DOCUMENT}::text::bigint[])))
  and ($${DOCUMENT + 1}::text is null or (${documentOf} is null) = $${DOCUMENT + 1}::text::boolean)
  and ${valued('h.document_type', TYPE)}
  and ${valued('t.part', PART)}`;
const AFTER = 8 + FILTERED * 2;

/** What lists of postings read of each: the posting `p` and its transaction `h`. */
const pageColumns = `p.date, ${recordOf('account', 'p.account_id')}, p.part, p.amount, p.currency_id, p.base_amount, ${recordOf('contact', 'p.contact_id')},
  h.document_type, ${documentOf}, p.description, p.place, p.due_date, p.settled_date, p.transaction_id, h.source_number, h.journal, p.tracking_category_ids`;
const joinedTransaction =
  'join ledger_transaction h on h.company_id = p.company_id and h.ledger_integration_type = p.ledger_integration_type and h.platform_id = p.transaction_id';

/** Postings in the order of their days and transactions, after a place. */
export const sourcePage: Statement = {
  name: 'books_source_postings',
  isReplanned: true,
  text: `select ${pageColumns}
from (select t.* ${filtered}
    and ($${AFTER}::text is null or (t.date, t.transaction_id, t.place) > ($${AFTER}::text::date, $${AFTER + 1}::text, $${AFTER + 2}::text::integer))
  order by t.date, t.transaction_id, t.place limit $${AFTER + 3}::text::bigint offset $${AFTER + 4}::text::bigint) p
${joinedTransaction}
order by p.date, p.transaction_id, p.place`,
};

/** The first postings of each row of a report. `keyed` has the key of its row next to each posting; $5 names the rows, and $6 how many postings. */
const rowPostingsOf = (name: string, keyed: string): Statement => ({
  name: `books_source_row_postings_${name}`,
  isReplanned: true,
  text: `select p.key, ${pageColumns}
from (select k.*, row_number() over (partition by k.key order by k.date, k.transaction_id, k.place) as rank from (${keyed}) k
  where k.key = any($5::text::text[])) p
${joinedTransaction}
where p.rank <= $6::text::bigint order by p.date, p.transaction_id, p.place`,
});

/**
 * The first postings of accounts, looked up account by account; those without a stored account are found by the monthly totals. And the open ones by
 * their contact, of the part in $7.
 */
export const sourceRowPostings = {
  ACCOUNT: rowPostingsOf(
    'of_accounts',
    `select n.key, t.* from (
    select s.platform_id as id, s.ledger_id::text as key from account s
      where ${ofSource('s')} and s.ledger_id::text = any($5::text::text[]) and ${recordOf('account', 's.platform_id')} = s.ledger_id
    union all
    select i.id, 'ENTRY' from (select distinct t.account_id as id from posting_total t where ${ofSource('t')} and 'ENTRY' = any($5::text::text[])) i
      where ${recordOf('account', 'i.id')} is null) n
  cross join lateral (select t.* from source_posting t
    where ${ofSource('t')} and t.account_id = n.id and t.date >= $3::text::date and t.date <= $4::text::date
    order by t.date, t.transaction_id, t.place limit $6::text::bigint) t`,
  ),
  CONTACT: rowPostingsOf(
    'of_contacts',
    `select coalesce(${recordOf('contact', 't.contact_id')}::text, '') as key, t.* from source_posting t where ${isOpen('$7')}`,
  ),
};

/** The number of postings. */
export const sourceCount: Statement = { name: 'books_source_count', isReplanned: true, text: `select count(*) ${filtered}` };
