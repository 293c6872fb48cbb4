import type { Item } from '../server/engine/shop.ts';

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Units of a day of so many on average, as irregular as real ones: Poisson, its mean drawn from a log-normal. */
function draw(random: () => number, mean: number, spread: number): number {
  const rate = mean * Math.exp(spread * normal(random) - (spread * spread) / 2);
  if (rate > 60) return Math.max(0, Math.round(rate + Math.sqrt(rate) * normal(random)));
  const limit = Math.exp(-rate);
  let units = 0;
  for (let product = random(); product > limit; product *= random()) units += 1;
  return units;
}

export interface SimulatedShop {
  items: Item[];
  /** What would have been sold with stock. */
  demand: Float64Array[];
}

/**
 * A shop that never was, the same for the same seed: weekdays of its own (one of them closed for some seeds), slow and
 * quick sellers, drifting levels, a busy season before the year's end, promotions, bulk orders, products that begin and
 * end, and stock-outs, whose days sell nothing. `told` says them and the promotions to the models, else they look like the
 * columns of a file: 0, and a peak that nobody explains.
 */
export function simulatedShop(seed: number, count: number, days: number, told: boolean): SimulatedShop {
  const random = numbers(seed);
  const week = Array.from({ length: 7 }, () => 0.5 + random());
  if (seed % 2 === 1) week[Math.floor(random() * 7)] = 0;
  const holidays = new Set(Array.from({ length: Math.ceil(days / 120) }, () => Math.floor(random() * days)));
  const demand: Float64Array[] = [];
  const items = Array.from({ length: count }, (): Item => {
    let level = Math.exp(normal(random) * 1.6);
    const spread = 0.2 + random() * 0.8;
    const begin = random() < 0.15 ? Math.floor(random() * days * 0.8) : 0;
    const end = random() < 0.1 ? Math.floor(days * (0.4 + 0.6 * random())) : days;
    const events = new Uint8Array(days + 200);
    const wanted = new Float64Array(days);
    const units = new Float64Array(days);
    let promoted = 0;
    let out = 0;
    for (let day = 0; day < days; day += 1) {
      level *= Math.exp(0.015 * normal(random));
      if (promoted > 0) promoted -= 1;
      else if (random() < 0.01) promoted = 3 + Math.floor(random() * 5);
      if (out > 0) out -= 1;
      else if (random() < 0.006) out = 4 + Math.floor(random() * 20);
      if (promoted > 0) events[day] = 1;
      const open = !holidays.has(day) && day >= begin && day < end;
      const season = 1 + 0.5 * Math.max(0, Math.sin((2 * Math.PI * (day - 200)) / 364));
      const mean = level * (week[day % 7] ?? 0) * season * (promoted > 0 ? 2.5 : 1);
      const bulk = random() < 0.003 ? 10 + Math.floor(random() * 20 * level) : 0;
      wanted[day] = open ? draw(random, mean, spread) + ((week[day % 7] ?? 0) > 0 ? bulk : 0) : 0;
      units[day] = out > 0 ? (told ? Number.NaN : 0) : (wanted[day] ?? 0);
    }
    demand.push(wanted);
    return told ? { units, category: 'all', events } : { units, category: 'all' };
  });
  return { items, demand };
}
