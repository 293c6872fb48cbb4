import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { sweepOf } from '#kit/server/jobs/marked.ts';
import { returnsTouched } from '#modules/inventory/server/index.ts';
import { ordersTouched } from '#modules/order/server/index.ts';
import { moneyTouched } from '#modules/settlement/server/index.ts';
import { FOLD } from './fold.ts';

const PAUSE_MS = 1_000;

/** Has the marked cases added up soon. Many changes in a row become one job. */
async function foldSoon(ctx: Ctx): Promise<void> {
  const key = `${FOLD}:${ctx.companyId}`;
  const runAt = new Date(ctx.runtime.clock.ms() + PAUSE_MS);
  await enqueue(ctx, FOLD, { companyId: ctx.companyId }, { key, queue: key, runAt });
}

export const sweepRefundsJob = sweepOf('returns.sweepRefunds', 'returns.refund_dirty', foldSoon);

/** A document is one mark, however many orders it is about. */
const onMoney = on(moneyTouched, async (ctx, { documents }) => {
  await sql`
    INSERT INTO returns.refund_dirty (company_id, account_id, source_doc_id)
    SELECT company_id, account_id, id FROM settlement.source_doc
     WHERE company_id = ${ctx.companyId} AND id = ANY(${documents}::uuid[])`.execute(ctx.db);
  await foldSoon(ctx);
});

const onReturns = on(returnsTouched, async (ctx, { accountId, from, to }) => {
  await sql`
    INSERT INTO returns.refund_dirty (company_id, account_id, from_day, to_day)
    VALUES (${ctx.companyId}, ${accountId}, ${from}, ${to})`.execute(ctx.db);
  await foldSoon(ctx);
});

/**
 * An order that was refunded or sent back before it was read is there now. What an order says of a case does not change any more
 * once it is known: something of it was shipped.
 */
const onOrders = on(ordersTouched, async (ctx) => {
  const { numAffectedRows } = await sql`
    INSERT INTO returns.refund_dirty (company_id, account_id, order_id)
    SELECT DISTINCT c.company_id, c.account_id, c.order_id
      FROM (SELECT DISTINCT account_id FROM pg_temp.touched_orders) AS t
      JOIN returns.refund_case AS c ON c.company_id = ${ctx.companyId} AND c.account_id = t.account_id AND c.ordered IS NULL
      JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = c.order_id
       AND o.account_id = c.account_id`.execute(ctx.db);
  if (Number(numAffectedRows ?? 0) > 0) await foldSoon(ctx);
});

/** What marks cases. */
export const refundHandlers = [onMoney, onReturns, onOrders];
