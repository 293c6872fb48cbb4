/**
 * Exact sums of decimal strings. The wire adds up parents of breakdown trees and order totals from the figures that
 * the business hands over; it must not lose a cent to binary fractions on the way.
 */
function scaleOf(amount: string): number {
  const dot = amount.indexOf('.');
  return dot < 0 ? 0 : amount.length - dot - 1;
}

function toUnits(amount: string, scale: number): bigint {
  if (!/^-?\d+(\.\d+)?$/.test(amount)) throw new Error(`Not a decimal amount: "${amount}"`);
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

function fromUnits(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** Sum of decimal strings, with as many decimals as the finest of them; empty strings count as nothing. */
export function sumMoney(amounts: readonly string[]): string {
  const given = amounts.filter((amount) => amount !== '');
  const scale = given.reduce((most, amount) => Math.max(most, scaleOf(amount)), 0);
  return fromUnits(
    given.reduce((sum, amount) => sum + toUnits(amount, scale), 0n),
    scale,
  );
}

/** The same amount with the sign turned; "0.00" stays "0.00". */
export function negate(amount: string): string {
  if (isZero(amount)) return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

/** True for "", "0", "0.00", "-0.0". */
export function isZero(amount: string): boolean {
  return /^-?0*(\.0*)?$/.test(amount);
}

/**
 * Unit price from a line amount: amount / quantity, rounded half up at the amount's own scale.
 * Quantity must be a positive integer.
 */
export function divideMoney(amount: string, quantity: number): string {
  const scale = scaleOf(amount);
  const units = toUnits(amount, scale);
  const divisor = BigInt(quantity);
  const negative = units < 0n;
  const magnitude = negative ? -units : units;
  const rounded = (magnitude * 2n + divisor) / (divisor * 2n);
  return fromUnits(negative ? -rounded : rounded, scale);
}
