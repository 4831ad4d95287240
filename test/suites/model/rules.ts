// The documented rules of books. The amounts that the suite sends differ by nothing or by more than any tolerance, so that tolerances do not matter here.
import type { Books, Stored } from './books.ts';
import { typeOf } from './types.ts';

const isBetween = (part: number, total: number): boolean => (total < 0 ? part <= 0 && part >= total : part >= 0 && part <= total);

/** The rules that a record breaks. */
export function brokenRules(books: Books, record: Stored): string[] {
  const { values, type } = record;
  const total = values.totalAmount as number | null | undefined;
  const broken: string[] = [];
  const amounts = (child: string, field: string) => books.childrenOf(record, child).map((each) => each.values[field] as number | null);
  const sum = (all: (number | null)[]): number => all.reduce<number>((one, other) => one + (other ?? 0), 0);
  if (type === 'JournalEntry') return sum(amounts('LineItem', 'totalAmount')) === 0 ? [] : ['BALANCED_ENTRY'];
  if (type === 'LineItem') return [];
  if (total == null) return [];
  if (typeOf(type).children.some((children) => children.type === 'LineItem')) {
    const lines = amounts('LineItem', 'totalAmount');
    if (lines.length > 0 && !lines.includes(null) && sum(lines) !== total) broken.push('DOCUMENT_TOTALS');
  }
  for (const [field, rule] of [
    ['remainingCredit', 'REMAINING_CREDIT'],
    ['amountDue', 'AMOUNT_DUE'],
  ] as const)
    if (values[field] != null && !isBetween(values[field] as number, total)) broken.push(rule);
  if (type === 'Payment' && !isBetween(sum(amounts('PaymentAllocation', 'amount')), total)) broken.push('PAYMENT_ALLOCATIONS');
  return broken;
}
