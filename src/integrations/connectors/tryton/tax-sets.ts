// Taxes that lines have together. A line here has one rate, so several taxes of a line are one rate with these as its components, such as `1+2`.
import type { Row, TrytonClient } from './client.ts';
import { cannotSay } from './errors.ts';
import type { Part } from './stream.ts';

/** Between the ids of the taxes of a rate. */
const AND = '+';

/** Lines that are looked at together. */
const AT_ONCE = 100;

/** Lines with taxes, whose changes are those of the rates that they have. A database may be without the modules of some. */
export const TAXED_LINES: readonly Part[] = ['account.invoice.line', 'sale.line', 'purchase.line'].map((model) => ({
  model,
  field: 'taxes',
  isOptional: true,
}));

/** The source id of the rate of a line with these taxes; null without any. */
export const rateOf = (taxes: readonly number[]): string | null =>
  taxes.length === 0 ? null : [...new Set(taxes)].toSorted((a, b) => a - b).join(AND);

const RATE = /^\d{1,9}(?:\+\d{1,9})*$/;

/** The taxes of the rate with a source id. */
export function taxesOf(rate: unknown): number[] {
  const ids = String(rate);
  if (!RATE.test(ids)) throw cannotSay(`Tryton has no tax ${ids}: name one by its id, and several with "+" between them`);
  return ids.split(AND).map(Number);
}

/** Whether a text is the id of a rate of several taxes. */
export const isOfSeveral = (id: string): boolean => RATE.test(id) && id.includes(AND) && rateOf(taxesOf(id)) === id;

interface TaxedRow extends Row {
  taxes: number[];
}

const has = (condition: readonly unknown[]): unknown[] => ['taxes', 'where', [condition]];
const lacks = (id: number): unknown[] => ['taxes', 'not where', [['id', '=', id]]];

/** The ids of the rates of several taxes on lines, of which one at least is among these. Only a line of each is read, however many there are. */
export async function ratesWith(client: TrytonClient, ids: readonly number[]): Promise<string[]> {
  const rates = new Set<string>();
  if (ids.length === 0) return [];
  const severalWithOne = ['OR', ...ids.map((id) => [has(['id', '=', id]), has(['id', '!=', id])])];
  for (const { model } of TAXED_LINES) {
    if (!(await client.canRead(model))) continue;
    for (let before = -1; before < rates.size; ) {
      before = rates.size;
      const others = [...rates].map((rate) => ['OR', has(['id', 'not in', taxesOf(rate)]), ...taxesOf(rate).map(lacks)]);
      const rows = await client.rows<TaxedRow>(model, { domain: [severalWithOne, ...others], fields: ['taxes'], limit: AT_ONCE });
      for (const { taxes } of rows) rates.add(rateOf(taxes)!);
    }
  }
  return [...rates];
}
