// Which registrations the sales of a seller make necessary: sales are summed by jurisdiction and compared with the thresholds of the content.
import { decimalText, scaled } from '../shared/decimals.ts';
import type { RegistrationContent, Threshold } from './content/content-shape.ts';
import type { Content } from './content-resolver.ts';

/** Who sells: the country it is established in, and the content ids of the registrations it holds. */
export interface Seller {
  country: string;
  held: ReadonlySet<string>;
}

/** Sales in a place, of the period that the threshold there names. */
export interface PlacedSale {
  /** Jurisdictions that contain the place, from the narrowest to the widest. */
  within: readonly string[];
  /** The country of the place. */
  country: string;
  amount: number;
  currency: string;
  /** Null when it is not known. */
  transactions: number | null;
}

export interface Need {
  entry: RegistrationContent;
  threshold: Threshold;
  outcome: 'REACHED' | 'NOT_COMPARED';
  reason: string;
}

/** What one limit says of the sales: reached, not reached, or not to be compared; with the words for it. */
interface Verdict {
  is: 'REACHED' | 'NOT_COMPARED' | 'BELOW';
  text: string;
}

/** The registrations of the content that the sales make necessary and that the seller neither holds nor has an alternative of, in its order. */
export const neededRegistrations = (content: Content, seller: Seller, sales: readonly PlacedSale[]): Need[] =>
  content.pack.content.flatMap((entry) => {
    const { thresholds = [], alternatives = [] } = entry;
    if ([entry.registrationContentId, ...alternatives].some((id) => seller.held.has(id))) return [];
    const needs = thresholds.flatMap((threshold) => needOf(content, entry, threshold, seller, sales));
    const need = needs.find(({ outcome }) => outcome === 'REACHED') ?? needs[0];
    return need ? [need] : [];
  });

function needOf(content: Content, entry: RegistrationContent, threshold: Threshold, seller: Seller, sales: readonly PlacedSale[]): Need[] {
  const { country } = content.jurisdictions.get(entry.jurisdictionId)!;
  const bloc = content.jurisdictions.get(`JUR_${seller.country}`)?.parentJurisdictionId;
  const established = country === null ? bloc === entry.jurisdictionId : country === seller.country;
  if (threshold.seller !== 'ANY' && established !== (threshold.seller === 'ESTABLISHED')) return [];
  // A scheme of a bloc is for sales to other members, and to those where the seller is not registered on its own.
  const foreign = country === null ? sales.filter((sale) => sale.country !== seller.country) : sales;
  const registered = new Set(country === null ? [...seller.held].map((id) => content.entries.get(id)?.jurisdictionId) : []);
  const calling = foreign.some(({ within }) => within.includes(entry.jurisdictionId) && !within.some((place) => registered.has(place)));
  if (!calling) return [];
  const { is, text } = judge(
    threshold,
    foreign.filter(({ within }) => within.includes(threshold.measuredIn ?? entry.jurisdictionId)),
  );
  return is === 'BELOW' ? [] : [{ entry, threshold, outcome: is, reason: `${text} (${conditionsOf(threshold)}).` }];
}

const WORDS = { MORE_THAN: 'more than', AT_LEAST: 'at least' } as const;

const conditionsOf = ({ counted, period, seller }: Threshold): string =>
  [
    counted,
    period.toLowerCase().replaceAll('_', ' '),
    ...(seller === 'ANY' ? [] : [`seller ${seller.toLowerCase().replaceAll('_', ' ')} there`]),
  ].join(', ');

const passes = <T extends bigint | number>(comparison: keyof typeof WORDS, value: T, limit: T): boolean =>
  comparison === 'AT_LEAST' ? value >= limit : value > limit;

function judge(threshold: Threshold, sales: readonly PlacedSale[]): Verdict {
  const verdicts = [amountVerdict(threshold, sales), transactionsVerdict(threshold, sales)].filter((verdict) => verdict !== null);
  const all = threshold.combination === 'AND';
  const decisive = verdicts.filter(({ is }) => is === (all ? 'BELOW' : 'REACHED'));
  if (decisive.length > 0) return joined(decisive);
  const open = verdicts.filter(({ is }) => is === 'NOT_COMPARED');
  // One that is reached is said beside one that could not be compared.
  return open.length > 0 ? { ...joined(all ? verdicts : open), is: 'NOT_COMPARED' } : joined(verdicts);
}

const joined = (verdicts: readonly Verdict[]): Verdict => ({ is: verdicts[0]!.is, text: verdicts.map(({ text }) => text).join('; ') });

function amountVerdict({ amount }: Threshold, sales: readonly PlacedSale[]): Verdict | null {
  if (amount === null) return null;
  const sums = new Map<string, bigint>();
  for (const sale of sales) sums.set(sale.currency, (sums.get(sale.currency) ?? 0n) + scaled(sale.amount));
  const own = sums.get(amount.currency) ?? 0n;
  sums.delete(amount.currency);
  const limit = `${WORDS[amount.comparison]} ${decimalText(scaled(amount.value))} ${amount.currency}`;
  if (passes(amount.comparison, own, scaled(amount.value))) {
    return { is: 'REACHED', text: `Sales of ${decimalText(own)} ${amount.currency} are ${limit}` };
  }
  const others = [...sums].filter(([, sum]) => sum > 0n).map(([currency, sum]) => `${decimalText(sum)} ${currency}`);
  if (others.length === 0) return { is: 'BELOW', text: '' };
  // Any amount is more than nothing, whatever its currency.
  if (amount.value === 0) return { is: 'REACHED', text: `Sales of ${others.join(' and ')} are more than none` };
  const besides = own > 0n ? ` beside ${decimalText(own)} ${amount.currency}` : '';
  return {
    is: 'NOT_COMPARED',
    text: `Sales of ${others.join(' and ')}${besides} were not compared with the threshold of ${limit}: currencies are not converted`,
  };
}

function transactionsVerdict({ transactions, combination }: Threshold, sales: readonly PlacedSale[]): Verdict | null {
  if (transactions === null) return null;
  const count = sales.reduce((sum, sale) => sum + (sale.transactions ?? 0), 0);
  const limit = `${WORDS[transactions.comparison]} ${transactions.value}`;
  if (passes(transactions.comparison, count, transactions.value)) return { is: 'REACHED', text: `${count} transactions are ${limit}` };
  // Where the amount alone is enough, a number that was not given leaves nothing open about the amount.
  if (combination === 'OR' || sales.every((sale) => sale.transactions !== null)) return { is: 'BELOW', text: '' };
  return { is: 'NOT_COMPARED', text: `the number of transactions was not given, and ${limit} are needed as well` };
}
