import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { sweepOf } from '#kit/server/jobs/marked.ts';
import { costTouched } from '#modules/product/server/index.ts';
import { moneyTouched } from '#modules/settlement/server/index.ts';

const PAUSE_MS = 1_000;

/** Has the marked orders counted soon. Many changes in a row become one job. */
async function foldSoon(ctx: Ctx): Promise<void> {
  const key = `profit.foldOrders:${ctx.companyId}`;
  await enqueue(
    ctx,
    'profit.foldOrders',
    { companyId: ctx.companyId },
    { key, queue: key, runAt: new Date(ctx.runtime.clock.ms() + PAUSE_MS) },
  );
}

export const sweepOrdersJob = sweepOf('profit.sweepOrders', 'profit.order_dirty', foldSoon);

/** A document is one mark, however many orders it is about: whoever loads a settlement of a million lines writes one row. */
const onMoney = on(moneyTouched, async (ctx, { documents }) => {
  await sql`
    INSERT INTO profit.order_dirty (company_id, account_id, source_doc_id)
    SELECT company_id, account_id, id FROM settlement.source_doc
     WHERE company_id = ${ctx.companyId} AND id = ANY(${documents}::uuid[])`.execute(ctx.db);
  await foldSoon(ctx);
});

/** Days that sold a SKU stand in the rollup by days, or wait there to be counted. */
const onCost = on(costTouched, async (ctx) => {
  await sql`
    INSERT INTO profit.order_dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT p.company_id, p.account_id, p.marketplace_id, p.date, p.sku
      FROM pg_temp.touched_cost AS c
      JOIN profit.profit_daily AS p
        ON p.company_id = ${ctx.companyId} AND p.sku = c.sku AND p.date >= c.valid_from AND p.scope = 'DIRECT'
     WHERE p.units <> 0
    UNION
    SELECT p.company_id, p.account_id, p.marketplace_id, p.date, p.sku
      FROM pg_temp.touched_cost AS c
      JOIN profit.dirty AS p ON p.company_id = ${ctx.companyId} AND p.sku = c.sku AND p.date >= c.valid_from`.execute(
    ctx.db,
  );
  await foldSoon(ctx);
});

export const orderHandlers = [onMoney, onCost];
