// State machines: exactly the documented and chosen transitions exist.
import { describe, expect, it } from 'vitest';
import { assertTransition, firstRegistrationStatus, type Machine, sourcesOf, statesOf } from '../../../src/platform/shared/states.ts';

const transitions = (machine: Machine) =>
  statesOf(machine).flatMap((from) => statesOf(machine).flatMap((to) => (assertTransition(machine, from, to) ? [`${from} > ${to}`] : [])));

describe('state machines', () => {
  it('registration status', () => {
    expect(transitions('registrationStatus')).toEqual([
      'PENDING > REGISTRATION_IN_PROGRESS',
      'REGISTRATION_IN_PROGRESS > REGISTERED',
      'REGISTRATION_IN_PROGRESS > REJECTED',
      'SCHEDULED > REGISTERED',
      'SCHEDULED > CLOSED',
      'REGISTERED > CLOSED',
    ]);
  });

  it('validation status', () => {
    expect(transitions('validationStatus')).toEqual([
      'PENDING > VALIDATION_IN_PROGRESS',
      'VALIDATION_IN_PROGRESS > INVALID',
      'VALIDATION_IN_PROGRESS > VALID',
      'INVALID > PENDING',
      'VALID > PENDING',
    ]);
  });

  it('incorporation status starts at the documented NotSubmitted', () => {
    expect(transitions('incorporationStatus')).toEqual([
      'NotSubmitted > InProgress',
      'NotSubmitted > Failed',
      'InProgress > NeedsAdditionalInfo',
      'InProgress > Succeeded',
      'InProgress > Failed',
      'NeedsAdditionalInfo > InProgress',
      'NeedsAdditionalInfo > Failed',
    ]);
    expect(sourcesOf('incorporationStatus', 'NotSubmitted')).toEqual([]);
  });

  it('an import job is cancelled only before it ends', () => {
    expect(sourcesOf('importJobStatus', 'CANCELLED')).toEqual(['PENDING', 'IN_PROGRESS']);
    expect(sourcesOf('importJobStatus', 'COMPLETED_WITH_ERRORS')).toEqual(['IN_PROGRESS']);
  });

  it.each([
    ['NEW', '2030-01-01', null, 'PENDING'],
    ['EXISTING', '2024-01-01', null, 'REGISTERED'],
    ['EXISTING', '2025-06-15', null, 'REGISTERED'],
    ['EXISTING', '2025-06-16', null, 'SCHEDULED'],
    ['EXISTING', '2024-01-01', '2025-06-14', 'CLOSED'],
    ['EXISTING', '2024-01-01', '2025-06-15', 'REGISTERED'],
  ] as const)('%s from %s to %s begins %s on 2025-06-15', (type, start, end, status) => {
    expect(firstRegistrationStatus(type, start, end, '2025-06-15')).toBe(status);
  });
});
