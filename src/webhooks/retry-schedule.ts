// When a failed delivery is tried again, and when a webhook that always fails is disabled.
import { httpDate } from '../runtime/http-date.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits between the attempts of one delivery. */
export const RETRY_DELAYS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const;

/** Jitter: up to a tenth more, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** The longest wait a receiver can ask for. */
const MAX_RETRY_AFTER = 24 * HOUR;

/** A webhook is disabled when every attempt has failed for this time. */
export const GIVE_UP_MS = 120 * HOUR;

/** An event reports a webhook when every attempt has failed for this time. A shorter failure is a restart of the receiver. */
export const REPORTED_AFTER_MS = HOUR;

/** The wait a `Retry-After` header asks for, in seconds or as a date; 0 when it cannot be parsed. */
export function retryAfterMs(header: string | null, now: Date): number {
  if (header === null) return 0;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * SECOND : httpDate(header) - now.getTime();
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER);
}

/** The wait before the next attempt when `attemptsLeft` remain, never shorter than the receiver asked for. */
export function retryDelayMs(attemptsLeft: number, askedMs: number, random: number): number {
  const planned = RETRY_DELAYS[RETRY_DELAYS.length - attemptsLeft] ?? RETRY_DELAYS[0];
  return Math.round(Math.max(planned * (1 + JITTER * random), askedMs));
}
