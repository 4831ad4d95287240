// The master data of the demo company: its currencies, taxes, accounts, contacts, items, sales pipeline and cash flow.

const since = { createdAt: '2025-11-03T09:00:00.000Z', updatedAt: '2025-11-03T09:00:00.000Z' };

export const currencies = [
  { platformId: 'cur-gbp', name: 'Pound sterling', code: 'GBP', symbol: '£', isBaseCurrency: true, exchangeRate: 1 },
  { platformId: 'cur-eur', name: 'Euro', code: 'EUR', symbol: '€', isBaseCurrency: false, exchangeRate: 0.86 },
  { platformId: 'cur-usd', name: 'US dollar', code: 'USD', symbol: '$', isBaseCurrency: false, exchangeRate: 0.78 },
];

export const taxRates = [
  {
    platformId: 'tax-standard',
    name: 'VAT standard',
    code: 'S20',
    rate: 20,
    taxType: 'VAT',
    effectiveTaxRate: 20,
    totalTaxRate: 20,
    components: [{ name: 'VAT', rate: 20 }],
    jurisdiction: 'GB',
    status: 'ACTIVE',
    ...since,
  },
  {
    platformId: 'tax-reduced',
    name: 'VAT reduced',
    code: 'R5',
    rate: 5,
    taxType: 'VAT',
    effectiveTaxRate: 5,
    totalTaxRate: 5,
    components: [{ name: 'VAT', rate: 5 }],
    jurisdiction: 'GB',
    status: 'ACTIVE',
    ...since,
  },
  {
    platformId: 'tax-zero',
    name: 'VAT zero',
    code: 'Z0',
    rate: 0,
    taxType: 'VAT',
    effectiveTaxRate: 0,
    totalTaxRate: 0,
    components: [],
    jurisdiction: 'GB',
    status: 'ACTIVE',
    ...since,
  },
];

/** An account: code, name, category, finer category, balance, the account above it. */
type AccountRow = [code: string, name: string, category: string, subCategory: string, balance: number, parent: string | null];

const accountRows: AccountRow[] = [
  ['1000', 'Current assets', 'ASSET', 'CURRENT_ASSET', 84210.35, null],
  ['1010', 'Bank accounts', 'ASSET', 'BANK', 41830.12, '1000'],
  ['1011', 'Business current account', 'ASSET', 'BANK', 31830.12, '1010'],
  ['1012', 'Savings account', 'ASSET', 'BANK', 10000, '1010'],
  ['1100', 'Trade debtors', 'ASSET', 'ACCOUNTS_RECEIVABLE', 18420.6, '1000'],
  ['1200', 'Stock of beans', 'ASSET', 'CURRENT_ASSET', 23959.63, '1000'],
  ['1500', 'Roasting machines', 'ASSET', 'FIXED_ASSET', 36500, null],
  ['2000', 'Current liabilities', 'LIABILITY', 'CURRENT_LIABILITY', 15980.4, null],
  ['2100', 'Trade creditors', 'LIABILITY', 'ACCOUNTS_PAYABLE', 11240.4, '2000'],
  ['2200', 'VAT payable', 'LIABILITY', 'SALES_TAX', 4740, '2000'],
  ['3000', 'Share capital', 'EQUITY', 'EQUITY', 25000, null],
  ['3100', 'Retained earnings', 'EQUITY', 'RETAINED_EARNINGS', 79729.95, null],
  ['4000', 'Coffee sales', 'INCOME', 'REVENUE', 128400.5, null],
  ['4100', 'Training courses', 'INCOME', 'REVENUE', 9600, null],
  ['5000', 'Green coffee', 'EXPENSE', 'COST_OF_GOODS_SOLD', 61200.25, null],
  ['6000', 'Operating costs', 'EXPENSE', 'OPERATING_EXPENSE', 43970, null],
  ['6010', 'Rent', 'EXPENSE', 'OPERATING_EXPENSE', 24000, '6000'],
  ['6020', 'Energy', 'EXPENSE', 'OPERATING_EXPENSE', 8970, '6000'],
  ['6030', 'Packaging', 'EXPENSE', 'OPERATING_EXPENSE', 11000, '6000'],
];

const levelOf = (parent: string | null): number => (parent === null ? 1 : 1 + levelOf(accountRows.find(([code]) => code === parent)![5]));

export const accounts = accountRows.map(([nominalCode, name, category, subCategory, currentBalance, parent]) => ({
  platformId: `acc-${nominalCode}`,
  nominalCode,
  name,
  category,
  subCategory,
  currentBalance,
  currencyId: 'GBP',
  status: 'ACTIVE',
  updatedAt: since.updatedAt,
  parent: parent && `acc-${parent}`,
  level: levelOf(parent),
}));

