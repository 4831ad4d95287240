// Which figure of a report is opened, as the address says it, and the postings that it is the sum of.
import type { Changes } from '../shared/address.ts';
import { wordsOf } from '../shared/format.ts';
import type { PostingFilter, PostingPart, StatementRowFragment } from './operations.generated.ts';

/** A figure: of an account or contact, or of a part of documents without one, in the days until the last one. */
export interface Figure {
  readonly account?: number | null;
  readonly contact?: number | null;
  readonly part?: PostingPart | null;
  readonly from?: string;
  readonly to: string;
}

const NONE = 'none';
const numberOf = (given: string | null): number | null | undefined =>
  given === NONE ? null : given && /^[1-9]\d{0,14}$/.test(given) ? Number(given) : undefined;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day that the address names, or else today. */
export function dayIn(address: URLSearchParams, name: string): string {
  const given = address.get(name);
  return given && DAY.test(given) ? given : new Date().toISOString().slice(0, 10);
}

/** The changes of the address that open a figure; null closes it. */
export const figureChanges = (figure: Figure | null): Changes => ({
  account: figure?.account === null ? NONE : (figure?.account ?? null),
  contact: figure?.contact === null ? NONE : (figure?.contact ?? null),
  part: figure?.part ?? null,
  postings: null,
});

/** The figure that the address opens in the days of a report. */
export function figureIn(address: URLSearchParams, days: Pick<Figure, 'from' | 'to'>): Figure | null {
  const [account, contact] = [numberOf(address.get('account')), numberOf(address.get('contact'))];
  if (account === undefined && contact === undefined) return null;
  return { account, contact, part: address.get('part') as PostingPart | null, ...days } as Figure;
}

const valueFilter = (value: number | null | undefined) =>
  value === undefined ? undefined : value === null ? { isNull: true } : { eq: value };

export const postingFilterOf = ({ account, contact, part, from, to }: Figure): PostingFilter => ({
  accountId: valueFilter(account),
  contactId: valueFilter(contact),
  part: part ? { eq: part } : undefined,
  date: { ...(from ? { gte: from } : {}), lte: to },
});

/** What a row is called: its account, what is computed, or what it is of documents without an account. */
export function rowName({ account, name, part }: StatementRowFragment): string {
  if (account) return [account.nominalCode, account.name].filter(Boolean).join(' ');
  return name ?? `No account: ${wordsOf(part).toLowerCase()}`;
}
