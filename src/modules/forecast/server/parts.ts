import { availableParallelism } from 'node:os';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import type { Model } from './engine/choose.ts';
import type { Forecast } from './engine/forecast.ts';
import { forecastParts, PART } from './engine/parallel.ts';
import type { Item } from './engine/shop.ts';
import { HORIZON, LEAD } from './figures.ts';
import { type History, historiesOf, skusOf } from './history.ts';
import { eventsOf, type Planned, promotionsOf } from './promotions/days.ts';
import type { Stock } from './stocks.ts';
import { type Care, careOf } from './store.ts';

export const TIMEOUT_MS = 15 * 60_000;
/** More threads leave the machine no room for people. */
const MOST_THREADS = 8;

/** One item of a stock with its forecast. */
export interface Made {
  history: History;
  care: Care | undefined;
  forecast: Forecast;
}

/** What is forecast, and as of when. */
export interface Work {
  runtime: Runtime;
  companyId: string;
  stock: Stock;
  /** Days before the cut-off that are taken for unknown: a forecast as it would have been made then, without a word of people. */
  back: number;
}

function itemOf(
  history: History,
  care: Care | undefined,
  { lives: references, promotions }: { lives: ReadonlyMap<string, History>; promotions: readonly Planned[] },
  { stock, back }: Work,
): Item {
  const units = history.demand.slice(0, history.demand.length - back);
  if (back > 0) return { units, category: stock.pool };
  const lives = (care?.references ?? []).flatMap((sku) => references.get(sku)?.demand ?? []);
  return {
    units,
    category: stock.pool,
    ...eventsOf(promotions, stock, history.sku),
    ...(lives.length > 0 ? { references: lives } : {}),
    // What is stored was written by this program, which knows no other models.
    ...(care?.model ? { present: care.model as Model } : {}),
    ...(care?.locked ? { locked: care.locked as Model } : {}),
  };
}

type Read = Pick<Made, 'history' | 'care'>;

/** Reads a part: its histories, what people said, and the lives of the products that new ones are like. */
async function readPart(ctx: Ctx, work: Work, skus: readonly string[]): Promise<{ part: Read[]; items: Item[] }> {
  const { stock } = work;
  const histories = await historiesOf(ctx, stock, skus);
  const care = await careOf(ctx, stock, skus);
  const wanted = [...new Set([...care.values()].flatMap(({ references }) => references))];
  const lives = wanted.length === 0 ? [] : await historiesOf(ctx, stock, wanted);
  const around = { lives: new Map(lives.map((one) => [one.sku, one])), promotions: await promotionsOf(ctx, stock) };
  return {
    part: histories.map((history) => ({ history, care: care.get(history.sku) })),
    items: histories.map((history) => itemOf(history, care.get(history.sku), around, work)),
  };
}

/**
 * Forecasts all items of a stock, part by part, on as many threads as the machine has cores; `done` is told each part once, in
 * whatever order they end. Returns how many items there are.
 */
export async function forecastStock(work: Work, done: (part: Made[]) => Promise<void>): Promise<number> {
  const { runtime, companyId, stock } = work;
  const read = <T>(reading: (ctx: Ctx) => Promise<T>) =>
    inTenant(runtime, systemPrincipal(companyId), reading, { readOnly: true, timeoutMs: TIMEOUT_MS });
  const skus = await read((ctx) => skusOf(ctx, stock));
  if (skus.length === 0) return 0;
  const waiting = new Map<number, Read[]>();
  async function* items(): AsyncGenerator<Item[]> {
    for (let n = 0; n * PART < skus.length; n += 1) {
      const some = skus.slice(n * PART, (n + 1) * PART);
      const { part, items } = await read((ctx) => readPart(ctx, work, some));
      waiting.set(n, part);
      yield items;
    }
  }
  const threads = Math.min(MOST_THREADS, availableParallelism(), Math.ceil(skus.length / PART));
  await forecastParts(items(), { horizon: HORIZON, lead: LEAD }, threads, async (forecasts, n) => {
    const part = waiting.get(n) ?? [];
    waiting.delete(n);
    await done(
      part.flatMap((one, index) => {
        const forecast = forecasts[index];
        return forecast ? [{ ...one, forecast }] : [];
      }),
    );
  });
  return skus.length;
}
