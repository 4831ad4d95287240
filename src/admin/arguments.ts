// Parsers of options and arguments; what they reject is reported with the name of the option.
import { InvalidArgumentError } from 'commander';

/** A whole number from 1. */
export function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.');
  return Number(text);
}

/** A whole number of hours, 0 to 720. */
export function hours(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 720) throw new InvalidArgumentError('It must be a whole number from 0 to 720.');
  return Number(text);
}

/** Numbers separated by commas. */
export const counts = (text: string): number[] => text.split(',').map((word) => count(word.trim()));

/** An ISO 8601 date or time. */
export function time(text: string): string {
  if (!/^\d{4}-\d\d-\d\d/.test(text) || Number.isNaN(Date.parse(text)))
    throw new InvalidArgumentError('It must be a date or a time of ISO 8601, such as 2026-11-01T00:00:00Z.');
  return new Date(text).toISOString();
}

/** Words of a closed list, separated by commas, in any case. */
export const words =
  (known: readonly string[]) =>
  (text: string): string[] => {
    const given = text.split(',').map((word) => word.trim().toUpperCase());
    const unknown = given.find((word) => !known.includes(word));
    if (unknown !== undefined) throw new InvalidArgumentError(`${unknown || 'An empty word'} is none of ${known.join(', ')}.`);
    return given;
  };
