// Documents whose variables were once lost or turned into null: one for each place where that was found.

/** The ids that the documents name. */
export interface Named {
  company: string;
  account: string;
  order: string;
  corporation: string;
  product: string;
  webhook: string;
}

type Known = [document: string, variables: Record<string, unknown>];

export const knownPlaces = ({ company, account, order, corporation, product, webhook }: Named): Known[] => [
  [
    `mutation($d: String) { updateAccount(input: { companyId: "${company}", id: "${account}", description: $d }) { account { description } } }`,
    {},
  ],
  [
    `mutation($a: String, $b: Decimal) { updateAccounts(input: { companyId: "${company}", records: [{ id: "${account}", name: $a, currentBalance: $b }] }) { syncId } }`,
    {},
  ],
  [
    `mutation($d: String) { upsertAccounts(input: { companyId: "${company}", records: [{ platformId: "p", name: "n", description: $d }] }) { syncId } }`,
    {},
  ],
  [
    `mutation($l: [LineItemInput!], $c: ID) { updatePurchaseOrder(input: { companyId: "${company}", id: "${order}", lineItems: $l, contactId: $c }) { purchaseOrder { lineItems { id } contact { id } } } }`,
    {},
  ],
  [
    `mutation($w: URL, $e: String) { updateCorporation(input: { id: "${corporation}", website: $w, externalId: $e }) { corporation { website } } }`,
    {},
  ],
  [
    `mutation($d: String, $s: String) { updateProduct(input: { id: "${product}", description: $d, sku: $s }) { product { description sku } } }`,
    {},
  ],
  [`mutation($s: WebhookStatus) { updateWebhook(input: { id: "${webhook}", status: $s }) { webhook { status } } }`, {}],
  [`query($x: String) { company(id: 1) { accounts(first: 2, filter: { name: { eq: $x } }) { nodes { id } } } }`, {}],
  [
    `query($a: Decimal, $b: Decimal) { company(id: 1) { invoices(first: 2, filter: { totalAmount: { gte: $a, lte: $b } }) { nodes { id } } } }`,
    { a: 1 },
  ],
  [`query($d: OrderDirection) { company(id: 1) { accounts(first: 2, orderBy: [{ field: NAME, direction: $d }]) { nodes { id } } } }`, {}],
  [
    `mutation($x: String) { createItem(input: { companyId: "${company}", name: "i", billItem: { sku: $x, k: 1 } }) { item { billItem } } }`,
    { x: 'v' },
  ],
  [
    `mutation($x: Int, $y: String) { createCashFlowStatement(input: { companyId: "${company}", operatingActivities: { sales: $x, note: $y, fixed: 1, list: [$x, 2] } }) { cashFlowStatement { operatingActivities } } }`,
    { x: 5 },
  ],
  [
    `mutation($x: String) { createTaxRate(input: { companyId: "${company}", name: "t", components: [{ name: $x, rate: 1 }] }) { taxRate { components } } }`,
    { x: 'v' },
  ],
  [
    `mutation($x: JSON) { createProduct(input: { corporationId: "${corporation}", name: "p", sku: "known", customsJurisdictionDetails: { GB: $x } }) { product { id } } }`,
    { x: '8471.30.0100' },
  ],
  [
    `mutation($x: String) { triggerWebhookTest(input: { id: "${webhook}", eventData: { order: $x, fixed: 1 } }) { __typename } }`,
    { x: 'v' },
  ],
  [`query($n: Int = 2) { company(id: 1) { accounts(first: $n) { nodes { id } } } }`, { n: null }],
];
