import { Decimal, round } from '#kit/contract/decimal.ts';
import type { DeclaredState } from '../../contract/customs-value.ts';

/** What the rule looks at; decimals as text, null where something is not known. */
export interface DeclaredFacts {
  /** In the currency of the site, with `rate` as the share of it that is declared. */
  price: string | null;
  rate: string | null;
  /** A value that somebody locked, in the same currency. */
  locked: string | null;
  /** CNY of one of the listing. */
  cost: string | null;
  /** CNY for one unit of the site's currency on the day. */
  dayRate: string | null;
  /** Whether somebody agreed to so low a value. */
  approved: boolean;
}

/** Price times share, with two decimals; the locked value where there is one. Handbook 5.15. */
export function declaredValue({
  price,
  rate,
  locked,
}: Pick<DeclaredFacts, 'price' | 'rate' | 'locked'>): string | null {
  if (locked !== null) return round(locked, 2);
  return price === null || rate === null ? null : round(new Decimal(price).times(rate), 2);
}

/** The purchase cost in the currency of the site, with two decimals. */
export function costAbroad(cost: string | null, dayRate: string | null): string | null {
  return cost === null || dayRate === null ? null : round(new Decimal(cost).div(dayRate), 2);
}

/** How a declared value stands to the purchase cost, compared before anything is rounded. Handbook 5.15. */
export function stateOf(facts: DeclaredFacts): DeclaredState {
  const declared = declaredValue(facts);
  if (declared === null) return 'open';
  if (facts.cost === null || facts.dayRate === null) return 'noCost';
  if (!new Decimal(declared).times(facts.dayRate).lt(facts.cost)) return 'fine';
  return facts.approved ? 'approved' : 'low';
}
