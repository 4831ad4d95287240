// Invoices, bills, payments, journal entries, expenses and bank transactions: what they hold, what has to add up, and how they lead to each other.
import { beforeAll, describe, expect, it } from 'vitest';
import { executeIn } from '../../src/database/open.ts';
import { systemTransaction } from '../../src/database/transaction.ts';
import { Payment } from '../../src/integrations/records/payment.ts';
import { exactSum } from '../../src/integrations/writes/exact-sum.ts';
import { storedForm } from '../../src/integrations/writes/source-form.ts';
import { type GatewayResponse, useGateway } from '../support/gateway.ts';
import { buildCompany, type TestCompany } from '../support/records.ts';
import { endOfSync, jobsOf } from '../support/syncs.ts';

const gateway = useGateway();
let company: TestCompany;
let other: TestCompany;

beforeAll(async () => {
  company = await buildCompany(gateway);
  other = await buildCompany(gateway, { key: company.key });
});

const send = (method: string, path: string, body?: unknown): Promise<GatewayResponse> =>
  gateway.send(method, `${company.base}/${path}`, { headers: company.headers, body });
async function put(records: string, data: Record<string, unknown>) {
  const response = await send('PUT', records, { data });
  expect(response.status, response.text).toBe(200);
  return response.body.data.data;
}
const refusal = ({ status, body }: GatewayResponse) => [status, body.error.error_code, body.error.field];
const ask = (query: string) => gateway.graphql(company.key, query, { company: String(company.id) });

/** Lines of a journal entry. */
const lines = (...amounts: number[]) => amounts.map((total_amount) => ({ total_amount }));

let state = 7;
/** A linear congruential generator, so that every run makes the same entries. */
const below = (limit: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};

describe('records', () => {
  const money = { currency_id: 'EUR', currency_rate: 0.86, sub_total: 10, tax_amount: 2, total_amount: 12 };
  const document = { ...money, document_number: 'D-1', posted_date: '2026-03-01T00:00:00.000Z', due_date: '2026-03-31T00:00:00.000Z' };
  const transacted = { currency_id: 'EUR', transaction_date: '2026-03-05T00:00:00.000Z' };
  const bodies: [list: string, body: Record<string, unknown>][] = [
    [
      'invoices',
      { ...document, amount_due: 12, shipping_amount: 0, issued_at: '2026-03-01T10:00:00.000Z', memo: 'm', status: 'SUBMITTED' },
    ],
    ['bills', { ...document, amount_due: 0, is_tax_inclusive: false, total_discount: 0, memo: 'm', status: 'PAID' }],
    ['payments', { ...transacted, direction: 'RECEIVED', total_amount: 12, reference_number: 'R-1', payment_mode: 'CARD', memo: 'm' }],
    ['journal_entries', { ...transacted, document_number: 'J-1', currency_rate: 1, memo: 'm', status: 'POSTED' }],
    ['expenses', { ...transacted, ...money, document_number: 'E-1', payment_mode: 'CASH', memo: 'm' }],
    [
      'bank_transactions',
      {
        ...transacted,
        amount: -12.5,
        posted_date: '2026-03-06T00:00:00.000Z',
        description: 'Café',
        reference_number: 'C-9',
        type: 'FEE',
        status: 'POSTED',
      },
    ],
  ];

  it.each(bodies)('%s are created, read, listed, changed and deleted on REST', async (list, body) => {
    const made = await send('POST', list, { data: { ...body, platform_id: 'rest' } });
    expect(made.status, made.text).toBe(201);
    const { ledger_id } = made.body.data.data;
    expect((await send('GET', `${list}/${ledger_id}`)).body.data).toMatchObject(body);
    const [name, value] = Object.entries(body).find(([member]) => /_number$|^description$/.test(member))!;
    expect((await send('GET', `${list}?${name}=${value}`)).body.data).toMatchObject([{ ledger_id, ...body }]);
    const changed = await send('PUT', `${list}/${ledger_id}`, { data: { [name]: 'other' } });
    expect(changed.body.data.data).toMatchObject({ ...body, [name]: 'other' });
    expect((await send('DELETE', `${list}/${ledger_id}`)).status).toBe(204);
    expect((await send('GET', `${list}/${ledger_id}`)).status).toBe(404);
  });

  it('the documents of a contact, the postings of an account and the bills of an order are found from them', async () => {
    const contact = await put('contacts', { platform_id: 'way', name: 'Way' });
    const account = await put('accounts', { platform_id: 'way', name: 'Bank' });
    const order = await put('purchase_orders', { platform_id: 'way' });
    const both = { platform_id: 'way', contact_id: contact.ledger_id };
    await put('invoices', both);
    await put('bills', { ...both, purchase_order_ids: [order.ledger_id], line_items: [{ account_id: account.ledger_id }] });
    for (const list of ['payments', 'expenses', 'bank_transactions']) await put(list, { ...both, account_id: account.ledger_id });
    await put('journal_entries', { platform_id: 'way', line_items: [{ account_id: account.ledger_id }] });
    const nodes = '{ nodes { platformId } }';
    const response = await ask(
      `query ($company: ID!) { company(id: $company) {
        contact(ledgerId: ${contact.ledger_id}) { invoices ${nodes} bills ${nodes} payments ${nodes} expenses ${nodes} bankTransactions ${nodes} }
        account(ledgerId: ${account.ledger_id}) { payments ${nodes} expenses ${nodes} bankTransactions ${nodes} lineItems { nodes { parent { __typename } } } }
        purchaseOrder(ledgerId: ${order.ledger_id}) { bills { nodes { platformId purchaseOrders { platformId } } } }
      } }`,
    );
    expect(response.body.errors, response.text).toBeUndefined();
    const { contact: ofContact, account: ofAccount, purchaseOrder } = response.body.data.company;
    for (const list of [...Object.values(ofContact), ofAccount.payments, ofAccount.expenses, ofAccount.bankTransactions])
      expect(list).toEqual({ nodes: [{ platformId: 'way' }] });
    expect(ofAccount.lineItems.nodes).toEqual([{ parent: { __typename: 'Bill' } }, { parent: { __typename: 'JournalEntry' } }]);
    expect(purchaseOrder.bills.nodes).toEqual([{ platformId: 'way', purchaseOrders: [{ platformId: 'way' }] }]);
  });
});

