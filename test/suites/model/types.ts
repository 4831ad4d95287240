// The record types of the model: the names of their fields, what refers to what, and what belongs to what. They are written from the documentation
// and not from the declarations of the gateway, which they check.

/** Values of a field: an amount has at most two places here, so that sums of doubles can be compared in cents. */
export type Kind = 'text' | 'amount' | 'integer' | 'currency' | 'choice';

/** A field that names another record by number, `id`, and the field next to it that names it by the id of the source, `by`. */
export interface Reference {
  id: string;
  by: string;
  /** The type it names; the types of which the record names one in `typedBy`. */
  to: readonly string[];
  typedBy?: string;
  /** Whether a write may contain the record itself. */
  nested?: boolean;
}

export interface Children {
  field: string;
  type: string;
  /** Whether they are written together only. */
  whole?: boolean;
}

export interface Type {
  name: string;
  many: string;
  fields: Readonly<Record<string, Kind>>;
  references: readonly Reference[];
  children: readonly Children[];
  /** The field that names the parent of a child. */
  parent?: string;
}

const contact: Reference = { id: 'contactId', by: 'contact', to: ['Contact'], nested: true };
const account: Reference = { id: 'accountId', by: 'account', to: ['Account'] };
const lines: Children = { field: 'lineItems', type: 'LineItem' };
const addresses: Children = { field: 'addresses', type: 'Address' };

const declared: Type[] = [
  {
    name: 'Currency',
    many: 'currencies',
    fields: { code: 'currency', name: 'text', exchangeRate: 'amount' },
    references: [],
    children: [],
  },
  { name: 'TaxRate', many: 'taxRates', fields: { name: 'text', code: 'text' }, references: [], children: [] },
  {
    name: 'Account',
    many: 'accounts',
    fields: { name: 'text', nominalCode: 'text', currentBalance: 'amount', currencyId: 'currency' },
    references: [{ id: 'parentAccountId', by: 'parentAccount', to: ['Account'] }],
    children: [],
  },
  {
    name: 'Contact',
    many: 'contacts',
    fields: { name: 'text', email: 'text', currencyId: 'currency' },
    references: [],
    children: [addresses, { field: 'phoneNumbers', type: 'PhoneNumber' }],
  },
  {
    name: 'Item',
    many: 'items',
    fields: { name: 'text', sku: 'text', price: 'amount' },
    references: [],
    children: [{ field: 'variants', type: 'Variant' }],
  },
  { name: 'Pipeline', many: 'pipelines', fields: { name: 'text' }, references: [], children: [{ field: 'stages', type: 'PipelineStage' }] },
  {
    name: 'PurchaseOrder',
    many: 'purchaseOrders',
    fields: { documentNumber: 'text', description: 'text', totalAmount: 'amount', currencyId: 'currency' },
    references: [contact],
    children: [lines],
  },
  {
    name: 'Invoice',
    many: 'invoices',
    fields: { documentNumber: 'text', memo: 'text', totalAmount: 'amount', amountDue: 'amount', currencyId: 'currency' },
    references: [contact],
    children: [lines, addresses],
  },
  {
    name: 'BillCreditNote',
    many: 'billCreditNotes',
    fields: { documentNumber: 'text', memo: 'text', totalAmount: 'amount', remainingCredit: 'amount', currencyId: 'currency' },
    references: [contact],
    children: [lines, addresses],
  },
  {
    name: 'Payment',
    many: 'payments',
    fields: { referenceNumber: 'text', memo: 'text', totalAmount: 'amount', currencyId: 'currency' },
    references: [contact, account],
    children: [{ field: 'allocations', type: 'PaymentAllocation' }],
  },
  {
    name: 'JournalEntry',
    many: 'journalEntries',
    fields: { documentNumber: 'text', memo: 'text', currencyId: 'currency' },
    references: [],
    children: [{ ...lines, whole: true }],
  },
  {
    name: 'LineItem',
    many: 'lineItems',
    fields: { name: 'text', description: 'text', quantity: 'amount', totalAmount: 'amount' },
    references: [account, { id: 'itemId', by: 'item', to: ['Item'] }, { id: 'taxId', by: 'tax', to: ['TaxRate'] }],
    children: [],
    parent: 'parentId',
  },
  { name: 'Address', many: 'addresses', fields: { street: 'text', city: 'text' }, references: [], children: [], parent: 'parentId' },
  { name: 'PhoneNumber', many: 'phoneNumbers', fields: { number: 'text' }, references: [], children: [], parent: 'parentId' },
  {
    name: 'Variant',
    many: 'variants',
    fields: { name: 'text', sku: 'text', price: 'amount' },
    references: [],
    children: [],
    parent: 'parentId',
  },
  {
    name: 'PipelineStage',
    many: 'pipelineStages',
    fields: { name: 'text', displayOrder: 'integer' },
    references: [],
    children: [],
    parent: 'pipelineId',
  },
  {
    name: 'PaymentAllocation',
    many: 'paymentAllocations',
    fields: { amount: 'amount', documentType: 'choice' },
    references: [{ id: 'documentId', by: 'document', to: ['Invoice', 'BillCreditNote'], typedBy: 'documentType' }],
    children: [],
    parent: 'paymentId',
  },
];

export const types: ReadonlyMap<string, Type> = new Map(declared.map((type) => [type.name, type]));

export const typeOf = (name: string): Type => types.get(name)!;

/** `LineItem` as `lineItem`, `line_item` and `LINE_ITEM`. */
export const one = (name: string): string => name[0]!.toLowerCase() + name.slice(1);
export const snake = (name: string): string => one(name).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const dataModel = (name: string): string => snake(name).toUpperCase();
export const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Whether a document may contain the record of its currency. */
export const takesCurrency = (type: Type): boolean => 'currencyId' in type.fields && !['Account', 'Contact'].includes(type.name);

/** The types that have children of a type. */
export const parentsOf = (child: string): Type[] => declared.filter(({ children }) => children.some(({ type }) => type === child));
