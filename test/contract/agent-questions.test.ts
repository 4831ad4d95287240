// Twenty questions about the demo books, answered by a script that knows only the four tools. Every name that it writes was read from one of them.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useGateway } from '../support/gateway.ts';
import { until } from '../support/queue-database.ts';

const gateway = useGateway({ demoData: true, webhookAllowPrivate: true });
let client: Client;

/** What the tools were sent and have returned, so that a change that makes agents read much more is seen. */
const used = { calls: 0, characters: 0 };
const MAX_CALLS = 165;
const MAX_CHARACTERS = 230_000;

interface Step {
  operation: string;
  variables?: Record<string, unknown>;
}

interface Question {
  question: string;
  /** Names to describe, each a title that the search before it finds, or a name that an earlier description has. */
  read: (string | { search: string; finds: string })[];
  /** Operations, each made from the data of the one before; none where the descriptions are the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: questions look into answers by path.
  steps?: ((data: any) => Step)[];
  answer: RegExp;
}

const found = (search: string, finds: string) => ({ search, finds });
const companies = found('companies', 'companies');
/** An operation below the first company. */
const ofCompany =
  (selection: string): (() => Step) =>
  () => ({
    operation: `query Question { companies(first: 1) { nodes { ledgerId ${selection} } } }`,
  });

const questions: Question[] = [
  {
    question: 'Who owes the most?',
    read: [
      companies,
      found('invoices summary', 'InvoiceSummary'),
      'InvoiceSummaryGroup',
      'Company.invoicesSummary',
      'InvoiceGroupBy',
      'InvoiceSummaryOrder',
      'InvoiceGroupField',
      'InvoiceSummaryOrderField',
      'InvoiceAmounts',
      found('contact', 'Contact'),
      'Company.contact',
    ],
    steps: [
      ofCompany(
        'invoicesSummary(first: 1, groupBy: [{ field: CONTACT_ID }], orderBy: [{ field: SUM_AMOUNT_DUE, direction: DESC }]) { groups { key { value } sum { amountDue } } }',
      ),
      ({ companies: { nodes } }) => ({
        operation: 'query Question($id: ID!, $contact: ID!) { company(id: $id) { contact(ledgerId: $contact) { name } } }',
        variables: { id: nodes[0].ledgerId, contact: Number(nodes[0].invoicesSummary.groups[0].key[0].value) },
      }),
    ],
    answer: /"name":"(The Reading Room|Quayside Hotel|Northern Line Bakeries)"/,
  },
  {
    question: 'Which invoices are overdue?',
    read: [companies, found('invoice status', 'DocumentStatus'), 'Invoice', 'Company.invoices', 'InvoiceFilter', 'DocumentStatusFilter'],
    steps: [ofCompany('invoices(filter: { status: { eq: OVERDUE } }) { nodes { documentNumber amountDue } }')],
    answer: /"documentNumber":"INV-704"/,
  },
  {
    question: 'How much is outstanding in all?',
    read: [companies, found('invoices summary', 'InvoiceSummary'), 'InvoiceSummaryGroup', 'Company.invoicesSummary', 'InvoiceAmounts'],
    steps: [ofCompany('invoicesSummary { groups { sum { amountDue } } }')],
    answer: /"amountDue":\d+/,
  },
  {
    question: 'What changed today?',
    read: [companies, found('company changes', 'CompanyChanges'), 'CompanyChange', 'Company.changes'],
    steps: [ofCompany('changes(first: 5) { nodes { operation dataModel nodeId changedAt } }')],
    answer: /"operation":"\w+","dataModel":"\w+"/,
  },
  {
    question: 'Which webhook fails, and why?',
    read: [
      found('deliveries', 'webhookDeliveries'),
      'WebhookDeliveryFilter',
      'WebhookDeliveryStatusFilter',
      'WebhookDelivery',
      'Webhook',
      'WebhookAttempt',
    ],
    steps: [
      () => ({
        operation:
          'query Question { webhookDeliveries(filter: { status: { eq: FAILED } }) { nodes { webhook { name } attempts { error } } } }',
      }),
    ],
    answer: /"name":"Warehouse".*"error":"[^"]+"/,
  },
  {
    question: 'Create a contact with a tax id.',
    read: [companies, found('create contact', 'createContact'), 'CreateContactInput', 'ContactPayload'],
    steps: [
      ofCompany(''),
      ({ companies: { nodes } }) => ({
        operation:
          'mutation Question($input: CreateContactInput!) { createContact(input: $input) { contact { id name taxNumber } errors { message } } }',
        variables: { input: { companyId: String(nodes[0].ledgerId), name: 'Agent & Sons', taxNumber: 'GB999999973' } },
      }),
    ],
    answer: /"taxNumber":"GB999999973"/,
  },
  {
    question: 'Which items have the least stock?',
    read: [companies, found('item', 'Item'), 'Company.items', 'ItemOrder', 'ItemOrderField'],
    steps: [
      ofCompany('items(first: 1, orderBy: [{ field: QUANTITY_ON_HAND, direction: ASC, nulls: LAST }]) { nodes { name quantityOnHand } }'),
    ],
    answer: /"Kraft bags, box of 100","quantityOnHand":64/,
  },
  {
    question: 'What is in the savings account?',
    read: [companies, found('account', 'Account'), 'Company.accounts', 'AccountFilter', 'TextFilter'],
    steps: [ofCompany('accounts(filter: { name: { contains: "savings" } }) { nodes { name currentBalance } }')],
    answer: /"currentBalance":10000/,
  },
  {
    question: 'How many customers and vendors are there?',
    read: [
      companies,
      found('contacts summary', 'ContactSummary'),
      'Company.contactsSummary',
      'ContactGroupBy',
      'ContactGroupField',
      'ContactSummaryGroup',
    ],
    steps: [ofCompany('contactsSummary(groupBy: [{ field: TYPE }]) { groups { key { value } count } }')],
    answer: /"value":"CUSTOMER"\}\],"count":4|"value":"CUSTOMER".*"count":4/,
  },
  {
    question: 'Which bills are to be paid, and to whom?',
    read: [companies, found('bill', 'Bill'), 'Company.bills', 'BillFilter', 'DecimalFilter'],
    steps: [ofCompany('bills(filter: { amountDue: { gt: 0 } }) { nodes { documentNumber amountDue contact { name } } }')],
    answer: /"contact":\{"name":"[^"]+"\}/,
  },
  {
    question: 'What was invoiced by month?',
    read: [
      companies,
      found('invoices summary', 'InvoiceSummary'),
      'InvoiceSummaryGroup',
      'Company.invoicesSummary',
      'InvoiceGroupBy',
      'InvoiceAmounts',
      'DateBucket',
      'InvoiceGroupField',
    ],
    steps: [
      ofCompany('invoicesSummary(groupBy: [{ field: POSTED_DATE, bucket: MONTH }]) { groups { key { value } sum { totalAmount } } }'),
    ],
    answer: /"totalAmount":\d+/,
  },
  {
    question: 'What is the email address of the Quayside Hotel?',
    read: [companies, found('contact', 'Contact'), 'Company.contacts', 'ContactFilter', 'TextFilter'],
    steps: [ofCompany('contacts(filter: { name: { contains: "quayside" } }) { nodes { email } }')],
    answer: /"email":"accounts@contact-4\.example"/,
  },
  {
    question: 'What was the last payment?',
    read: [companies, found('payment', 'Payment'), 'Company.payments', 'PaymentOrder', 'PaymentOrderField'],
    steps: [
      ofCompany('payments(first: 1, orderBy: [{ field: TRANSACTION_DATE, direction: DESC }]) { nodes { totalAmount transactionDate } }'),
    ],
    answer: /"transactionDate":"20/,
  },
  {
    question: 'Which companies are registered where?',
    read: [found('corporations', 'corporations'), 'Corporation'],
    steps: [() => ({ operation: 'query Question { corporations { nodes { legalName jurisdiction } } }' })],
    answer: /"legalName":"Banyan Software Private Limited","jurisdiction":"IN"/,
  },
  {
    question: 'What tax ids do they have?',
    read: [found('corporations', 'corporations'), 'Corporation', 'TaxId'],
    steps: [() => ({ operation: 'query Question { corporations { nodes { legalName taxIds { type value } } } }' })],
    answer: /"value":"91-1144442"/,
  },
  {
    question: 'Which product weighs the most?',
    read: [found('corporations', 'corporations'), 'Corporation', 'Product'],
    steps: [() => ({ operation: 'query Question { corporations { nodes { products(first: 20) { nodes { name weightInKg } } } } }' })],
    answer: /"Laptop, 14 inch","weightInKg":1\.4/,
  },
  {
    question: 'What may this key do, and how many requests are left?',
    read: [found('viewer', 'viewer'), 'Viewer', 'ViewerAllowance'],
    steps: [() => ({ operation: 'query Question { viewer { roles allowance { remaining } } }' })],
    answer: /"AGENT_WRITE"/,
  },
  { question: 'What does STALE_RECORD mean?', read: [found('stale', 'STALE_RECORD')], answer: /Fix: / },
  { question: 'How is the signature of a webhook verified?', read: [found('verify signature', 'Receive webhooks')], answer: /HMAC-SHA256/ },
  { question: 'How long may a page of a list be?', read: [found('page size', 'Page size')], answer: /\d+/ },
];

