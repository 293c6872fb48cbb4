import { sql } from 'kysely';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { paceWindows } from '#modules/analysis/server/index.ts';
import type { Window } from './engine/methods/weighted-average.ts';
import { arrayText, lookBack, outlook, packedDays } from './figures.ts';
import { tellOver } from './over.ts';
import { forecastStock, type Made, TIMEOUT_MS } from './parts.ts';
import { type Stock, stocksOf } from './stocks.ts';
import { dropOthers, type ItemRow, storeItems } from './store.ts';

const SUNDAY = 0;

/** What the models say of an item; what people changed of it is published when it is stored. */
function rowOf(stock: Stock, { history, forecast }: Made, windows: readonly Window[]): ItemRow {
  const { class: kind, model, mean, distances } = forecast;
  const { outDays, isOut, ...back } = lookBack(history, windows);
  return {
    seller_sku: history.sku,
    marketplace_id: history.site,
    class: kind,
    model,
    mean: arrayText(packedDays(mean)),
    distances: arrayText([...distances]),
    out_days: outDays,
    is_out: isOut,
    ...back,
    ...outlook(mean, distances, stock.cutoff),
  };
}

/** Forecasts all that an account sells, and forgets what it no longer does. Returns how many items there are. */
export async function runAccount(runtime: Runtime, companyId: string, accountId: string): Promise<number> {
  const principal = systemPrincipal(companyId);
  const { runId, stocks, windows } = await inTenant(runtime, principal, async (ctx) => {
    const { id } = await ctx.db
      .insertInto('forecast.run')
      .values({ company_id: companyId, account_id: accountId })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { runId: id, stocks: await stocksOf(ctx, accountId), windows: await paceWindows(ctx) };
  });
  let items = 0;
  for (const stock of stocks) {
    // One forecast a week is kept, to be held against what is sold.
    const keep = new Date(stock.cutoff).getUTCDay() === SUNDAY;
    items += await forecastStock({ runtime, companyId, stock, back: 0 }, async (part) => {
      const rows = part.map((made) => rowOf(stock, made, windows));
      await inTenant(runtime, principal, (ctx) => storeItems(ctx, stock, runId, rows, keep), { timeoutMs: TIMEOUT_MS });
    });
  }
  const end = async (ctx: Parameters<typeof dropOthers>[0]) => {
    await tellOver(ctx, accountId);
    await dropOthers(ctx, accountId, runId);
    await sql`
      UPDATE forecast.run SET ended_at = kit.now(), items = ${items}
       WHERE company_id = ${companyId} AND id = ${runId}`.execute(ctx.db);
  };
  await inTenant(runtime, principal, end, { timeoutMs: TIMEOUT_MS });
  return items;
}
