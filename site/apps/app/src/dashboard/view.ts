// What the dashboard shows, as its address says it, and the variables that follow from it.
import type { DashboardQueryVariables, DocumentStatus, InvoiceOrderField } from './operations.generated.ts';

export const STATUSES = [
  'DRAFT',
  'SUBMITTED',
  'PARTIALLY_PAID',
  'OVERDUE',
  'PAID',
  'VOID',
  'UNKNOWN',
] as const satisfies readonly DocumentStatus[];
export const SIZES = [5, 20, 100] as const;
const SORTS = [
  'DOCUMENT_NUMBER',
  'POSTED_DATE',
  'DUE_DATE',
  'STATUS',
  'TOTAL_AMOUNT',
  'AMOUNT_DUE',
] as const satisfies readonly InvoiceOrderField[];
export type Sort = (typeof SORTS)[number];

/** What the table shows. */
export interface View {
  readonly company: number | null;
  readonly search: string;
  readonly status: DocumentStatus | null;
  readonly sort: Sort;
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
  readonly size: number;
}

const oneOf = <T extends string>(values: readonly T[], given: string | null): T | undefined => values.find((value) => value === given);
const whole = (given: string | null): number | null => (given && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : null);

/** The view of an address; what it does not say, or says wrongly, is the default. */
export const viewOf = (address: URLSearchParams): View => ({
  company: whole(address.get('company')),
  search: (address.get('search') ?? '').slice(0, 200),
  status: oneOf(STATUSES, address.get('status')) ?? null,
  sort: oneOf(SORTS, address.get('sort')) ?? 'POSTED_DATE',
  isDescending: address.get('order') !== 'ascending',
  page: whole(address.get('page')) ?? 1,
  size: SIZES.find((size) => size === whole(address.get('rows'))) ?? SIZES[0],
});

/** The variables of both operations that read a page. */
export const variablesOf = ({ company, search, status, sort, isDescending, page, size }: View): DashboardQueryVariables => ({
  company: company ? { ledgerId: { eq: company } } : null,
  filter: { ...(search ? { or: [{ search }, { contact: { search } }] } : {}), ...(status ? { status: { eq: status } } : {}) },
  orderBy: [{ field: sort, direction: isDescending ? 'DESC' : 'ASC', nulls: 'LAST' }],
  first: size,
  offset: (page - 1) * size,
});
