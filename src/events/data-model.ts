// The record types of the books, by the names that events, pulls and jobs give them.
import { defineEnum } from '../records/enums.ts';

/** Record types that can be named but are not stored here. */
export const otherModels = {
  COMPANY_INFO: 'The company itself.',
  SALES_ORDER: 'Sales orders.',
  BILL_PAYMENT: 'Payments of bills.',
  INVOICE_PAYMENT: 'Payments of invoices.',
} as const;

/** Each stored record type adds its name. */
export const DataModel = defineEnum<string>(
  'DataModel',
  'A record type. Types that the gateway does not store can be named, but not written or pulled.',
  otherModels,
);
