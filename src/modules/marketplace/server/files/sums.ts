/** Decimal places kept in exact sums: more than any amount in a report has. */
const PLACES = 10;

/**
 * Exact sum of canonical decimal strings, as an integer of 10^-10. Amounts of different numbers of decimals add up
 * without rounding.
 */
export class ExactSum {
  #total = 0n;
  /** Small amounts are added up here first: plain integers of 10^-4, far below 2^53, exact and ten times faster. */
  #near = 0;

  add(value: string): void {
    const point = value.indexOf('.');
    const decimals = point < 0 ? 0 : value.length - point - 1;
    if (decimals <= 4 && value.length <= 12) {
      const digits = point < 0 ? value : value.slice(0, point) + value.slice(point + 1);
      this.#near += Number(digits) * (TENS[4 - decimals] ?? 1);
      if (this.#near > NEAR_LIMIT || this.#near < -NEAR_LIMIT) this.#fold();
    } else this.#total += scaled(value);
  }

  /** The sum as a canonical decimal string with at least `places` decimals. */
  text(places = 2): string {
    this.#fold();
    return unscaled(this.#total, places);
  }

  /** sum − other, as a canonical decimal string; '0' exactly when they are equal. */
  minus(other: string, places = 2): string {
    this.#fold();
    const difference = this.#total - scaled(other);
    return difference === 0n ? '0' : unscaled(difference, places);
  }

  #fold(): void {
    this.#total += BigInt(this.#near) * 10n ** BigInt(PLACES - 4);
    this.#near = 0;
  }
}

const NEAR_LIMIT = 2 ** 52;
const TENS = [1, 10, 100, 1000, 10_000];

function scaled(value: string): bigint {
  const [whole = '0', fraction = ''] = value.split('.');
  if (fraction.length > PLACES) throw new RangeError(`more than ${PLACES} decimals: ${value}`);
  return BigInt(whole + fraction.padEnd(PLACES, '0'));
}

function unscaled(total: bigint, places: number): string {
  const digits = (total < 0n ? -total : total).toString().padStart(PLACES + 1, '0');
  const whole = digits.slice(0, -PLACES);
  let fraction = digits.slice(-PLACES);
  while (fraction.length > places && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  const value = fraction === '' ? whole : `${whole}.${fraction}`;
  return total < 0n ? `-${value}` : value;
}