describe('journal entries', () => {
  it('an entry that does not balance is rejected with the difference on both endpoints, and nothing of it is stored', async () => {
    for (const query of ['', '?strict=true']) {
      const refused = await send('POST', `journal_entries${query}`, { data: { platform_id: 'off', line_items: lines(100.1, -100) } });
      expect(refusal(refused)).toEqual([400, 'INVALID_PARAMS', 'data.line_items']);
      expect(refused.body.error.message).toContain('debits are 100.1 and credits are 100, a difference of 0.1');
    }
    const { body } = await ask(
      'mutation ($company: ID!) { createJournalEntry(input: { companyId: $company, platformId: "off", lineItems: [{ totalAmount: 5 }] }) { journalEntry { id } errors { code path message } } }',
    );
    expect(body.data.createJournalEntry).toMatchObject({
      journalEntry: null,
      errors: [{ code: 'INVALID_PARAMS', path: ['lineItems'], message: expect.stringContaining('a difference of 5') }],
    });
    expect((await send('GET', 'journal_entries?platform_id=off')).body.data).toEqual([]);
    expect((await send('GET', 'line_items?parent_type=JOURNAL_ENTRY&total_amount=100.1')).body.data).toEqual([]);
  });

  it('amounts are added exactly: what rounding would hide is reported, and what it would invent is not', async () => {
    const stored = await put('journal_entries', { platform_id: 'exact', line_items: lines(0.1, 0.2, -0.3) });
    expect(stored.line_items).toMatchObject(lines(0.1, 0.2, -0.3));
    const large = await send('PUT', 'journal_entries', { data: { platform_id: 'large', line_items: lines(1e14, 0.01, -1e14) } });
    expect(large.body.error.message).toContain('a difference of 0.01');
    for (let round = 0; round < 200; round++) {
      const cents = Array.from({ length: 1 + below(6) }, () => below(2_000_000) - 1_000_000);
      const rest = -cents.reduce((sum, cent) => sum + cent, 0);
      expect(exactSum([...cents, rest].map((cent) => cent / 100))).toBe(0);
      const off = 1 + below(9);
      expect(exactSum([...cents, rest + off].map((cent) => cent / 100))).toBe(off / 100);
    }
    expect(exactSum([1e-15, -2.5e-7, 1e21, 2.5e-7, -1e21])).toBe(1e-15);
    expect(exactSum([])).toBe(0);
  });

  it('in a batch the entries that balance are stored', async () => {
    const data = [lines(1, -1), lines(1, -2), []].map((line_items, index) => ({ platform_id: `batch-${index}`, line_items }));
    const accepted = await send('POST', 'journal_entries?run_async=true', { data });
    await endOfSync(gateway, company, accepted.body.data.sync_id);
    const jobs = await jobsOf(gateway, company, accepted.body.data.sync_id);
    expect(jobs.filter(({ parentJobId }) => parentJobId).map(({ errorResponse }) => errorResponse)).toEqual([
      { index: 1, platform_id: 'batch-1', field: 'data[1].line_items' },
    ]);
    const stored = (await send('GET', 'journal_entries?platform_id[in]=batch-0,batch-1,batch-2')).body.data;
    expect(stored.map((row: { platform_id: string }) => row.platform_id)).toEqual(['batch-0', 'batch-2']);
  });

  it('a line is not written, moved or deleted without its entry', async () => {
    const entry = await put('journal_entries', { platform_id: 'whole', line_items: lines(3, -3) });
    const order = await put('purchase_orders', { platform_id: 'whole', line_items: lines(3) });
    const [line] = entry.line_items;
    const [ofOrder] = order.line_items;
    const parent = { parent_type: 'JOURNAL_ENTRY', parent_id: entry.ledger_id };
    const tried: [method: string, path: string, data?: Record<string, unknown>][] = [
      ['POST', 'line_items', { ...parent, total_amount: 1 }],
      ['PUT', 'line_items', { ...parent, platform_id: line.platform_id, total_amount: 4 }],
      ['PUT', `line_items/${line.ledger_id}`, { total_amount: 4 }],
      ['PUT', `line_items/${line.ledger_id}`, { parent_type: 'PURCHASE_ORDER', parent_id: order.ledger_id }],
      ['PUT', `line_items/${ofOrder.ledger_id}`, parent],
    ];
    for (const [method, path, data] of tried) {
      const refused = await send(method, path, { data });
      expect(refusal(refused), refused.text).toEqual([400, 'INVALID_PARAMS', 'data.parent_id']);
      expect(refused.body.error.message).toContain('is written with all line_items of its journal entry');
    }
    expect(refusal(await send('DELETE', `line_items/${line.ledger_id}`))).toEqual([400, 'INVALID_PARAMS', 'id']);
    const bulk = await ask(
      `mutation ($company: ID!) { deleteLineItems(input: { companyId: $company, records: [{ id: ${line.ledger_id} }] }) { results { errors { code path } } errors { code } } }`,
    );
    expect(bulk.body.data.deleteLineItems.results[0].errors, bulk.text).toMatchObject([{ code: 'INVALID_PARAMS' }]);
    const kept = (await send('GET', `journal_entries/${entry.ledger_id}?expand=line_items`)).body.data;
    expect(kept.line_items).toEqual(
      entry.line_items.map(({ item: _, tax: __, account: ___, variant: ____, ...rest }: Record<string, unknown>) => rest),
    );
    // With the entry they change, and go.
    expect((await put('journal_entries', { platform_id: 'whole', line_items: lines(4, -1, -3) })).line_items).toMatchObject(
      lines(4, -1, -3),
    );
    expect((await send('DELETE', `journal_entries/${entry.ledger_id}`)).status).toBe(204);
    expect((await send('GET', `line_items?parent_id=${entry.ledger_id}`)).body.data).toEqual([]);
  });

  it('an entry of a source is stored as it is and flagged, and a caller may change its other fields', async () => {
    const own = await buildCompany(gateway, { key: company.key });
    const form = new FormData();
    form.set('data_model', 'JOURNAL_ENTRY');
    form.set('file', new Blob([JSON.stringify([{ platform_id: 'source', line_items: lines(5, -4) }])]), 'entries.json');
    const request = new Request('http://form.invalid', { method: 'POST', body: form });
    const headers = { ...own.headers, 'content-type': request.headers.get('content-type')! };
    const uploaded = await gateway.send('POST', `${own.base}/imports`, { headers, raw: new Uint8Array(await request.arrayBuffer()) });
    expect(uploaded.status, uploaded.text).toBe(201);
    const asked = await gateway.send('POST', `${own.base}/syncs`, {
      headers: own.headers,
      body: { data: { dataModels: ['JOURNAL_ENTRY'] } },
    });
    expect(await endOfSync(gateway, own, asked.body.data.id)).toMatchObject({ status: 'SUCCESS' });
    const read = await gateway.graphql(
      company.key,
      `{ company(id: ${own.id}) { journalEntries { nodes { ledgerId integrityIssues { rule field message } } } } }`,
    );
    const [entry] = read.body.data.company.journalEntries.nodes;
    expect(entry.integrityIssues).toEqual([
      { rule: 'BALANCED_ENTRY', field: 'lineItems', message: expect.stringContaining('a difference of 1;') },
    ]);
    const path = `${own.base}/journal_entries/${entry.ledgerId}`;
    const noted = await gateway.send('PUT', path, { headers: own.headers, body: { data: { memo: 'seen' } } });
    expect([noted.status, noted.body.data?.data.memo], noted.text).toEqual([200, 'seen']);
    const again = await gateway.send('PUT', path, { headers: own.headers, body: { data: { line_items: lines(5, -4) } } });
    expect(refusal(again)).toEqual([400, 'INVALID_PARAMS', 'data.line_items']);
  });
});

