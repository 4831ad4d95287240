// The statements of the baseline: for each list the best one that can be written by hand on the indexes of the project, with all JSON made in SQL.
import { folded, searchText } from '../../src/records/search-text.ts';

export interface Statement {
  name: string;
  text: string;
}

const moment = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const common = (t: string): string =>
  `'ledger_id', ${t}.ledger_id, 'ledger_created_at', ${moment(`${t}.ledger_created_at`)}, 'ledger_updated_at', ${moment(`${t}.ledger_updated_at`)}, 'ledger_integration_type', ${t}.ledger_integration_type, 'platform_id', ${t}.platform_id`;
const plain = (t: string, columns: string): string =>
  columns
    .split(' ')
    .map((column) => `'${column}', ${t}.${column}`)
    .join(', ');
const object = (...parts: string[]): string => `json_build_object(${parts.join(', ')})`;

const account = object(
  common('a'),
  plain('a', 'nominal_code name description currency_id current_balance status category sub_category parent_account_id'),
  `'updated_at', ${moment('a.updated_at')}`,
);
const note = [
  common('n'),
  plain('n', 'bill_ids contact_id document_number total_amount is_tax_inclusive remaining_credit'),
  `'posted_date', ${moment('n.posted_date')}`,
  plain('n', 'currency_id memo status'),
  `'updated_at', ${moment('n.updated_at')}`,
].join(', ');
const contact = object(
  common('c'),
  plain('c', 'name contact_name email phone tax_number type status currency_id registration_number website'),
  `'created_at', ${moment('c.created_at')}, 'updated_at', ${moment('c.updated_at')}`,
);
const currency = object(
  common('u'),
  plain('u', 'name code symbol is_base_currency exchange_rate'),
  `'updated_at', ${moment('u.updated_at')}`,
);
// json_build_object takes at most 100 arguments, so a line item is two objects joined.
const line = `(${`jsonb_build_object(${common('l')}, ${plain('l', 'parent_id tracking_category_ids parent_type item_id name description quantity unit_amount tax_amount is_tax_inclusive discount_amount sub_total total_amount tax_id account_id variant_id')}, 'created_at', ${moment('l.created_at')}, 'updated_at', ${moment('l.updated_at')})`})`;

const linesOf = (shape: string): string =>
  `(select coalesce(json_agg(${shape} order by l.ledger_id), '[]') from line_item l where l.company_id = n.company_id and l.parent_type = 'BILL_CREDIT_NOTE' and l.parent_id = n.ledger_id and l.ledger_deleted_at is null)`;
const contactOf = (shape: string): string =>
  `(select ${shape} from contact c where c.company_id = n.company_id and c.ledger_id = n.contact_id)`;
const currencyOf = (shape: string): string =>
  `(select ${shape} from currency u where u.company_id = n.company_id and u.code = n.currency_id and u.ledger_deleted_at is null limit 1)`;
const graphContact = object(`'ledgerId', c.ledger_id, 'name', c.name, 'email', c.email, 'type', c.type`);
const graphCurrency = object(`'code', u.code, 'name', u.name, 'symbol', u.symbol`);
const graphLine = object(
  `'ledgerId', l.ledger_id, 'name', l.name, 'description', l.description, 'quantity', l.quantity, 'unitAmount', l.unit_amount, 'taxAmount', l.tax_amount, 'totalAmount', l.total_amount, 'accountId', l.account_id`,
);
const graphNote = object(
  `'ledgerId', n.ledger_id, 'platformId', n.platform_id, 'documentNumber', n.document_number, 'totalAmount', n.total_amount, 'remainingCredit', n.remaining_credit, 'isTaxInclusive', n.is_tax_inclusive, 'postedDate', ${moment('n.posted_date')}, 'memo', n.memo, 'status', n.status, 'currencyId', n.currency_id, 'ledgerUpdatedAt', ${moment('n.ledger_updated_at')}`,
  `'contact', ${contactOf(graphContact)}, 'currency', ${currencyOf(graphCurrency)}, 'lineItems', ${linesOf(graphLine)}`,
);

