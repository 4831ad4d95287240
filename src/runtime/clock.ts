// The clock of a process.

/** The current time; an interface, so that tests can set it. */
export interface Clock {
  now(): Date;
}
