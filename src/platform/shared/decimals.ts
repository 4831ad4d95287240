// Exact sums of decimal amounts: a double of at most 15 significant digits is exact as text, but sums of doubles are not.

/** Digits after the point. The scalar `Decimal` has numbers of 15 significant digits from 1e-15 on. */
const SCALE = 30;

/** A number, or its decimal text, as an integer count of 1e-30. */
export function scaled(value: number | string): bigint {
  const [mantissa, exponent = '0'] = String(value).split('e') as [string, string?];
  const [whole, fraction = ''] = mantissa.split('.') as [string, string?];
  return BigInt(whole + fraction) * 10n ** BigInt(SCALE + Number(exponent) - fraction.length);
}

/** The decimal text of such a count, without trailing zeros. */
export function decimalText(count: bigint): string {
  if (count < 0n) return `-${decimalText(-count)}`;
  const digits = String(count).padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '');
  return `${digits.slice(0, -SCALE)}${fraction && `.${fraction}`}`;
}
