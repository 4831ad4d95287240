// What the lines of a document come to, as SQL on the document `d` and its line `l`.

const IS_INCLUSIVE = 'coalesce(l.is_tax_inclusive, d.is_tax_inclusive, false)';

/** The amount of a line before tax. */
export const NET_OF_LINE = `coalesce(l.sub_total, l.total_amount - coalesce(l.tax_amount, 0), l.quantity * l.unit_amount - coalesce(l.discount_amount, 0)
    - case when ${IS_INCLUSIVE} then coalesce(l.tax_amount, 0) else 0 end)`;

/** The amount of a line with its tax, and whether that is what the line says; `n` has its amount before tax. */
export const GROSS_OF_LINE = `coalesce(l.total_amount, n.net + coalesce(l.tax_amount, 0)) as gross,
    l.total_amount is not null or l.sub_total is null and ${IS_INCLUSIVE} as is_gross`;

/** The sums over the lines of a document; the tax is null where no line says it. */
export const SUMS = `sum(net) as net, sum(tax_amount) as tax, sum(gross) as gross, bool_and(is_gross) filter (where net is not null) as is_gross`;

/** The lines of a document that a condition finds. */
export const linesOf = (type: string, condition: string): string =>
  `from line_item l where l.company_id = $1::bigint and l.organisation_id = $2::bigint and l.ledger_deleted_at is null
    and l.parent_type = '${type}' and l.parent_id = d.ledger_id and ${condition}`;

/** The sums over the lines of one document, or nulls where a condition on it does not hold. */
export const sumsOf = (type: string, condition: string): string =>
  `select ${SUMS} from (select n.net, l.tax_amount, ${GROSS_OF_LINE} from (select l.* ${linesOf(type, condition)}) l
    cross join lateral (select ${NET_OF_LINE} as net) n) l`;

/**
 * What the lines, whose sums are `l`, come to with the tax of their document. An inclusive line of 120 in a document that alone says 20 of tax comes
 * to 120, not 140.
 */
export const linesWithTax = (ownTax: string): string => `case when l.is_gross then l.gross else l.net + coalesce(${ownTax}, l.tax, 0) end`;