describe('payments', () => {
  const types = { INVOICE: 'invoices', BILL: 'bills', INVOICE_CREDIT_NOTE: 'invoice_credit_notes', BILL_CREDIT_NOTE: 'bill_credit_notes' };
  const documents = new Map<string, number>();

  beforeAll(async () => {
    for (const [type, list] of Object.entries(types))
      documents.set(type, (await put(list, { platform_id: 'paid', total_amount: 50 })).ledger_id);
  });

  it('a payment shows what it pays, and each document the payments of it', async () => {
    const allocations = [...documents].map(([document_type, document_id], index) => ({ document_type, document_id, amount: 10 + index }));
    const payment = await put('payments', { platform_id: 'all', direction: 'ACCOUNTS_RECEIVABLE', total_amount: 100, allocations });
    expect(payment).toMatchObject({
      direction: 'RECEIVED',
      allocations: allocations.map((one) => ({ ...one, payment_id: payment.ledger_id })),
    });
    const paid = await ask(
      `query ($company: ID!) { company(id: $company) { payment(ledgerId: ${payment.ledger_id}) { allocations { amount document { __typename ... on Node { id } } } }
        ${Object.values(types)
          .map((list) => {
            const field = list.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
            return `${field}(first: 2, filter: { platformId: { eq: "paid" } }) { nodes { id paymentAllocations(first: 2) { nodes { amount payment { platformId } } } } }`;
          })
          .join(' ')} } }`,
    );
    expect(paid.body.errors, paid.text).toBeUndefined();
    const { payment: read, ...lists } = paid.body.data.company;
    const found = Object.values(lists as Record<string, { nodes: { id: string; paymentAllocations: { nodes: unknown[] } }[] }>).map(
      ({ nodes }) => nodes[0]!,
    );
    expect(read.allocations.map(({ document }: { document: { id: string } }) => document.id)).toEqual(found.map(({ id }) => id));
    expect(found.map(({ paymentAllocations }) => paymentAllocations.nodes)).toEqual(
      allocations.map(({ amount }) => [{ amount, payment: { platformId: 'all' } }]),
    );
    const filtered = await send('GET', `payment_allocations?document_type=BILL&document_id=bill_${documents.get('BILL')}`);
    expect(filtered.body.data).toMatchObject([{ amount: 11, payment_id: payment.ledger_id }]);
  });

  it('on the way to its source an allocation names its document by the id of the source', async () => {
    const document_id = documents.get('BILL');
    const { ledger_id } = await put('payments', { platform_id: 'sent', allocations: [{ document_type: 'BILL', document_id, amount: 1 }] });
    const { schema, database } = gateway.services;
    const [row] = await systemTransaction(database, (em) =>
      executeIn<{ id: string }>(em, 'select organisation_id as id from company where ledger_id = $1', [company.id]),
    );
    const query = { schema, organisationId: Number(row!.id), companyId: company.id, target: Payment, ledgerId: ledger_id };
    const { record } = await systemTransaction(database, (em) => storedForm(em, query));
    expect(record).toMatchObject({ platform_id: 'sent', allocations: [{ document_type: 'BILL', document_id: 'paid', amount: 1 }] });
  });

  it('an allocation names a document of its type and company', async () => {
    const foreign = await gateway.send('POST', `${other.base}/invoices`, { headers: other.headers, body: { data: { memo: 'theirs' } } });
    const wrong: [Record<string, unknown>, string, string][] = [
      [{ document_type: 'INVOICE', document_id: 99_999_999 }, 'INVALID_PARAMS', 'document_id'],
      [{ document_type: 'INVOICE', document_id: documents.get('BILL') }, 'INVALID_PARAMS', 'document_id'],
      [{ document_type: 'INVOICE', document_id: foreign.body.data.data.ledger_id }, 'INVALID_PARAMS', 'document_id'],
      [{ document_type: 'INVOICE', document_id: `contact_${documents.get('INVOICE')}` }, 'INVALID_PARAMS', 'document_id'],
      [{ document_type: 'CONTACT', document_id: documents.get('INVOICE') }, 'INVALID_PARAMS', 'document_type'],
      [{ document_id: documents.get('INVOICE') }, 'MISSING_PARAMS', 'document_type'],
    ];
    for (const [allocation, code, field] of wrong) {
      const nested = await send('POST', 'payments', { data: { platform_id: 'wrong', allocations: [allocation] } });
      expect(refusal(nested), nested.text).toEqual([400, code, `data.allocations[0].${field}`]);
      expect(refusal(await send('POST', 'payment_allocations', { data: allocation }))).toEqual([400, code, `data.${field}`]);
    }
    expect((await send('GET', 'payments?platform_id=wrong')).body.data).toEqual([]);
    // A type that is not stored here has the number of the source.
    const kept = await put('payments', { platform_id: 'unknown', allocations: [{ document_type: 'UNKNOWN', document_id: 99_999_999 }] });
    expect(kept.allocations).toMatchObject([{ document_type: 'UNKNOWN', document_id: 99_999_999 }]);
  });

  const shares = (...amounts: number[]) =>
    amounts.map((amount) => ({ document_type: 'INVOICE', document_id: documents.get('INVOICE'), amount }));

  it.each([
    ['more than it', 0.3, [0.1, 0.2, 0.01], true],
    ['all of it, exactly', 0.3, [0.1, 0.2], false],
    ['a part of it', 100, [40], false],
    ['all of it after a credit note is set off', 70, [100, -30], false],
    ['less than nothing of it', 70, [-1], true],
    ['more of money that went back', -5, [-6], true],
    ['a part of money that went back', -5, [-4], false],
  ])('a payment that allocates %s is flagged and rejected when strict, or neither', async (title, total_amount, amounts, isWrong) => {
    const data = { platform_id: title, total_amount, allocations: shares(...amounts) };
    const strict = await send('PUT', 'payments?strict=true', { data });
    if (isWrong) expect(refusal(strict), strict.text).toEqual([400, 'INVALID_PARAMS', 'data.allocations']);
    else expect(strict.status, strict.text).toBe(200);
    const { ledger_id } = await put('payments', data);
    const read = await ask(
      `query ($company: ID!) { company(id: $company) { payment(ledgerId: ${ledger_id}) { integrityIssues { rule } } } }`,
    );
    expect(read.body.data.company.payment.integrityIssues).toEqual(isWrong ? [{ rule: 'PAYMENT_ALLOCATIONS' }] : []);
  });
});
