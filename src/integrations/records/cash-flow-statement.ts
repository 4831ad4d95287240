// Cash flow statements of a company.
import { amount, json, moment } from '../../records/decorators.ts';
import { ledgerRecord, SourcedRecord } from '../ledger/ledger-record.ts';

@ledgerRecord({ description: 'A cash flow statement of a period.' })
export class CashFlowStatement extends SourcedRecord {
  @json('Cash from operating activities, in the form of the source.') operatingActivities!: unknown;
  @json('Cash from investing activities, in the form of the source.') investingActivities!: unknown;
  @json('Cash from financing activities, in the form of the source.') financingActivities!: unknown;
  @amount('Cash when the period began.') cashAtBeginningOfPeriod!: number | null;
  @amount('Cash when the period ended.') cashAtEndOfPeriod!: number | null;
  @moment('First moment of the period.') periodStart!: Date | null;
  @moment('Last moment of the period.') periodEnd!: Date | null;
  @moment('When the record last changed in the source system.') updatedAt!: Date | null;
}
