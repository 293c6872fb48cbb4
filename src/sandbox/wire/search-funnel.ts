import { unitDraw } from './random.ts';

/** What comes of searches; each step happens at most as often as the one before. */
export interface Funnel {
  impressions: number;
  clicks: number;
  cartAdds: number;
  purchases: number;
}

const between = (low: number, high: number, ...key: string[]): number => low + (high - low) * unitDraw(...key);

/** The searches that so many purchases make likely, with some idle ones beside them; the same key gives the same ones. */
export function funnelOf(purchases: number, ...key: string[]): Funnel {
  const cartAdds = Math.ceil(purchases * between(1.6, 2.8, 'cart', ...key)) + Math.floor(3 * unitDraw('left', ...key));
  const clicks = Math.ceil(cartAdds * between(2.2, 4.5, 'click', ...key)) + Math.floor(6 * unitDraw('looked', ...key));
  const impressions = Math.ceil(clicks * between(9, 24, 'shown', ...key)) + Math.floor(40 * unitDraw('seen', ...key));
  return { impressions, clicks, cartAdds, purchases };
}

/** Splits pieces among names by drawn weights; every piece goes to one of them. */
export function splitAmong(pieces: number, names: readonly string[], ...key: string[]): number[] {
  const weights = names.map((name) => 0.2 + unitDraw('weight', name, ...key));
  const whole = weights.reduce((sum, one) => sum + one, 0);
  let [reached, given] = [0, 0];
  return weights.map((weight) => {
    reached += weight;
    const until = Math.round((pieces * reached) / whole);
    const part = until - given;
    given = until;
    return part;
  });
}

export function joinFunnels(all: readonly Funnel[]): Funnel {
  const sum = (of: (one: Funnel) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    impressions: sum((one) => one.impressions),
    clicks: sum((one) => one.clicks),
    cartAdds: sum((one) => one.cartAdds),
    purchases: sum((one) => one.purchases),
  };
}
