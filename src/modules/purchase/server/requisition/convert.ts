import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { type LocalProduct, localProducts, partPieces, partsOfAll } from '#modules/product/server/index.ts';
import { OrderInput } from '../../contract/order.ts';
import { ProcessInput } from '../../contract/process.ts';
import { act } from '../order/act.ts';
import { saveOrder } from '../order/save.ts';
import { actProcess } from '../process/act.ts';
import { saveProcess } from '../process/save.ts';
import type { Requisition, RequisitionLine } from './load.ts';

interface Made {
  id: string;
  number: string;
}

const earliest = (lines: readonly RequisitionLine[]) => lines.flatMap((line) => line.needBy ?? []).sort()[0] ?? null;

/** Lines that share an order: of one supplier, warehouse and currency; goods and consumables stay apart. */
function ordersOf(lines: readonly RequisitionLine[], products: ReadonlyMap<string, LocalProduct>) {
  const groups = new Map<string, { type: 'GOODS' | 'CONSUMABLE'; lines: RequisitionLine[] }>();
  for (const line of lines) {
    const type = products.get(line.product)?.kind === 'goods' ? 'GOODS' : 'CONSUMABLE';
    const key = `${line.supplier} ${line.warehouse} ${line.currency} ${type}`;
    groups.set(key, { type, lines: [...(groups.get(key)?.lines ?? []), line] });
  }
  return [...groups.values()];
}

/** Says of lines, and of the needs behind them, what came of them. */
async function settle(
  ctx: Ctx,
  plan: Requisition,
  lines: readonly RequisitionLine[],
  into: { order?: string; process?: string },
) {
  const ids = lines.map((line) => line.id);
  const needs = lines.flatMap((line) => line.planLine ?? []);
  const [order, process] = [into.order ?? null, into.process ?? null];
  await sql`
    UPDATE purchase.requisition_line SET order_id = ${order}, process_id = ${process}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])`.execute(ctx.db);
  await sql`
    UPDATE purchase.plan_line SET state = 'converted', order_id = ${order}, process_id = ${process}, batch = ${plan.number},
           version = version + 1
     WHERE company_id = ${ctx.companyId} AND requisition_id = ${plan.id} AND id = ANY (${needs}::uuid[])`.execute(
    ctx.db,
  );
}

async function buy(ctx: Ctx, plan: Requisition, type: string, lines: readonly RequisitionLine[]): Promise<Made> {
  const [first] = lines;
  const input = OrderInput.parse({
    type,
    supplierId: first?.supplier,
    warehouseId: first?.warehouse,
    currency: first?.currency,
    expectedOn: earliest(lines),
    remark: `采购计划 ${plan.number}`,
    lines: lines.map((line) => ({
      productId: line.product,
      qty: line.qty,
      unitPrice: line.unitPrice,
      expectedOn: line.needBy,
    })),
  });
  const { id, number } = await saveOrder(ctx, input);
  await settle(ctx, plan, lines, { order: id });
  return { id, number };
}

async function make(ctx: Ctx, plan: Requisition, line: RequisitionLine, parts: ProcessInput['parts']): Promise<Made> {
  const input = ProcessInput.parse({
    productId: line.product,
    qty: line.qty,
    warehouseId: line.warehouse,
    plannedOn: line.needBy,
    remark: `采购计划 ${plan.number}`,
    parts,
  });
  const { id, number } = await saveProcess(ctx, input);
  await settle(ctx, plan, [line], { process: id });
  return { id, number };
}

/**
 * Makes the orders and process orders of an approved plan in the name of whoever handed it in, at the prices that were
 * approved, and hands them in where he asked for that. All of them or none.
 * @throws refused B1001 for a supplier who may no longer be ordered from, B1053 for a bundle that has no parts any more
 */
export async function convert(ctx: Ctx, plan: Requisition): Promise<{ orders: Made[]; processes: Made[] }> {
  // A context of its own: what these orders are approved by is a matter of their flows, not of the plan's.
  const maker: Ctx = { ...ctx, userId: plan.createdBy, userName: plan.createdByName };
  const products = await localProducts(
    ctx,
    plan.lines.map((line) => line.product),
  );
  const orders: Made[] = [];
  for (const { type, lines } of ordersOf(
    plan.lines.filter((line) => line.way === 'BUY'),
    products,
  )) {
    orders.push(await buy(maker, plan, type, lines));
  }
  const bundles = plan.lines.filter((line) => line.way === 'MAKE');
  const lists = await partsOfAll(
    ctx,
    bundles.map((line) => line.product),
  );
  const processes: Made[] = [];
  for (const line of bundles) {
    const parts = lists.get(line.product);
    if (!parts) throw refused(`SKU【${products.get(line.product)?.sku ?? ''}】已没有组合关系，请退回规划`, 'B1053');
    processes.push(
      await make(
        maker,
        plan,
        line,
        parts.map((part) => ({ productId: part.componentId, qty: partPieces(part, line.qty) })),
      ),
    );
  }
  if (plan.review) {
    for (const { id } of orders) await act(maker, 'submit', { id });
    for (const { id } of processes) await actProcess(maker, 'submit', { id });
  }
  return { orders, processes };
}
