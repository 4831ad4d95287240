// The progress bar of the address command line.
import { describe, expect, test } from 'vitest';
import { progressLine } from '../../src/address/cli/progress.ts';

describe('progress bar', () => {
  test('it shows share, count, rate and what is left', () => {
    expect(progressLine(50, 200, 10)).toBe('[########......................]  25 %  50/200  5/s  30 s left ');
    expect(progressLine(200, 200, 10)).toContain('100 %  200/200');
  });

  test('an empty batch is complete', () => {
    expect(progressLine(0, 0, 0)).toContain('100 %  0/0  0/s');
  });
});