/** One account by company and number. */
export const one: Statement = {
  name: 'one',
  text: `select ${account}::text from account a where a.company_id = $1 and a.ledger_id = $2 and a.ledger_deleted_at is null`,
};

/** What the rows of a list show. */
const shapes = {
  list: { table: 'bill_credit_note n', shape: object(note) },
  expanded: {
    table: 'bill_credit_note n',
    shape: object(note, `'contact', ${contactOf(contact)}, 'currency', ${currencyOf(currency)}, 'line_items', ${linesOf(line)}`),
  },
  graph: { table: 'bill_credit_note n', shape: graphNote },
  small: {
    table: 'bill_credit_note n',
    shape: object(
      `'ledgerId', n.ledger_id, 'documentNumber', n.document_number, 'totalAmount', n.total_amount, 'status', n.status, 'postedDate', ${moment('n.posted_date')}`,
    ),
  },
  contacts: { table: 'contact c', shape: graphContact },
};

const operators = { eq: '=', gte: '>=', lte: '<=' } as const;

/** A condition of a list on a column. */
export interface Condition {
  column: string;
  operator: keyof typeof operators | 'contains';
  value: unknown;
}

/** A list that is asked for. */
export interface List {
  shape: keyof typeof shapes;
  company: number;
  where: Condition[];
  /** The first key of the order; the number, in the same direction, is the last. Without it the order is the default. */
  order?: { column: string; isDescending: boolean } | undefined;
  /** Values of the order's keys in the row before the page. */
  position?: unknown[] | undefined;
  limit: number;
}

/** A list with a range of one column is in the order of that column, any other in the order of the numbers. */
function defaultOrder(where: readonly Condition[]): NonNullable<List['order']> {
  const ranges = new Set(where.filter(({ operator }) => operator === 'gte' || operator === 'lte').map(({ column }) => column));
  return { column: ranges.size === 1 ? [...ranges][0]! : 'ledger_id', isDescending: false };
}

/** The text that the index of contacts covers. */
const searchedOfContacts = searchText('c.', ['name', 'contact_name', 'email', 'phone', 'tax_number', 'registration_number', 'website']);

const statements = new Map<string, Statement>();

/** The prepared statement for what a list asks, one for each form. */
function prepared(key: string, text: () => string): Statement {
  let found = statements.get(key);
  if (!found) {
    found = { name: `list${statements.size}`, text: text() };
    statements.set(key, found);
  }
  return found;
}

/** Columns of which one value matches most documents and another one none. */
const skewed = new Set(['status', 'currency_id']);

/**
 * The statement of a list and its values. `hasOnePlan` says that one plan is right for all values. The best index of the others depends on how much
 * their state matches, so PostgreSQL plans them with the values.
 */
