// Conditions in SQL as functions: what each takes and names. Whether PostgreSQL finds the right rows by them, test/contract/list-pages.test.ts shows.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IsoCountry } from '../../src/address/iso/records.ts';
import type { Engine } from '../../src/database/engine/engine.ts';
import { oneServer } from '../../src/database/engine/one-server.ts';
import type { Condition, ConditionOperator, Filter } from '../../src/database/reader/conditions.ts';
import { again, bindFilters, filterSql, filtersSql, isFindable, operandOf, typeOf, wordsOf } from '../../src/database/reader/filter-sql.ts';
import { Contact } from '../../src/integrations/records/contact.ts';
import { Invoice } from '../../src/integrations/records/invoice-document.ts';
import { modelOf, propOf } from '../../src/records/metadata.ts';

const [invoice, contact] = [modelOf(Invoice), modelOf(Contact)];
const of = (name: string, operator: ConditionOperator, value: unknown): Condition => ({ prop: propOf(invoice, name), operator, value });
const relation = (name: string) => invoice.relations.get(name)!;

/** A filter of invoices in SQL, with its parameters from `$1` on, and its values. */
function written(
  filter: Filter,
  place: { includeDeleted?: boolean; company?: string | null } = {},
): { sql: string; values: string[]; shape: string } {
  const values: string[] = [];
  const shape = bindFilters([filter], values);
  let taken = 0;
  const sql = filterSql(invoice, filter, { alias: 't', next: () => `$${++taken}`, includeDeleted: false, ...place });
  expect(values).toHaveLength(taken);
  return { sql, values, shape };
}

const MEMO_TEXT = "folded_text(coalesce(t.document_number, '') || E'\\n' || coalesce(t.memo, ''))";

