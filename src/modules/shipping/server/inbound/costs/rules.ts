import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { PlacementCost, PlacementLeg } from '../../../contract/placement.ts';
import type { Cost } from '../types.ts';

/** A placement with its ways worked out. */
export interface Placed {
  optionId: string;
  /** What Amazon asks; null where it asks nothing. */
  fee: Cost | null;
  pieces: number;
  expired: boolean;
  legs: PlacementLeg[];
}

const feeIn = (fee: Cost | null, rates: ReadonlyMap<string, string>): string | null => {
  if (fee === null) return '0.00';
  const rate = rates.get(fee.code);
  return rate === undefined ? null : round(new Decimal(fee.amount).times(rate), 2);
};

/** The value of all, or null as soon as one is unknown: a sum of some would look cheaper than it is. */
const known = <T>(values: readonly (T | null)[]): T[] | null =>
  values.some((value) => value === null) ? null : (values as T[]);

/** Fee and freight of a placement in CNY by `rates` (CNY for one unit), each piece at 4 places, days of its slowest centre. */
function costOf({ optionId, fee, pieces, legs }: Placed, rates: ReadonlyMap<string, string>): PlacementCost {
  const feeCny = feeIn(fee, rates);
  const freights = known(legs.map(({ freightCny }) => freightCny));
  const freightCny = freights && round(sum(freights), 2);
  const totalCny = feeCny !== null && freightCny !== null ? round(sum([feeCny, freightCny]), 2) : null;
  const days = known(legs.map((leg) => leg.days));
  const lacks = legs.filter((leg) => leg.freightCny === null).map(({ center, why }) => `${center || '未知仓'}：${why}`);
  const why = feeCny === null ? [`没有 ${fee?.code} 的汇率`, ...lacks] : lacks;
  return {
    optionId,
    legs,
    feeCny,
    freightCny,
    totalCny,
    eachCny: totalCny !== null && pieces > 0 ? round(new Decimal(totalCny).div(pieces), 4) : null,
    why: why.join('；'),
    days: days && days.length > 0 ? Math.max(...days) : null,
    cheapest: false,
    fastest: false,
  };
}

/** Keys of those with the least value, where there is one with more: what is all the same stands out in nothing. */
function least(values: readonly (readonly [string, Decimal])[]): ReadonlySet<string> {
  if (values.length === 0) return new Set();
  const all = values.map(([, value]) => value);
  const [min, max] = [Decimal.min(...all), Decimal.max(...all)];
  return new Set(min.eq(max) ? [] : values.filter(([, value]) => value.eq(min)).map(([key]) => key));
}

/**
 * Placements side by side (handbook 08 §9, 4): Amazon's fee and our own freight to each centre in CNY, what a piece comes to,
 * and when the last pieces are on the shelf. The cheapest and the fastest are marked among those that can still be chosen.
 */
export function comparePlacements(offers: readonly Placed[], rates: ReadonlyMap<string, string>): PlacementCost[] {
  const costs = offers.map((offer) => costOf(offer, rates));
  const open = costs.filter((_, index) => !offers[index]?.expired);
  const cheapest = least(
    open.flatMap(({ optionId, totalCny }) => (totalCny === null ? [] : [[optionId, new Decimal(totalCny)] as const])),
  );
  const fastest = least(
    open.flatMap(({ optionId, days }) => (days === null ? [] : [[optionId, new Decimal(days)] as const])),
  );
  return costs.map((cost) => ({
    ...cost,
    cheapest: cheapest.has(cost.optionId),
    fastest: fastest.has(cost.optionId),
  }));
}
