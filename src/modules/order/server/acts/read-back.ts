import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  ApiRefused,
  AuthLost,
  accountOf,
  ComeBackLater,
  createSpApi,
  remindOfWrite,
} from '#modules/marketplace/server/index.ts';
import { type ApiOrder, withoutPeople } from '../sources/api-order.ts';
import { INCLUDED, landApiOrders } from '../sources/live.ts';

/** Pauses before an order is read again whose package was accepted, minutes; searches of changed orders go on beside it. */
const READ_BACK_MIN = [0, 2, 5, 10, 20, 30];
/** The first pause between two tries of a call is 2 s where nothing else is set: minutes shrink with it in tests. */
const USUAL_BASE_MS = 2_000;
const MOST_AT_ONCE = 30;

export interface OrderAnswer {
  order: ApiOrder;
}

/** Path of an order of Orders 2026-01-01. */
export function orderPath(orderId: string): string {
  return `/orders/2026-01-01/orders/${encodeURIComponent(orderId)}`;
}

interface ReadBack {
  companyId: string;
  accountId: string;
  round: number;
}

/** Has the orders of an account read again whose packages were accepted and do not show yet. */
export async function readBackLater(ctx: Ctx, accountId: string, round = 0): Promise<void> {
  const shrink = Math.min(1, ctx.runtime.config.retryBaseMs / USUAL_BASE_MS);
  const runAt = new Date(ctx.runtime.clock.ms() + (READ_BACK_MIN[round] ?? 0) * 60_000 * shrink);
  const payload: ReadBack = { companyId: ctx.companyId, accountId, round };
  await enqueue(ctx, 'order.readBack', payload, { key: `orderBack:${accountId}`, runAt });
}

/** Orders with packages that the marketplace took and does not show, the longest waiting first. */
async function waiting(ctx: Ctx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT amazon_order_id AS id FROM "order".shipment
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND state = 'accepted'
     GROUP BY 1 ORDER BY min(accepted_at) LIMIT ${MOST_AT_ONCE}`.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/**
 * Reads orders one by one until the marketplace itself shows their packages, for about an hour. What does not show by then
 * says so; searches of changed orders confirm it all the same once it does.
 */
export const readBackJob = job<ReadBack>('order.readBack', async (runtime, { companyId, accountId, round }) => {
  const found = await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const account = await accountOf(ctx.db, companyId, accountId);
    return account && { account, ids: await waiting(ctx, accountId) };
  });
  if (!found || found.ids.length === 0) return;
  const { account, ids } = found;
  const api = createSpApi(runtime, account, { calls: 0, throttled: 0 });
  const orders: ApiOrder[] = [];
  try {
    for (const id of ids) {
      const { body } = await api.call<OrderAnswer>({
        operation: 'getOrder',
        method: 'GET',
        path: orderPath(id),
        query: { includedData: INCLUDED },
      });
      orders.push(withoutPeople(body.order));
    }
  } catch (error) {
    // What was read counts; the next round or the next search reads the rest.
    if (!(error instanceof ApiRefused || error instanceof AuthLost || error instanceof ComeBackLater)) throw error;
  }
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    if (orders.length > 0) await landApiOrders(ctx, account, orders);
    const left = await waiting(ctx, accountId);
    if (left.length === 0) return;
    if (round + 1 < READ_BACK_MIN.length) return readBackLater(ctx, accountId, round + 1);
    const problem = '亚马逊已受理，但订单仍未显示这个包裹，请在卖家后台核实';
    const late = await ctx.db
      .updateTable('order.shipment')
      .set({ problem })
      .where('company_id', '=', companyId)
      .where('amazon_order_id', 'in', left)
      .where('account_id', '=', accountId)
      .where('state', '=', 'accepted')
      .returning('write_id')
      .execute();
    for (const { write_id } of late) await remindOfWrite(ctx, write_id, problem);
  });
});
