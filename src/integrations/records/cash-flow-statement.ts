// Cash flow statements of a company.
import { amount, json, moment } from '../../records/decorators.ts';
import { ledgerRecord, SourcedRecord } from '../ledger/ledger-record.ts';

@ledgerRecord({ description: 'A cash flow statement of a period.' })
export class CashFlowStatement extends SourcedRecord {
  @json('Cash from operating activities, as JSON of the source.') operatingActivities!: unknown;
  @json('Cash from investing activities, as JSON of the source.') investingActivities!: unknown;
  @json('Cash from financing activities, as JSON of the source.') financingActivities!: unknown;
  @amount('Cash at the beginning of the period.') cashAtBeginningOfPeriod!: number | null;
  @amount('Cash at the end of the period.') cashAtEndOfPeriod!: number | null;
  @moment('First moment of the period.') periodStart!: Date | null;
  @moment('Last moment of the period.') periodEnd!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}
