// The sales of a company by the place of the buyers, from its invoices.
import type { Statement } from '../../database/open.ts';
import { modelOf } from '../../records/metadata.ts';
import { sumsOf } from '../books/line-sums.ts';
import { Address } from '../records/contact.ts';
import { Invoice } from '../records/invoice-document.ts';

const own = (alias: string): string =>
  `${alias}.company_id = $1::bigint and ${alias}.organisation_id = $2::bigint and ${alias}.ledger_deleted_at is null`;

/** The day of an invoice. */
const day = `(coalesce(d.posted_date, d.issued_at) at time zone 'UTC')::date`;

/** The addresses of a parent, of which that for deliveries counts first. */
const addressesOf = (type: string, id: string, place: number): string =>
  `select ${place} as place, a.* from ${modelOf(Address).table} a
     where ${own('a')} and a.parent_type = '${type}' and a.parent_id = ${id} and a.country is not null`;

/**
 * $3 and $4 are lists of first and last days, $5 is the currency of documents that name none. For each of the periods, the sums of the amounts before
 * tax by country and state of the buyer's address, and by currency. That amount is the total less the tax of the invoice or of its lines, or the
 * sub-total with shipping and discount, or what the lines come to. Invoices without an amount or a currency are counted apart, and those without a
 * date in no period. The address is that of the invoice, or of its customer.
 */
export const salesByAddress: Statement = {
  name: 'sales_by_address',
  isReplanned: true,
  text: `with period as (select * from unnest($3::text::date[], $4::text::date[]) with ordinality as p(first_day, last_day, number)),
sale as materialized (
  select ${day} as day, coalesce(d.currency_id, $5::text) as currency,
    coalesce(d.total_amount - coalesce(d.tax_amount, l.tax), d.sub_total + m.more, d.total_amount, l.net + m.more) as amount, t.country, t.state
  from ${modelOf(Invoice).table} d
    cross join lateral (${sumsOf('INVOICE', '(d.total_amount is null or d.tax_amount is null)')}) l
    cross join lateral (select coalesce(d.shipping_amount, 0) - coalesce(d.total_discount, 0) as more) m
    left join lateral (
    select b.country, b.state from (${addressesOf('INVOICE', 'd.ledger_id', 1)} union all ${addressesOf('CONTACT', 'd.contact_id', 2)}) b
    order by b.place, array_position(array['SHIPPING', 'BILLING', 'PRIMARY'], b.type::text) nulls last, b.ledger_id limit 1) t on true
  where ${own('d')} and coalesce(d.status, '') not in ('DRAFT', 'VOID')
    and (${day} is null or ${day} between (select min(first_day) from period) and (select max(last_day) from period)))
select p.number, s.country, s.state, s.currency, s.amount is null, sum(s.amount), count(*)
from sale s left join period p on s.day between p.first_day and p.last_day
where p.number is not null or s.day is null
group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
};
