import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { actOnOrder } from '#modules/purchase/server/index.ts';
import { type Dealt, deal, putLines, type TradeLine } from './lines.ts';
import type { RemoteOrder } from './port.ts';
import { followPrice } from './price.ts';
import { isClosed, statusOf } from './status.ts';

interface CallRow {
  id: string;
  orderId: string;
  platformId: string | null;
  status: string;
  plan: TradeLine[];
  planAmount: string;
}

/** The orders of one call as they are known, locked: the first was written before it was sent. */
async function callOf(ctx: Ctx, outOrderId: string): Promise<CallRow[]> {
  const { rows } = await sql<CallRow>`
    SELECT id, order_id AS "orderId", platform_id AS "platformId", status, plan, plan_amount AS "planAmount"
      FROM alibaba.trade WHERE company_id = ${ctx.companyId} AND out_order_id = ${outOrderId} ORDER BY id FOR UPDATE`.execute(
    ctx.db,
  );
  return rows;
}

/** A row for one more order of a call: the platform made several of it. */
async function another(ctx: Ctx, of: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO alibaba.trade (company_id, buyer_id, order_id, order_number, supplier_id, warehouse_id, out_order_id, status,
                               address_id, order_amount, expected, placed_by_name, plan, plan_amount, platform_id)
    SELECT company_id, buyer_id, order_id, order_number, supplier_id, warehouse_id, out_order_id, 'waitbuyerpay', address_id,
           0, 0, placed_by_name, plan, plan_amount, 'new' FROM alibaba.trade
     WHERE company_id = ${ctx.companyId} AND id = ${of} RETURNING id`.execute(ctx.db);
  return rows[0]?.id ?? '';
}

async function write(ctx: Ctx, id: string, order: RemoteOrder, { lines, orderAmount }: Dealt, problem: string) {
  await sql`
    UPDATE alibaba.trade
       SET platform_id = ${order.id}, status = ${statusOf(order.status)}, problem = ${problem}, seller = ${order.seller},
           order_amount = ${orderAmount}::numeric, expected = ${order.total}::numeric, total = ${order.total}::numeric,
           freight = ${order.freight}::numeric, refund = ${order.refund}::numeric
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await putLines(ctx, id, lines);
}

const TURNED_UP = '曾认为未下单，后来在1688查到，请核对是否重复下单';

/** Of each order what it holds of the call; a closed one holds what it held, and takes nothing from the others. */
function dealtOf(plan: readonly TradeLine[], amount: string, orders: readonly RemoteOrder[]): Map<string, Dealt> {
  const live = orders.filter((order) => !isClosed(order.status));
  const dealt = deal(plan, amount, live).map((each, n) => [live[n]?.id ?? '', each] as const);
  const closed = orders.filter((order) => isClosed(order.status));
  return new Map([...dealt, ...closed.map((order) => [order.id, deal(plan, amount, [order])[0] as Dealt] as const)]);
}

/**
 * Notes all orders that the platform made of a call, each with its lines and its share of the purchase order's amount;
 * orders known before get theirs anew. @returns the purchase order, nothing where the call is not ours
 */
async function note(ctx: Ctx, outOrderId: string, orders: readonly RemoteOrder[], problem: string) {
  ctx.audited = true;
  const rows = await callOf(ctx, outOrderId);
  const [first] = rows;
  if (!first || orders.length === 0) return undefined;
  const free = rows.filter((row) => row.platformId === null);
  const dealt = dealtOf(first.plan, first.planAmount, orders);
  for (const order of [...orders].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const known = rows.find((row) => row.platformId === order.id) ?? free.shift();
    const said = known?.status === 'failed' ? TURNED_UP : problem;
    const share = dealt.get(order.id) ?? { lines: [], orderAmount: '0' };
    await write(ctx, known?.id ?? (await another(ctx, first.id)), order, share, said);
  }
  return first.orderId;
}

/**
 * The platform has the orders of a call: they are noted, and the purchase order is placed with them, all or nothing.
 * Where the latter is refused the orders at the platform are noted all the same, with what hindered it.
 */
export async function arrived(runtime: Runtime, companyId: string, outOrderId: string, orders: readonly RemoteOrder[]) {
  const system = systemPrincipal(companyId, '1688下单');
  const orderId = await inTenant(runtime, system, async (ctx) => {
    const order = await note(ctx, outOrderId, orders, '');
    if (order) await actOnOrder(ctx, 'place', { id: order });
    return order;
  }).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const problem = `采购单未自动下单：${error.message}`.slice(0, 300);
    return inTenant(runtime, system, (ctx) => note(ctx, outOrderId, orders, problem));
  });
  if (orderId) await followPrice(runtime, companyId, orderId);
}

/** Nothing was ordered, and why. */
export async function gaveUp(runtime: Runtime, companyId: string, tradeId: string, problem: string): Promise<void> {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    ctx.audited = true;
    await ctx.db
      .updateTable('alibaba.trade')
      .set({ status: 'failed', problem: problem.slice(0, 300) })
      .where('company_id', '=', companyId)
      .where('id', '=', tradeId)
      .where('status', '=', 'sending')
      .execute();
  });
}
