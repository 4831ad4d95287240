// When a failed delivery is tried again: the published waits, their jitter, and what a receiver may ask for.
import fc from 'fast-check';
import { afterAll, expect, it, vi } from 'vitest';
import { GIVE_UP_MS, REPORTED_AFTER_MS, RETRY_DELAYS, retryAfterMs, retryDelayMs } from '../../src/webhooks/retry-schedule.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = new Date('2026-03-01T10:00:00.000Z');

afterAll(() => void vi.unstubAllEnvs());

it('the waits are those of the documentation, and a webhook is given up after five days', () => {
  expect(RETRY_DELAYS.map((delay) => delay / 1_000)).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  expect([GIVE_UP_MS, REPORTED_AFTER_MS]).toEqual([5 * 24 * HOUR, HOUR]);
});

it('each attempt waits longer than the one before, by up to a tenth more', () => {
  for (const [index, delay] of RETRY_DELAYS.entries()) {
    const attemptsLeft = RETRY_DELAYS.length - index;
    expect(retryDelayMs(attemptsLeft, 0, 0)).toBe(delay);
    expect(retryDelayMs(attemptsLeft, 0, 0.5)).toBe(Math.round(delay * 1.05));
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        const wait = retryDelayMs(attemptsLeft, 0, random);
        expect(wait).toBeGreaterThanOrEqual(delay);
        expect(wait).toBeLessThanOrEqual(Math.round(delay * 1.1));
      }),
    );
  }
});

it('an attempt beyond the plan waits as the first does', () => {
  expect(retryDelayMs(RETRY_DELAYS.length + 1, 0, 0)).toBe(RETRY_DELAYS[0]);
});

it('a receiver can ask for a longer wait, and not for a shorter one', () => {
  expect(retryDelayMs(RETRY_DELAYS.length, HOUR, 1)).toBe(HOUR);
  expect(retryDelayMs(1, MINUTE, 0)).toBe(24 * HOUR);
});

it.each([
  [null, 0],
  ['', 0],
  ['soon', 0],
  ['0', 0],
  ['120', 2 * MINUTE],
  [' 120 ', 2 * MINUTE],
  ['120 minutes', 0],
  ['-5', 0],
  ['86400', 24 * HOUR],
  ['86401', 24 * HOUR],
  ['Sun, 01 Mar 2026 10:01:30 GMT', 90_000],
  ['Sun, 01 Mar 2026 10:01:30 +0000', 90_000],
  ['2026-03-01T10:01:30Z', 90_000],
  ['2026-03-01T10:01:30+0000', 90_000],
  ['Sunday, 01-Mar-26 10:01:30 GMT', 90_000],
  ['Sun Mar  1 10:01:30 2026', 90_000],
  ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
  ['Thu, 05 Mar 2026 10:00:00 GMT', 24 * HOUR],
])('Retry-After %j asks for %d ms, in every time zone', (header, wait) => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(retryAfterMs(header, NOW)).toBe(wait);
});
