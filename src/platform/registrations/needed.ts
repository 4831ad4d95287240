// Which registrations the sales of a seller make necessary: sales are summed by jurisdiction and compared with the thresholds of the content.
import { decimalText, scaled } from '../shared/decimals.ts';
import type { RegistrationContent, Threshold } from './content/content-shape.ts';
import type { Content } from './content-resolver.ts';
import type { NeedOutcome } from './enums.ts';

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
  /** A count of 1e-30, as `scaled` makes it. */
  amount: bigint;
  currency: string;
  /** Null when it is not known. */
  transactions: number | null;
}

/** The sales that are compared with a threshold: those of one period, or of several, any of which may reach it. */
export type SalesOf = (entry: RegistrationContent, threshold: Threshold) => readonly (readonly PlacedSale[])[];

export type { RegistrationContent, Threshold };

export interface Need {
  entry: RegistrationContent;
  /** The threshold that decides; null where the registration is held. */
  threshold: Threshold | null;
  outcome: NeedOutcome;
  reason: string;
}

/** What one limit says of the sales, with the words for it. */
interface Verdict {
  is: Exclude<NeedOutcome, 'REGISTERED'>;
  text: string;
}

/** Of several thresholds, or periods of one, the first of these decides. */
const DECIDING = ['REACHED', 'NOT_COMPARED', 'APPROACHING', 'BELOW'] as const;

const mostUrgent = (needs: readonly Need[]): Need | undefined =>
  DECIDING.map((outcome) => needs.find((need) => need.outcome === outcome)).find((need) => need !== undefined);

/** The state of every registration that the seller holds or that has a threshold where it sells, in the order of the content. */
export const registrationStates = (content: Content, seller: Seller, salesOf: SalesOf): Need[] =>
  content.pack.content.flatMap((entry): Need[] => {
    const { thresholds = [], alternatives = [], registrationContentId: id } = entry;
    if (seller.held.has(id)) return [registered(entry, 'The corporation is registered or has asked for it.')];
    const needs = thresholds.flatMap((threshold) =>
      salesOf(entry, threshold).flatMap((sales) => needOf(content, entry, threshold, seller, sales)),
    );
    const need = mostUrgent(needs);
    if (!need) return [];
    const alternative = alternatives.find((one) => seller.held.has(one));
    return [alternative === undefined ? need : registered(entry, `The registration ${alternative} makes it unnecessary.`)];
  });

const registered = (entry: RegistrationContent, reason: string): Need => ({ entry, threshold: null, outcome: 'REGISTERED', reason });

/** The registrations of the content that the sales make necessary, or may, and that the seller neither holds nor has an alternative of. */
export const neededRegistrations = (content: Content, seller: Seller, sales: readonly PlacedSale[]): Need[] =>
  registrationStates(content, seller, () => [sales]).filter(({ outcome }) => outcome === 'REACHED' || outcome === 'NOT_COMPARED');

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
  return [{ entry, threshold, outcome: is, reason: `${text} (${conditionsOf(threshold)}).` }];
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

/** Whether a value is at least 80 % of a limit. */
const approaches = (value: bigint, limit: bigint): boolean => value > 0n && value * 5n >= limit * 4n;

function judge(threshold: Threshold, sales: readonly PlacedSale[]): Verdict {
  const verdicts = [amountVerdict(threshold, sales), transactionsVerdict(threshold, sales)].filter((verdict) => verdict !== null);
  // Where both limits are needed, the one that is farther from being reached decides; otherwise the other one.
  const all = threshold.combination === 'AND';
  const order = all ? (['BELOW', 'APPROACHING', 'NOT_COMPARED'] as const) : (['REACHED', 'NOT_COMPARED', 'APPROACHING'] as const);
  for (const is of order) {
    const decisive = verdicts.filter((verdict) => verdict.is === is);
    // One that is reached is reported next to one that could not be compared.
    if (decisive.length > 0) return { ...joined(all && is === 'NOT_COMPARED' ? verdicts : decisive), is };
  }
  return joined(verdicts);
}

const joined = (verdicts: readonly Verdict[]): Verdict => ({ is: verdicts[0]!.is, text: verdicts.map(({ text }) => text).join('; ') });

/** A value that does not reach a limit. */
const short = (value: bigint, limit: bigint, subject: string, limitText: string): Verdict =>
  approaches(value, limit)
    ? { is: 'APPROACHING', text: `${subject} are 80 % or more of the threshold of ${limitText}` }
    : { is: 'BELOW', text: `${subject} are less than 80 % of the threshold of ${limitText}` };

function amountVerdict({ amount }: Threshold, sales: readonly PlacedSale[]): Verdict | null {
  if (amount === null) return null;
  const sums = new Map<string, bigint>();
  for (const sale of sales) sums.set(sale.currency, (sums.get(sale.currency) ?? 0n) + sale.amount);
  const own = sums.get(amount.currency) ?? 0n;
  sums.delete(amount.currency);
  const value = scaled(amount.value);
  const limit = `${WORDS[amount.comparison]} ${decimalText(value)} ${amount.currency}`;
  const subject = `Sales of ${decimalText(own)} ${amount.currency}`;
  if (passes(amount.comparison, own, value)) return { is: 'REACHED', text: `${subject} are ${limit}` };
  const others = [...sums].filter(([, sum]) => sum > 0n).map(([currency, sum]) => `${decimalText(sum)} ${currency}`);
  if (others.length === 0) return short(own, value, subject, limit);
  // Any amount is more than nothing, whatever its currency.
  if (amount.value === 0) return { is: 'REACHED', text: `Sales of ${others.join(' and ')} are more than none` };
  const besides = own > 0n ? ` in addition to ${decimalText(own)} ${amount.currency}` : '';
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
  if (combination === 'OR' || sales.every((sale) => sale.transactions !== null))
    return short(BigInt(count), BigInt(transactions.value), `${count} transactions`, limit);
  return { is: 'NOT_COMPARED', text: `the number of transactions was not given, and ${limit} are needed as well` };
}
