// The examples of the playground, grouped by what a reader wants to do; each runs unchanged with the demo key.
import type { Example } from './parts/model.ts';

const reads: readonly Omit<Example, 'task'>[] = [
  {
    name: 'AccountsOfACompany',
    title: 'The first accounts of a company',
    surface: 'integrations',
    document: `query AccountsOfACompany($company: ID! = 1) {
  company(id: $company) {
    name
    accounts(first: 5) {
      nodes { id nominalCode name currentBalance currencyId }
      pageInfo { hasNextPage endCursor }
      totalCount
    }
  }
}`,
    variables: {},
  },
  {
    name: 'CreditNotesWithLines',
    title: 'Credit notes with vendor and lines',
    surface: 'integrations',
    document: `query CreditNotesWithLines($company: ID! = 1) {
  company(id: $company) {
    billCreditNotes(first: 5) {
      nodes {
        documentNumber totalAmount status
        contact { name }
        lineItems { name quantity unitAmount totalAmount account { name } }
      }
    }
  }
}`,
    variables: {},
  },
  {
    name: 'CorporationOverview',
    title: 'Corporations with their tax ids',
    surface: 'platform',
    document: `query CorporationOverview {
  corporations(first: 5) {
    nodes { id legalName jurisdiction status taxIds { type value } }
    pageInfo { hasNextPage endCursor }
    totalCount
  }
}`,
    variables: {},
  },
  {
    name: 'WhereAnAddressIs',
    title: 'Where an address is',
    surface: 'address',
    document: `query WhereAnAddressIs($address: String! = "10 Downing Street, London SW1A 2AA") {
  geocode(address: $address) {
    match confidence
    result {
      formatted
      country { alpha2 name }
      subdivision { code name }
      coordinates { latitude longitude }
    }
  }
}`,
    variables: {},
  },
  {
    name: 'WhoseKey',
    title: 'Whose key this is',
    surface: 'graphql',
    document: `query WhoseKey {
  viewer {
    organisation { id name }
    key { label expiresAt }
    roles
    companies { id name }
  }
}`,
    variables: {},
  },
];

const lists: readonly Omit<Example, 'task'>[] = [
  {
    name: 'LargestCreditNotes',
    title: 'Filter and order: the largest credit notes',
    surface: 'integrations',
    document: `query LargestCreditNotes($company: ID! = 1, $filter: BillCreditNoteFilter) {
  company(id: $company) {
    billCreditNotes(first: 5, filter: $filter, orderBy: [{ field: TOTAL_AMOUNT, direction: DESC }]) {
      totalCount
      nodes { documentNumber status postedDate totalAmount currencyId }
    }
  }
}`,
    variables: { filter: { totalAmount: { gte: 10 }, postedDate: { gte: '2020-01-01' } } },
  },
  {
    name: 'AccountsOfAKind',
    title: 'Filter by words and choices',
    surface: 'integrations',
    document: `query AccountsOfAKind($company: ID! = 1) {
  company(id: $company) {
    accounts(first: 10, filter: { or: [{ name: { contains: "sales" } }, { currentBalance: { gt: 1000 } }] }, orderBy: [{ field: NAME }]) {
      totalCount
      nodes { nominalCode name currentBalance }
    }
  }
}`,
    variables: {},
  },
  {
    name: 'SumsByStatus',
    title: 'Totals: exact sums by status',
    surface: 'integrations',
    document: `query SumsByStatus($company: ID! = 1, $currency: CurrencyCode! = GBP) {
  company(id: $company) {
    billCreditNotesSummary(filter: { currencyId: { eq: $currency } }, groupBy: [{ field: STATUS }]) {
      totalCount
      groups { key { field value } count sum { totalAmount } }
    }
  }
}`,
    variables: {},
  },
  {
    name: 'OneRecordById',
    title: 'Any record by its id',
    surface: 'integrations',
    document: `query OneRecordById($id: ID! = "company_1") {
  node(id: $id) {
    id
    __typename
    ... on Company { name ledgerId }
    ... on Account { nominalCode currentBalance }
  }
}`,
    variables: {},
  },
];

const writes: readonly Omit<Example, 'task'>[] = [
  {
    name: 'CreateAContact',
    title: 'Create a contact',
    surface: 'integrations',
    document: `mutation CreateAContact($input: CreateContactInput!) {
  createContact(input: $input) {
    contact { id name email etag }
    errors { code path message allowed }
  }
}`,
    variables: { input: { companyId: 'company_1', name: 'Morgan Lee', email: 'morgan.lee@example.com' } },
  },
  {
    name: 'CreateOrders',
    title: 'Create several, each with its own outcome',
    surface: 'integrations',
    document: `mutation CreateOrders($input: CreatePurchaseOrdersInput!) {
  createPurchaseOrders(input: $input) {
    results { index purchaseOrder { id totalAmount } errors { code path message } }
  }
}`,
    variables: {
      input: {
        companyId: 'company_1',
        records: [
          { description: 'Paper cups', totalAmount: 120 },
          { description: 'Beans', contactId: 'contact_999999' },
        ],
      },
    },
  },
  {
    name: 'CreateACorporation',
    title: 'Create a corporation',
    surface: 'platform',
    document: `mutation CreateACorporation($input: CreateCorporationInput!) {
  createCorporation(input: $input) {
    corporation { id legalName jurisdiction status }
    errors { code path message allowed }
  }
}`,
    variables: { input: { legalName: 'Blue Harbor Trading Ltd', jurisdiction: 'GB' } },
  },
];

const streams: readonly Omit<Example, 'task'>[] = [
  {
    name: 'ContactsAsTheyChange',
    title: 'Contacts as they change',
    note: 'Run it, then run “Create a contact”: the message comes at once.',
    surface: 'integrations',
    document: `subscription ContactsAsTheyChange($company: ID! = 1) {
  recordChanged(type: [CONTACT], companyId: $company) {
    operation
    nodeId
    eventId
    node { id ... on Contact { name email } }
  }
}`,
    variables: {},
  },
  {
    name: 'EveryEvent',
    title: 'Every event of the organisation',
    surface: 'platform',
    document: `subscription EveryEvent {
  eventStream { id topic triggeredAt data }
}`,
    variables: {},
  },
];

const failures: readonly Omit<Example, 'task'>[] = [
  {
    name: 'RefusedCorporation',
    title: 'A rejected write: every error as data',
    surface: 'platform',
    document: `mutation RefusedCorporation($input: CreateCorporationInput!) {
  createCorporation(input: $input) {
    corporation { id }
    errors { code path message allowed }
  }
}`,
    variables: { input: { legalName: '', jurisdiction: 'ZZ' } },
  },
  {
    name: 'NothingThere',
    title: 'One field fails, the others are returned',
    surface: 'integrations',
    document: `query NothingThere {
  viewer { organisation { name } }
  company(id: 1) {
    name
    account(ledgerId: 999999) { name }
  }
}`,
    variables: {},
  },
  {
    name: 'NoSuchField',
    title: 'A field that the schema does not have',
    note: 'The editor marks it, and the gateway rejects the whole operation.',
    surface: 'graphql',
    document: `query NoSuchField {
  companies(first: 1) { nodes { nickname } }
}`,
    variables: {},
  },
];

const inTask = (task: string, some: readonly Omit<Example, 'task'>[]): Example[] => some.map((example) => ({ ...example, task }));

/** Every example, in the order of a first visit. */
export const examples: readonly Example[] = [
  ...inTask('Read', reads),
  ...inTask('Filter, order, total', lists),
  ...inTask('Write', writes),
  ...inTask('Live data', streams),
  ...inTask('Errors, on purpose', failures),
];
