import { Decimal, ratio } from '#kit/contract/decimal.ts';

/** (current − previous) ÷ previous; null without a base. */
export function changeOf(current: number | string, previous: number | string): string | null {
  return ratio(new Decimal(current).minus(previous).toFixed(), String(previous));
}
