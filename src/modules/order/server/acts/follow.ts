import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import { emit, on } from '#kit/server/events.ts';
import { writeEnded, writeRetried } from '#modules/marketplace/server/index.ts';
import { SHOWN } from './confirm.ts';
import { leftToShip } from './left.ts';
import { lockOrders, orderKey } from './orders.ts';
import { packagesMoved } from './packages.ts';
import { readBackLater } from './read-back.ts';
import { SHIPMENT, whyNotShip } from './ship.ts';
import { SOLICITATION } from './solicit.ts';

/** What became of a confirmation becomes what became of the package; one that was taken is looked for on its order. */
async function followShipment(ctx: Ctx, writeId: string, state: string, problem: string | null): Promise<void> {
  const { rows } = await sql<{ account_id: string; state: string }>`
    UPDATE "order".shipment AS s
       SET state = CASE WHEN ${state} IN ('done', 'unknown') AND ${SHOWN} THEN 'confirmed'
                        WHEN ${state} = 'done' THEN 'accepted' ELSE ${state} END,
           problem = ${problem},
           accepted_at = CASE WHEN ${state} = 'done' THEN kit.now() END,
           confirmed_at = CASE WHEN ${state} IN ('done', 'unknown') AND ${SHOWN} THEN kit.now() END
      FROM "order".amazon_order o
     WHERE s.company_id = ${ctx.companyId} AND s.write_id = ${writeId} AND s.state = 'queued'
       AND o.company_id = s.company_id AND o.selling_partner_id = s.selling_partner_id
       AND o.amazon_order_id = s.amazon_order_id
    RETURNING s.account_id, s.state`.execute(ctx.db);
  for (const row of rows) {
    if (row.state === 'accepted') await readBackLater(ctx, row.account_id);
    await emit(ctx, packagesMoved, { accountId: row.account_id });
  }
}

async function followSolicitation(ctx: Ctx, writeId: string, state: string, problem: string | null): Promise<void> {
  await ctx.db
    .updateTable('order.solicitation')
    .set({ state, problem, finished_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('write_id', '=', writeId)
    .where('state', '=', 'queued')
    .execute();
}

export const onWriteEnded = on(writeEnded, async (ctx, { writeId, kind, state, problem }) => {
  if (kind === SHIPMENT) await followShipment(ctx, writeId, state, problem);
  else if (kind === SOLICITATION) await followSolicitation(ctx, writeId, state, problem);
});

/** A package goes out once more only if the order still lacks what it holds. */
async function shipAgain(ctx: Ctx, writeId: string): Promise<void> {
  const known = await ctx.db
    .selectFrom('order.shipment')
    .select(['id', 'selling_partner_id', 'amazon_order_id', 'account_id', 'items', 'state'])
    .where('company_id', '=', ctx.companyId)
    .where('write_id', '=', writeId)
    .executeTakeFirst();
  if (!known) throw conflict('订单已不存在，不能重试');
  const [order] = (await lockOrders(ctx, [orderKey(known)])).values();
  const why = order && whyNotShip(order);
  if (!order || why) throw conflict(`不能重试：${why ?? '订单已不存在'}`);
  // One of which nobody knows still counts as sent: what it holds is its own.
  const left = known.state === 'unknown' ? undefined : (await leftToShip(ctx, [order])).get(orderKey(order));
  const items = known.items as { orderItemId: string; quantity: number }[];
  const isGone = left && items.some(({ orderItemId, quantity }) => quantity > (left.lines.get(orderItemId)?.left ?? 0));
  if (isGone) throw conflict('不能重试：商品已由其他包裹发货');
  await ctx.db
    .updateTable('order.shipment')
    .set({ state: 'queued', problem: null, accepted_at: null })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', known.id)
    .execute();
  await emit(ctx, packagesMoved, { accountId: known.account_id });
}

export const onWriteRetried = on(writeRetried, async (ctx, { writeId, kind }) => {
  if (kind === SHIPMENT) await shipAgain(ctx, writeId);
  if (kind !== SOLICITATION) return;
  const row = await ctx.db
    .updateTable('order.solicitation')
    .set({ state: 'queued', problem: null, finished_at: null })
    .where('company_id', '=', ctx.companyId)
    .where('write_id', '=', writeId)
    .where('state', 'in', ['refused', 'unknown'])
    .returning('write_id')
    .executeTakeFirst();
  if (!row) throw conflict('该订单已重新请求过评价');
});
