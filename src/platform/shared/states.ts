// State machines as data: which status may follow which.

export const MACHINES = {
  registrationStatus: {
    PENDING: ['REGISTRATION_IN_PROGRESS'],
    REGISTRATION_IN_PROGRESS: ['REGISTERED', 'REJECTED'],
    SCHEDULED: ['REGISTERED', 'CLOSED'],
    REGISTERED: ['CLOSED'],
    CLOSED: [],
    REJECTED: [],
  },
  validationStatus: {
    PENDING: ['VALIDATION_IN_PROGRESS'],
    VALIDATION_IN_PROGRESS: ['VALID', 'INVALID'],
    INVALID: ['PENDING'],
    // Any change of the number or the tax types requires a new validation.
    VALID: ['PENDING'],
  },
  incorporationStatus: {
    NotSubmitted: ['InProgress', 'Failed'],
    InProgress: ['NeedsAdditionalInfo', 'Succeeded', 'Failed'],
    NeedsAdditionalInfo: ['InProgress', 'Failed'],
    Succeeded: [],
    Failed: [],
  },
  importJobStatus: {
    PENDING: ['IN_PROGRESS', 'CANCELLED'],
    IN_PROGRESS: ['COMPLETED', 'COMPLETED_WITH_ERRORS', 'FAILED', 'CANCELLED'],
    COMPLETED: [],
    COMPLETED_WITH_ERRORS: [],
    FAILED: [],
    CANCELLED: [],
  },
} as const satisfies Record<string, Record<string, readonly string[]>>;

export type Machine = keyof typeof MACHINES;
export type StateOf<M extends Machine> = keyof (typeof MACHINES)[M] & string;
export type RegistrationType = 'EXISTING' | 'NEW';

export function statesOf<M extends Machine>(machine: M): StateOf<M>[] {
  return Object.keys(MACHINES[machine]) as StateOf<M>[];
}

function targetsOf(machine: Machine, from: string): readonly string[] {
  const transitions: Readonly<Record<string, readonly string[]>> = MACHINES[machine];
  return transitions[from] ?? [];
}

/** Whether the machine has the transition. */
export function assertTransition<M extends Machine>(machine: M, from: StateOf<M>, to: StateOf<M>): boolean {
  return targetsOf(machine, from).includes(to);
}

/** Whether a state has no transition. */
export function isFinal(machine: Machine, state: string): boolean {
  return targetsOf(machine, state).length === 0;
}

/** States that have a transition to `to`; a write checks the stored state against them. */
export function sourcesOf<M extends Machine>(machine: M, to: StateOf<M>): StateOf<M>[] {
  return statesOf(machine).filter((from) => assertTransition(machine, from, to));
}

/** Status of a registration on the day it is created. Dates are compared as YYYY-MM-DD text. */
export function firstRegistrationStatus(
  type: RegistrationType,
  start: string | null,
  end: string | null,
  today: string,
): StateOf<'registrationStatus'> {
  if (type === 'NEW') return 'PENDING';
  if (end !== null && end < today) return 'CLOSED';
  return start !== null && start > today ? 'SCHEDULED' : 'REGISTERED';
}