export function listStatement(list: List): { statement: Statement; values: unknown[]; hasOnePlan: boolean } {
  const { shape, company, where, position, limit } = list;
  const order = list.order ?? defaultOrder(where);
  const [table, alias] = shapes[shape].table.split(' ') as [string, string];
  const values: unknown[] = [company];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const conditions = where.map(({ column, operator, value }) => {
    if (operator !== 'contains') return `${alias}.${column} ${operators[operator]} ${parameter(value)}`;
    const pattern = parameter(`%${folded(String(value))}%`);
    // The first conditions are what the index can return, the last is what was asked.
    return `${alias}.company_id + 0 = $1 and ${searchedOfContacts} like ${pattern} and folded_text(${alias}.${column}) like ${pattern}`;
  });
  const sign = order.isDescending ? '<' : '>';
  const keys = [...new Set([order.column, 'ledger_id'])].map((column) => `${alias}.${column}`);
  const rows = (more: readonly string[], by: readonly string[]): string =>
    `select ${alias}.* from ${table} ${alias} where ${[`${alias}.company_id = $1`, `${alias}.ledger_deleted_at is null`, ...conditions, ...more].join(' and ')} order by ${by.map((key) => `${key}${order.isDescending ? ' desc' : ''}`).join()} limit ${limit}`;
  const beyond = (by: readonly string[], after: readonly unknown[] | undefined): string[] =>
    after ? [`(${by.join()}) ${sign} (${after.map(parameter).join()})`] : [];
  let text: string;
  if (order.isDescending) {
    // Backwards the index gives the rows without a value first, so those with one are read on their own.
    const [value, number] = position ?? [];
    const isPastValues = position !== undefined && value === null;
    const valued = isPastValues ? [] : [rows([`${keys[0]} is not null`, ...beyond(keys, position)], keys)];
    const rest = rows([`${keys[0]} is null`, ...beyond(keys.slice(1), isPastValues ? [number] : undefined)], keys.slice(1));
    text = `select * from (${[...valued, rest].map((part) => `(${part})`).join(' union all ')}) r limit ${limit}`;
  } else text = rows(beyond(keys, position), keys);
  return {
    // The JSON is made of the rows of the page alone, also where more rows were sorted.
    statement: prepared(`${shape} ${text}`, () => `select coalesce(json_agg(${shapes[shape].shape}), '[]')::text from (${text}) ${alias}`),
    values,
    hasOnePlan: where.every(({ column }) => !skewed.has(column)),
  };
}

/** What sums are asked for. */
export interface Summary {
  company: number;
  where: Condition[];
}

/** Count and sum of the amounts by status and month. */
export function summaryStatement({ company, where }: Summary): { statement: Statement; values: unknown[] } {
  const conditions = where.map(({ column, operator }, index) =>
    operator === 'contains' ? 'false' : `n.${column} ${operators[operator]} $${index + 2}`,
  );
  const text = `select json_build_object('totalCount', coalesce(sum(g.count), 0), 'groups', coalesce(json_agg(json_build_object(
      'key', json_build_array(json_build_object('field', 'STATUS', 'value', g.status), json_build_object('field', 'POSTED_DATE', 'value', to_char(g.month, 'YYYY-MM-DD'))),
      'count', g.count, 'sum', json_build_object('totalAmount', g.total)) order by g.status, g.month), '[]'))::text
    from (select n.status, date_trunc('month', n.posted_date) as month, count(*) as count, sum(n.total_amount) as total from bill_credit_note n
      where ${['n.company_id = $1', 'n.ledger_deleted_at is null', ...conditions].join(' and ')} group by 1, 2) g`;
  return { statement: prepared(text, () => text), values: [company, ...where.map(({ value }) => value)] };
}

const nested = (table: string, alias: string, shape: string, more = ''): string =>
  `cross join lateral (select coalesce(json_agg(r.row), '[]') as nodes from (select ${shape} as row from ${table} ${alias} where ${alias}.company_id = k.ledger_id and ${alias}.ledger_deleted_at is null${more} order by ${alias}.ledger_id limit 10) r) ${table}s`;

/** Twenty companies with ten records of three lists each. */
export const companies: Statement = {
  name: 'companies',
  text: `select coalesce(json_agg(json_build_object('ledgerId', k.ledger_id, 'name', k.name, 'accounts', json_build_object('nodes', accounts.nodes),
      'contacts', json_build_object('nodes', contacts.nodes), 'billCreditNotes', json_build_object('nodes', bill_credit_notes.nodes)) order by k.ledger_id), '[]')::text
    from (select ledger_id, name from company where organisation_id = 1000 and ledger_id > $1 order by ledger_id limit 20) k
    ${nested('account', 'a', object(`'ledgerId', a.ledger_id, 'name', a.name, 'nominalCode', a.nominal_code, 'currentBalance', a.current_balance`))}
    ${nested('contact', 'c', graphContact, ' and c.type = $2')}
    ${nested('bill_credit_note', 'n', shapes.small.shape, ' and n.status = $3')}`,
};