describe('conditions', () => {
  it.each<[Filter, string, string[]]>([
    [of('totalAmount', 'eq', 12.5), 't.total_amount = $1::numeric', ['12.5']],
    [of('contactId', 'eq', 7), 't.contact_id = $1::bigint', ['7']],
    [of('status', 'eq', 'PAID'), 't.status = $1::text', ['PAID']],
    [of('isTaxInclusive', 'eq', true), 't.is_tax_inclusive = $1::boolean', ['true']],
    [of('postedDate', 'gt', '2026-01-31'), 't.posted_date > $1::timestamptz', ['2026-01-31']],
    [of('postedDate', 'gte', '2026-01-31'), 't.posted_date >= $1::timestamptz', ['2026-01-31']],
    [of('totalAmount', 'lt', -1), 't.total_amount < $1::numeric', ['-1']],
    [of('totalAmount', 'lte', -1), 't.total_amount <= $1::numeric', ['-1']],
    [of('contactId', 'in', [7, 8]), 't.contact_id = any($1::bigint[])', ['{"7","8"}']],
    [of('memo', 'in', ['a"b', 'c\\']), 't.memo = any($1::text[])', ['{"a\\"b","c\\\\"}']],
    [of('memo', 'isNull', true), 't.memo is null', []],
    [of('memo', 'isNull', false), 't.memo is not null', []],
    // A key is compared in its one form, another text as it is.
    [of('documentNumber', 'eq', 'Cafe\u0301\u00a01'), 't.document_number = $1::text', ['Caf\u00e9 1']],
    [of('documentNumber', 'in', [' A ']), 't.document_number = any($1::text[])', ['{"A"}']],
    [of('memo', 'eq', ' Cafe\u0301'), 't.memo = $1::text', [' Cafe\u0301']],
    // The signs of LIKE are texts, and case and accents do not count.
    [of('memo', 'contains', '5%'), 'folded_text(t.memo) like $1::text', ['%5\\%%']],
    [of('memo', 'startsWith', 'É_'), 'folded_text(t.memo) like $1::text', ['e\\_%']],
    [of('memo', 'contains', 'a\\b'), 'folded_text(t.memo) like $1::text', ['%a\\\\b%']],
    // Three letters are found by the search index.
    [of('memo', 'contains', 'Abc'), `(${MEMO_TEXT} like $1::text and folded_text(t.memo) like $1::text)`, ['%abc%']],
    [of('memo', 'startsWith', 'Abc'), `(${MEMO_TEXT} like ('%' || $1::text) and folded_text(t.memo) like $1::text)`, ['abc%']],
    [of('sourceStatus', 'contains', 'Abc'), 'folded_text(t.source_status) like $1::text', ['%abc%']],
    [{ search: ' Abc  de%' }, `(${MEMO_TEXT} like $1::text and ${MEMO_TEXT} like $2::text)`, ['%abc%', '%de\\%%']],
    [of('customFields', 'has', 'region'), 't.custom_fields @> $1::jsonb', ['[{"name":"region"}]']],
    [of('customFields', 'has', 'region=North=1'), 't.custom_fields @> $1::jsonb', ['[{"name":"region","value":"North=1"}]']],
    [of('customFields', 'has', 'region='), 't.custom_fields @> $1::jsonb', ['[{"name":"region","value":""}]']],
    [{ all: [] }, 'true', []],
    [{ any: [] }, 'false', []],
    [{ all: [of('memo', 'eq', 'a'), of('memo', 'eq', 'b')] }, '(t.memo = $1::text and t.memo = $2::text)', ['a', 'b']],
    [{ any: [of('memo', 'eq', 'a'), of('memo', 'eq', 'b')] }, '(t.memo = $1::text or t.memo = $2::text)', ['a', 'b']],
    [{ not: of('memo', 'eq', 'a') }, '(t.memo = $1::text) is not true', ['a']],
  ])('%j', (filter, sql, values) => {
    const one = written(filter);
    expect([one.sql, one.values]).toEqual([sql, values]);
  });

  it('have the SQL types of columns', () => {
    expect(
      ['contactId', 'totalAmount', 'isTaxInclusive', 'postedDate', 'status', 'memo'].map((name) => typeOf(propOf(invoice, name))),
    ).toEqual(['bigint', 'numeric', 'boolean', 'timestamptz', 'text', 'text']);
    expect(['integer', 'date', 'uuid'].map((kind) => typeOf({ kind } as never))).toEqual(['integer', 'date', 'text']);
  });

  it('words and texts that the search index finds', () => {
    expect(wordsOf(' a\tb  c\n')).toEqual(['a', 'b', 'c']);
    expect(wordsOf(' ')).toEqual([]);
    expect(['abc', 'ab1', '日本語', 'x-abc-', 'ab', 'a-b-c', '½½', '...'].map(isFindable)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('related records', () => {
  const named: Filter = { prop: propOf(contact, 'name'), operator: 'eq', value: 'Ann' };
  const some: Filter = { relation: relation('contact'), match: 'some', where: named };

  it('are those of the organisation and the company, not deleted, and met by one or by none', () => {
    const own = 'tx.organisation_id = t.organisation_id and tx.company_id = t.company_id and tx.ledger_id = t.contact_id';
    const live = `${own} and tx.ledger_deleted_at is null`;
    expect(written(some).sql).toBe(`exists (select from "contact" tx where ${live} and tx.name = $1::text offset 0)`);
    expect(written({ ...some, match: 'none' }).sql).toBe(
      `not exists (select from "contact" tx where ${live} and tx.name = $1::text offset 0)`,
    );
    expect(written(some, { includeDeleted: true }).sql).toBe(
      `exists (select from "contact" tx where ${own} and tx.name = $1::text offset 0)`,
    );
  });

  it('of companies have the organisation alone, and children the type of their parent', () => {
    const company = { relation: relation('company'), match: 'some', where: { all: [] } } as const;
    expect(written(company).sql).toContain('where tx.organisation_id = t.organisation_id and tx.ledger_id = t.company_id and ');
    const lines = { relation: relation('lineItems'), match: 'some', where: { all: [] } } as const;
    expect(written(lines).sql).toContain(
      "tx.parent_id = t.ledger_id and tx.parent_type = 'INVOICE' and tx.ledger_deleted_at is null and true",
    );
  });

  it('that all organisations share are those of the relation alone', () => {
    const country = modelOf(IsoCountry);
    const parts: Filter = { relation: country.relations.get('subdivisions')!, match: 'some', where: { all: [] } };
    const sql = filterSql(country, parts, { alias: 't', next: () => '$1', includeDeleted: false });
    expect(sql).toBe(`exists (select from "iso_subdivision" tx where tx.country = t.alpha2 and tx.status = 'CURRENT' and true offset 0)`);
  });

  it('of several nodes have no offset, and those of one node its company', () => {
    expect(written(some, { company: null }).sql).toMatch(/ and tx\.name = \$1::text\)$/);
    expect(written(some, { company: '$9::bigint' }).sql).toContain(
      'tx.company_id = t.company_id and tx.company_id = $9::bigint and tx.ledger_id',
    );
  });

  it('of related records have an alias of their own', () => {
    const within: Filter = {
      relation: relation('contact'),
      match: 'some',
      where: { relation: contact.relations.get('addresses')!, match: 'none', where: { all: [] } },
    };
    expect(written(within).sql).toContain('not exists (select from "address" txx where txx.organisation_id = tx.organisation_id');
  });
});

describe('statements', () => {
  const filters: Filter[] = [
    { relation: relation('contact'), match: 'some', where: { prop: propOf(contact, 'name'), operator: 'eq', value: 'Ann' } },
    of('companyId', 'eq', 3),
  ];
  const numbered = () => {
    let taken = 1;
    return () => `$${++taken}`;
  };

  it('of one server have each condition once', () => {
    const { written: all, company } = filtersSql(invoice, filters, { next: numbered(), includeDeleted: false, engine: oneServer });
    expect(company).toBe(undefined);
    expect(all.map(({ parameters }) => parameters)).toEqual([['$2'], ['$3']]);
    expect(all[0]!.sql).toMatch(/offset 0\)$/);
    expect(all[1]!.sql).toBe('t.company_id = $3::bigint');
    expect(operandOf(filters[1] as Condition, all[1]!)).toBe('$3::bigint');
  });

  it('of several nodes name the company in each condition, with the same parameters', () => {
    const engine: Engine = { ...oneServer, nodeColumn: ({ companyColumn }) => companyColumn };
    const { written: all, company } = filtersSql(invoice, filters, { next: numbered(), includeDeleted: false, engine });
    expect(company).toBe('$3::bigint');
    expect(all.map(({ parameters }) => parameters)).toEqual([['$2'], ['$3']]);
    expect(all[0]!.sql).toContain('tx.company_id = $3::bigint');
    expect(all[0]!.sql).toContain('tx.name = $2::text offset 0)');
    // Another company or several are not one node.
    for (const other of [of('companyId', 'in', [3]), of('contactId', 'eq', 3), { not: of('companyId', 'eq', 3) }]) {
      const several = filtersSql(invoice, [filters[0]!, other], { next: numbered(), includeDeleted: false, engine });
      expect(several.company).toBe(null);
      expect(several.written[0]!.sql).not.toMatch(/offset|\$3/);
    }
  });

  it('parameters can be taken once more in their order', () => {
    const parameters = ['$4', '$5'];
    const next = again({ parameters });
    expect([next(), next(), parameters]).toEqual(['$4', '$5', ['$4', '$5']]);
  });

  it('filters of one shape have one text, and filters of different texts have different shapes', () => {
    const condition = fc.constantFrom<Filter>(
      of('memo', 'eq', 'a'),
      of('memo', 'isNull', true),
      of('memo', 'isNull', false),
      of('memo', 'contains', 'ab'),
      of('memo', 'contains', 'abc'),
      of('memo', 'startsWith', 'abcd'),
      of('totalAmount', 'gt', 1),
      of('totalAmount', 'in', [1]),
      { search: 'ab abc' },
      { search: 'abc ab' },
      { search: 'abc' },
      { search: 'abc def' },
    );
    const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        condition,
        fc.array(tie('filter'), { maxLength: 3 }).map((all): Filter => ({ all })),
        fc.array(tie('filter'), { maxLength: 3 }).map((any): Filter => ({ any })),
        tie('filter').map((not): Filter => ({ not })),
        fc
          .constantFrom('some' as const, 'none' as const)
          .map((match): Filter => ({ relation: relation('lineItems'), match, where: { all: [] } })),
        fc
          .constantFrom(relation('addresses'), relation('contact'))
          .map((one): Filter => ({ relation: one, match: 'some', where: { any: [] } })),
      ),
    }));
    const texts = new Map<string, string>();
    fc.assert(
      fc.property(filter, (one) => {
        const { sql, shape } = written(one);
        expect(texts.get(shape) ?? sql).toBe(sql);
        texts.set(shape, sql);
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(texts.size).toBeGreaterThan(100);
    expect(bindFilters([of('memo', 'eq', 'a'), of('memo', 'eq', 'b')], [])).not.toBe(
      bindFilters([{ all: [of('memo', 'eq', 'a'), of('memo', 'eq', 'b')] }], []),
    );
  });
});