/** A contact: name, person, type, street, city, postal code. */
const contactRows: [name: string, person: string, type: string, street: string, city: string, postalCode: string][] = [
  ['Harbour Street Café', 'Mina Okafor', 'CUSTOMER', '14 Harbour Street', 'Whitby', 'YO21 1PU'],
  ['Northern Line Bakeries', 'Tom Askew', 'CUSTOMER', '3 Mill Yard', 'Leeds', 'LS1 5QS'],
  ['The Reading Room', 'Ines Carvalho', 'CUSTOMER', '88 Castle Road', 'Edinburgh', 'EH1 2NG'],
  ['Quayside Hotel', 'Peter Lund', 'CUSTOMER', '1 Quayside', 'Newcastle', 'NE1 3DE'],
  ['Andes Green Coffee', 'Lucía Paredes', 'VENDOR', '25 Dock Road', 'Felixstowe', 'IP11 3SY'],
  ['Highland Sacks & Paper', 'Fiona Reid', 'VENDOR', '7 Station Brae', 'Inverness', 'IV1 1LE'],
  ['Roastmaster Engineering', 'Karl Bauer', 'VENDOR', '40 Foundry Lane', 'Sheffield', 'S3 8GG'],
];

export const contacts = contactRows.map(([name, contactName, type, street, city, postalCode], index) => ({
  platformId: `con-${index + 1}`,
  name,
  contactName,
  email: `accounts@contact-${index + 1}.example`,
  phone: `+44 1632 96000${index}`,
  taxNumber: `GB${900_000_000 + index * 1_111}`,
  type,
  status: 'ACTIVE',
  currencyId: 'GBP',
  website: `https://contact-${index + 1}.example`,
  ...since,
  addresses: [{ platformId: '1', type: 'BILLING', street, city, postalCode, country: 'GB' }],
  phoneNumbers: [{ platformId: '1', type: 'WORK', number: `+44 1632 96000${index}` }],
  externalLinks: [{ platformId: '1', type: 'WEBSITE', link: `https://contact-${index + 1}.example` }],
}));

/** An item: code, name, price, kind, stock. */
const itemRows: [code: string, name: string, price: number, type: string, stock: number | null][] = [
  ['BEAN-ETH', 'Ethiopia Guji, 1 kg', 24.5, 'INVENTORY', 310],
  ['BEAN-COL', 'Colombia Huila, 1 kg', 21.9, 'INVENTORY', 450],
  ['BEAN-HSE', 'House blend, 1 kg', 18.75, 'INVENTORY', 820],
  ['BAG-KRAFT', 'Kraft bags, box of 100', 32.4, 'INVENTORY', 64],
  ['SRV-GRIND', 'Grinder service', 85, 'SERVICE', null],
  ['CRS-BAR', 'Barista course, one day', 160, 'SERVICE', null],
];

export const items = itemRows.map(([code, name, price, type, quantityOnHand]) => ({
  platformId: `item-${code}`,
  name,
  code,
  sku: code,
  price,
  currencyId: 'GBP',
  type,
  status: 'ACTIVE',
  quantityOnHand,
  isBillItem: type === 'INVENTORY',
  isInvoiceItem: true,
  ...since,
  variants: code.startsWith('BEAN')
    ? ['Whole bean', 'Filter grind'].map((variant, index) => ({
        platformId: String(index + 1),
        name: variant,
        sku: `${code}-${index + 1}`,
        price,
        currencyId: 'GBP',
        status: 'ACTIVE',
        attributes: { grind: variant },
      }))
    : [],
}));

/** A stage: name, chance of winning, won, closed. */
const stageRows: [name: string, probability: number, isWon: boolean, isClosed: boolean][] = [
  ['Enquiry', 0.1, false, false],
  ['Tasting booked', 0.35, false, false],
  ['Offer sent', 0.6, false, false],
  ['Won', 1, true, true],
  ['Lost', 0, false, true],
];

export const pipeline = {
  platformId: 'pipe-wholesale',
  name: 'Wholesale customers',
  status: 'ACTIVE',
  ...since,
  stages: stageRows.map(([name, probability, isWon, isClosed], index) => ({
    platformId: String(index + 1),
    name,
    displayOrder: index + 1,
    probability,
    isWon,
    isClosed,
    ...since,
  })),
};

export const cashFlow = [
  {
    platformId: 'cash-2025-q4',
    operatingActivities: 12640.12,
    investingActivities: -8500,
    financingActivities: 5000,
    cashAtBeginningOfPeriod: 32690,
    cashAtEndOfPeriod: 41830.12,
    periodStart: '2025-10-01T00:00:00.000Z',
    periodEnd: '2025-12-31T23:59:59.000Z',
    updatedAt: '2026-01-05T08:00:00.000Z',
  },
];