beforeAll(async () => {
  const key = await gateway.key(['PLATFORM', 'INTEGRATIONS', 'AGENT_WRITE'], 'Demo');
  await failingWebhook(key);
  client = new Client({ name: 'questions', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.origin}/mcp`), { requestInit }));
});
afterAll(async () => {
  await client.close();
});

/** A webhook at a port where nothing listens, with a delivery that failed. */
async function failingWebhook(key: string): Promise<void> {
  const made = await gateway.graphql(
    key,
    'mutation { createWebhook(input: { name: "Warehouse", url: "http://127.0.0.1:9/hook", topics: [ALL] }) { webhook { id } } }',
  );
  const { id } = made.body.data.createWebhook.webhook;
  await gateway.graphql(key, `mutation { triggerWebhookTest(input: { id: "${id}", eventData: {} }) { delivery { id } } }`);
  await until(async () => {
    const { body } = await gateway.graphql(key, '{ webhookDeliveries(filter: { status: { eq: FAILED } }) { nodes { id } } }');
    return body.data.webhookDeliveries.nodes.length > 0;
  });
}

async function call(name: string, given: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: given });
  const { text } = content[0] as { text: string };
  used.calls++;
  used.characters += JSON.stringify(given).length + text.length;
  expect(isError, `${name} ${JSON.stringify(given)}: ${text.slice(0, 500)}`).toBeFalsy();
  return text;
}

/** Words of the language itself. */
const OWN = new Set(['query', 'mutation', 'true', 'false', 'null', 'Question']);

/** The names of an operation, its variables left out. */
const namesOf = ({ operation, variables }: Step): string[] => [
  ...(operation.replaceAll(/"[^"]*"|\$\w+/g, '').match(/[A-Za-z_]\w*/g) ?? []).filter((name) => !OWN.has(name)),
  ...Object.keys((variables?.input as object | undefined) ?? {}),
];

const isNamedIn = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

it.each(questions)('$question', async ({ read, steps = [], answer }) => {
  let known = '';
  for (const one of read) {
    if (typeof one === 'string') {
      expect([one, isNamedIn(known, one.split('.').at(-1)!)]).toEqual([one, true]);
      known += await call('describe', { name: one });
      continue;
    }
    const results = await call('search', { query: one.search });
    expect((JSON.parse(results).results as { title: string }[]).map(({ title }) => title)).toContain(one.finds);
    known += results + (await call('describe', { name: one.finds }));
  }
  let text = known;
  let data: unknown;
  for (const step of steps) {
    const given = step(data);
    expect(namesOf(given).filter((name) => !isNamedIn(known, name))).toEqual([]);
    await call('check', { ...given });
    text = await call('run', { ...given });
    data = JSON.parse(text).data;
  }
  expect(text).toMatch(answer);
});

it('the questions take few calls, and few characters to read', () => {
  expect(questions).toHaveLength(20);
  expect(used.calls).toBeLessThanOrEqual(MAX_CALLS);
  expect(used.characters).toBeLessThanOrEqual(MAX_CHARACTERS);
});
