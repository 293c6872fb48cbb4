import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { SUBMIT } from '../../contract/fields.ts';
import type { PlannedOrder } from '../../contract/plan.ts';
import { requisition } from '../../contract/requisition.ts';
import { isAbroad } from '../order/choices.ts';
import { requireOversea } from '../order/oversea.ts';
import { actRequisition } from '../requisition/act.ts';
import { plannedOrders } from './preview.ts';

interface Input {
  ids?: readonly string[] | undefined;
  rounded: boolean;
  review: boolean;
}

/** Whoever hands a plan in must be allowed what comes of it: later it is a flow that makes the orders. */
async function requireRights(ctx: Ctx, planned: readonly PlannedOrder[], review: boolean): Promise<void> {
  if (review && !can(ctx, SUBMIT)) throw forbidden(SUBMIT);
  const places = await warehouses(ctx);
  const abroad = planned.some((one) => {
    const place = places.get(one.warehouseId);
    return one.way === 'BUY' && (one.currency !== 'CNY' || (place !== undefined && isAbroad(place)));
  });
  if (abroad) requireOversea(ctx);
}

async function written(ctx: Ctx, planned: readonly PlannedOrder[], review: boolean) {
  const number = await nextNumber(ctx, requisition.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('purchase.requisition')
    .values({
      company_id: ctx.companyId,
      number,
      state: requisition.initial,
      review,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, requisition.name, id, { kind: 'note', title: '创建', to: requisition.initial });
  const lines = planned.flatMap(({ way, supplierId, warehouseId, lines }) =>
    lines.map((line) => ({ ...line, way, supplierId, warehouseId })),
  );
  await sql`
    INSERT INTO purchase.requisition_line (company_id, requisition_id, line_no, way, plan_line_id, product_id, warehouse_id,
      supplier_id, qty, unit_price, amount, currency, need_by, used_for)
    SELECT ${ctx.companyId}, ${id}, r.n, r.way, r."planLineId", r."productId", r."warehouseId", r."supplierId", r.qty,
           r."unitPrice", r.amount, r.currency, r."needBy", r."usedFor"
      FROM jsonb_to_recordset(${JSON.stringify(lines.map((line, index) => ({ n: index + 1, ...line })))}::jsonb)
        AS r(n int, way text, "planLineId" uuid, "productId" uuid, "warehouseId" uuid, "supplierId" uuid, qty int,
          "unitPrice" numeric, amount numeric, currency text, "needBy" date, "usedFor" text)`.execute(ctx.db);
  await sql`
    UPDATE purchase.plan_line SET state = 'submitted', requisition_id = ${id}, batch = ${number}, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ANY (${lines.flatMap((line) => line.planLineId ?? [])}::uuid[])`.execute(
    ctx.db,
  );
  return { id, number };
}

/** Orders and process orders that came of a plan, in the order of its lines. */
async function madeOf(ctx: Ctx, id: string) {
  const { rows } = await sql<{ way: string; id: string; number: string }>`
    SELECT l.way, coalesce(o.id, w.id) AS id, coalesce(o.number, w.number) AS number
      FROM purchase.requisition_line AS l
      LEFT JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
      LEFT JOIN purchase.process_order AS w ON w.company_id = l.company_id AND w.id = l.process_id
     WHERE l.company_id = ${ctx.companyId} AND l.requisition_id = ${id} AND num_nonnulls(o.id, w.id) = 1
     GROUP BY 1, 2, 3 ORDER BY min(l.line_no)`.execute(ctx.db);
  const of = (way: string) => rows.filter((row) => row.way === way).map(({ id, number }) => ({ id, number }));
  return { orders: of('BUY'), processes: of('MAKE') };
}

/**
 * Hands needs in as one plan, at the prices of now. Without a flow for plans its orders are made at once: one for each
 * supplier and warehouse, and a process order for each bundle, all of them or none; `review` hands these in as well.
 * @throws refused B1050 where nothing is open, B1051 where something has no supplier or no price, B1003 overseas right
 */
export async function submitPlan(ctx: Ctx, input: Input) {
  const planned = await plannedOrders(ctx, input, true);
  if (planned.length === 0) throw refused('没有待采购的规划', 'B1050');
  const stuck = planned.find((one) => one.blocked !== undefined);
  if (stuck) throw refused(`${stuck.supplier}：${stuck.blocked}`, 'B1051');
  await requireRights(ctx, planned, input.review);
  const { id, number } = await written(ctx, planned, input.review);
  const { state } = await actRequisition(ctx, 'submit', { id });
  return { id, batch: number, state, ...(await madeOf(ctx, id)) };
}
