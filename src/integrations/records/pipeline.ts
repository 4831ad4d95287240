// Sales pipelines and their stages.

import { amount, enumeration, flag, integer, moment, reference, text } from '../../records/decorators.ts';
import { defineEnum } from '../../records/enums.ts';
import { LedgerRecord, ledgerRecord, owned } from '../ledger/ledger-record.ts';

export const PipelineStatus = defineEnum('PipelineStatus', 'Whether a pipeline is in use.', {
  ACTIVE: 'In use.',
  ARCHIVED: 'No longer in use.',
  UNKNOWN: 'A state of the source that has no counterpart here.',
});

@ledgerRecord({ description: 'A stage of a sales pipeline.', parent: 'pipelineId', dataModel: 'Stages of pipelines.' })
export class PipelineStage extends LedgerRecord {
  @reference(() => Pipeline, '`ledgerId` of the pipeline.', 'pipeline') pipelineId!: number | null;
  @text('Name.', { filter: true }) name!: string | null;
  @integer('Place among the stages, in ascending order.') displayOrder!: number | null;
  @amount('Chance of winning a deal in this stage, 0 to 1.') probability!: number | null;
  @flag('Whether deals in this stage are won.') isWon!: boolean | null;
  @flag('Whether deals in this stage are closed, won or lost.') isClosed!: boolean | null;
  @moment('When the record was created in the source system.') createdAt!: string | null;
  @moment('When the record last changed in the source system.') updatedAt!: string | null;
}

@ledgerRecord({ description: 'A sales pipeline.', dataModel: 'Sales pipelines.' })
export class Pipeline extends LedgerRecord {
  @text('Name.', { filter: true }) name!: string | null;
  @enumeration(PipelineStatus, 'Whether the pipeline is in use.') status!: string | null;
  @moment('When the record was created in the source system.') createdAt!: string | null;
  @moment('When the record last changed in the source system.') updatedAt!: string | null;
  @owned(() => PipelineStage, 'Stages.', { by: 'pipelineId', rest: 'always' }) stages!: PipelineStage[];
}
