// Sums of amounts without rounding. Binary floating point adds 0.1 and 0.2 to something else than 0.3, so amounts are added as whole numbers.

/** A decimal as a whole number and the number of its digits after the point, which is negative where zeros follow the whole number. */
function parts(value: number | string): { digits: bigint; scale: number } {
  const [mantissa, exponent = '0'] = String(value).split('e');
  const [whole, fraction = ''] = mantissa!.split('.');
  const scale = fraction.length - Number(exponent);
  return { digits: BigInt(whole! + fraction), scale };
}

/** The exact sum of decimals, as text with an exponent that PostgreSQL reads as NUMERIC. */
export function exactTotal(values: readonly (number | string)[]): string {
  const all = values.map(parts);
  const scale = all.reduce((most, part) => Math.max(most, part.scale), 0);
  const sum = all.reduce((total, part) => total + part.digits * 10n ** BigInt(scale - part.scale), 0n);
  return `${sum}e-${scale}`;
}

/** The exact sum of decimals, as the nearest number: 0 if and only if they cancel out. */
export const exactSum = (values: readonly number[]): number => Number(exactTotal(values));
