// Sales pipelines and their stages.

import type { Collection } from '@mikro-orm/core';
import { amount, enumeration, flag, integer, moment, reference, text } from '../../records/decorators.ts';
import { UsageStatus } from '../ledger/enums.ts';
import { ledgerRecord, OwnedRecord, owned, SourcedRecord } from '../ledger/ledger-record.ts';

@ledgerRecord({ description: 'A stage of a sales pipeline.', parent: 'pipelineId', dataModel: 'Stages of pipelines.' })
export class PipelineStage extends OwnedRecord {
  // The pipeline has its stages as children, under `stages`.
  @reference(() => Pipeline, '`ledgerId` of the pipeline.', 'pipeline', { inverse: false }) pipelineId!: number | null;
  pipeline?: Pipeline | null;
  @text('Display name.', { list: 'indexed', search: true }) name!: string | null;
  @integer('Position among the stages, ascending.') displayOrder!: number | null;
  @amount('Chance of winning a deal, 0 to 1.') probability!: number | null;
  @flag('Whether deals in this stage are won.') isWon!: boolean | null;
  @flag('Whether deals in this stage are won or lost.') isClosed!: boolean | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
}

@ledgerRecord({ description: 'A sales pipeline.', dataModel: 'Sales pipelines.' })
export class Pipeline extends SourcedRecord {
  @text('Display name.', { list: 'indexed', search: true }) name!: string | null;
  @enumeration(UsageStatus, 'Whether the pipeline is in use.') status!: string | null;
  @moment('Creation in the source.') createdAt!: Date | null;
  @moment('Last change in the source.') updatedAt!: Date | null;
  @owned(() => PipelineStage, 'Stages of the pipeline.', { by: 'pipelineId', rest: 'always' }) stages!: Collection<PipelineStage>;
}
