// The synchronisation state of a record with its source system.
import { defineEnum } from '../../records/enums.ts';

export const SourceState = defineEnum('SourceState', 'Synchronisation state of a record with its source.', {
  IN_SYNC: 'Same as at the source.',
  PENDING_PUSH: 'Written here, but not yet sent to the source.',
  PUSH_FAILED: 'Written here, but rejected by the source; the next write of the record resends it.',
  CONFLICT: 'Changed both here and at the source; resolve it with `resolveConflict`.',
  LOCAL: 'Written here, but not sent: the source accepts no records of this type.',
});

/** The name of a source state. */
export type SourceStateName = keyof typeof SourceState.values;
