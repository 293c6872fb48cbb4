import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { sweepOf } from '#kit/server/jobs/marked.ts';
import { adSpendTouched } from '#modules/advertising/server/index.ts';
import { feesTouched } from '#modules/costshare/server/index.ts';
import { costTouched } from '#modules/product/server/index.ts';
import { moneyTouched } from '#modules/settlement/server/index.ts';

const PAUSE_MS = 1_000;

/** Has the marked days counted soon. Many changes in a row become one job. */
export async function foldSoon(ctx: Ctx): Promise<void> {
  await enqueue(
    ctx,
    'profit.fold',
    { companyId: ctx.companyId },
    {
      key: `profit.fold:${ctx.companyId}`,
      queue: `profit:${ctx.companyId}`,
      runAt: new Date(ctx.runtime.clock.ms() + PAUSE_MS),
    },
  );
}

export const sweepJob = sweepOf('profit.sweep', 'profit.dirty', foldSoon);

const onMoney = on(moneyTouched, async (ctx) => {
  await sql`
    INSERT INTO profit.dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT ${ctx.companyId}, account_id, marketplace_id, posted_date, sku FROM pg_temp.touched_money`.execute(ctx.db);
  await foldSoon(ctx);
});

const onCost = on(costTouched, async (ctx) => {
  await sql`
    INSERT INTO profit.dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT p.company_id, p.account_id, p.marketplace_id, p.date, p.sku
      FROM pg_temp.touched_cost AS c
      JOIN profit.profit_daily AS p
        ON p.company_id = ${ctx.companyId} AND p.sku = c.sku AND p.date >= c.valid_from AND p.scope = 'DIRECT'
     GROUP BY p.company_id, p.account_id, p.marketplace_id, p.date, p.sku`.execute(ctx.db);
  await foldSoon(ctx);
});

/** What ads cost moves the shares of its month, whose charges name no SKU. */
const onAdSpend = on(adSpendTouched, async (ctx, { accountId, marketplaceId, days }) => {
  const months = [...new Set(days.map((day) => `${day.slice(0, 7)}-01`))];
  await sql`
    INSERT INTO profit.dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT ${ctx.companyId}, ${accountId}, ${marketplaceId}, month, '' FROM unnest(${months}::date[]) AS month`.execute(
    ctx.db,
  );
  await foldSoon(ctx);
});

/** Costs of one's own: the days of the lines of the document that was posted or taken back. */
const onFees = on(feesTouched, async (ctx, { documentId }) => {
  await sql`
    INSERT INTO profit.dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT DISTINCT company_id, account_id, marketplace_id, date, sku FROM costshare.cost_line
     WHERE company_id = ${ctx.companyId} AND document_id = ${documentId}`.execute(ctx.db);
  await foldSoon(ctx);
});

export const handlers = [onMoney, onCost, onAdSpend, onFees];

/** Marks everything: each day on which there is money or a cost, and each that the rollup still shows. */
export async function markAll(ctx: Ctx): Promise<void> {
  await sql`
    INSERT INTO profit.dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT company_id, account_id, marketplace_id, posted_date, sku FROM settlement.money_line
     WHERE company_id = ${ctx.companyId} GROUP BY 1, 2, 3, 4, 5
    UNION
    SELECT company_id, account_id, marketplace_id, date, sku FROM costshare.cost_line
     WHERE company_id = ${ctx.companyId}
    UNION
    SELECT company_id, account_id, marketplace_id, date, sku FROM profit.profit_daily
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
}
