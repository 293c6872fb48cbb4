import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { OrderInput } from '../../contract/order.ts';
import type { PlannedLine, PlannedOrder } from '../../contract/plan.ts';
import { companyDay } from '../day.ts';
import { act } from '../order/act.ts';
import { saveOrder } from '../order/save.ts';
import { plannedOrders } from './preview.ts';

interface Input {
  ids?: readonly string[] | undefined;
  rounded: boolean;
  review: boolean;
}

/** Goods and consumables do not share an order. */
async function byType(ctx: Ctx, planned: PlannedOrder): Promise<Map<'GOODS' | 'CONSUMABLE', PlannedLine[]>> {
  const products = await localProducts(
    ctx,
    planned.lines.map((line) => line.productId),
  );
  const types = new Map<'GOODS' | 'CONSUMABLE', PlannedLine[]>();
  for (const line of planned.lines) {
    const type = products.get(line.productId)?.kind === 'goods' ? 'GOODS' : 'CONSUMABLE';
    types.set(type, [...(types.get(type) ?? []), line]);
  }
  return types;
}

async function makeOrder(ctx: Ctx, planned: PlannedOrder, type: string, lines: PlannedLine[], batch: string) {
  const input = OrderInput.parse({
    type,
    supplierId: planned.supplierId,
    warehouseId: planned.warehouseId,
    currency: planned.currency,
    expectedOn: lines.flatMap((line) => line.needBy ?? []).sort()[0] ?? null,
    remark: `采购规划 ${batch}`,
    lines: lines.map((line) => ({
      productId: line.productId,
      qty: line.qty,
      unitPrice: line.unitPrice,
      expectedOn: line.needBy,
    })),
  });
  const order = await saveOrder(ctx, input);
  await sql`
    UPDATE purchase.plan_line SET state = 'converted', order_id = ${order.id}, batch = ${batch}, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ANY (${lines.map((line) => line.id)}::uuid[])`.execute(ctx.db);
  return { id: order.id, number: order.number };
}

/**
 * Makes orders of the plan: one for each supplier and warehouse, all of them or none; `review` submits them at once.
 * @throws refused B1050 where nothing is open, B1051 where something has no supplier or no price
 */
export async function submitPlan(ctx: Ctx, input: Input) {
  const planned = await plannedOrders(ctx, input, true);
  if (planned.length === 0) throw refused('没有待采购的规划', 'B1050');
  const stuck = planned.find((one) => one.blocked !== undefined);
  if (stuck) throw refused(`${stuck.supplier}：${stuck.blocked}`, 'B1051');
  const batch = await nextNumber(ctx, 'GH{yyMMdd}{seq:3}', companyDay());
  const orders: { id: string; number: string }[] = [];
  for (const one of planned) {
    for (const [type, lines] of await byType(ctx, one)) orders.push(await makeOrder(ctx, one, type, lines, batch));
  }
  if (input.review) for (const order of orders) await act(ctx, 'submit', { id: order.id });
  await audit(ctx, { action: '采购规划转采购单', resource: 'purchase.plan', after: { batch, orders } });
  return { batch, orders };
}
