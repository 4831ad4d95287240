// Where a record stands with its source system.
import { defineEnum } from '../../records/enums.ts';

export const SourceState = defineEnum('SourceState', 'Where a record stands with its source system.', {
  IN_SYNC: 'As the source has it.',
  PENDING_PUSH: 'Written here and not yet sent to the source.',
  PUSH_FAILED: 'Written here and refused by the source; the next write of the record sends it again.',
  CONFLICT: 'Changed here and at the source; `resolveConflict` decides which version stays.',
  LOCAL: 'Written here, and not sent, because the source takes no records of this type.',
});

/** The name of a source state. */
export type SourceStateName = keyof typeof SourceState.values;
