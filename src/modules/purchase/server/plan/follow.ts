import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** How many pieces of each product an order holds, gifts left out. */
export interface Holds {
  order: string;
  pieces: ReadonlyMap<string, number>;
}

interface Need {
  id: string;
  product: string;
  qty: number;
}

/** Pieces of a need that an order stands for. */
export interface Share {
  need: string;
  order: string;
  qty: number;
}

/**
 * Whose each need is after an order was split: the first order keeps what its pieces reach for, then the next. A need for
 * more than all of them hold stays with the last that holds the product. Shares of a need add up to it.
 */
export function sharesOf(needs: readonly Need[], orders: readonly Holds[]): Share[] {
  const room = orders.map(({ order, pieces }) => ({ order, left: new Map(pieces) }));
  return needs.flatMap((need) => {
    let rest = need.qty;
    const shares: Share[] = [];
    const give = (order: string, qty: number) => {
      const before = shares.find((one) => one.order === order);
      if (before) before.qty += qty;
      else shares.push({ need: need.id, order, qty });
      rest -= qty;
    };
    for (const { order, left } of room) {
      const taken = Math.min(rest, left.get(need.product) ?? 0);
      if (taken === 0) continue;
      left.set(need.product, (left.get(need.product) ?? 0) - taken);
      give(order, taken);
    }
    const last = orders.filter(({ pieces }) => (pieces.get(need.product) ?? 0) > 0).at(-1) ?? orders[0];
    if (rest > 0 && last) give(last.order, rest);
    return shares;
  });
}

/**
 * Needs follow the pieces that were ordered for them: those of the first order, which was split, go with their products, in
 * parts where the pieces went in parts, so that voiding one of the orders opens no more of the plan than what it held.
 */
export async function splitPlan(ctx: Ctx, orders: readonly Holds[]): Promise<void> {
  const [source] = orders;
  if (!source) return;
  const { rows: needs } = await sql<Need>`
    SELECT id, product_id AS product, qty FROM purchase.plan_line
     WHERE company_id = ${ctx.companyId} AND order_id = ${source.order} ORDER BY id FOR UPDATE`.execute(ctx.db);
  const shares = sharesOf(needs, orders).map((share, index, all) => ({
    ...share,
    first: all.findIndex((one) => one.need === share.need) === index,
  }));
  const given = JSON.stringify(shares);
  // The rest of a need is written before its row becomes the first share.
  await sql`
    INSERT INTO purchase.plan_line (company_id, product_id, warehouse_id, supplier_id, qty, need_by, remark, state, batch,
                                    requisition_id, order_id, created_by_name, created_at)
    SELECT p.company_id, p.product_id, p.warehouse_id, p.supplier_id, v.qty, p.need_by, p.remark, p.state, p.batch,
           p.requisition_id, v."order", p.created_by_name, p.created_at
      FROM jsonb_to_recordset(${given}::jsonb) AS v(need uuid, "order" uuid, qty int, "first" boolean)
      JOIN purchase.plan_line AS p ON p.company_id = ${ctx.companyId} AND p.id = v.need
     WHERE NOT v."first"`.execute(ctx.db);
  await sql`
    UPDATE purchase.plan_line AS p SET order_id = v."order", qty = v.qty, version = p.version + 1
      FROM jsonb_to_recordset(${given}::jsonb) AS v(need uuid, "order" uuid, qty int, "first" boolean)
     WHERE p.company_id = ${ctx.companyId} AND p.id = v.need AND v."first"`.execute(ctx.db);
  const moved = [...source.pieces].flatMap(([product, kept]) => {
    const into = orders.find((one) => (one.pieces.get(product) ?? 0) > 0);
    return kept === 0 && into ? [{ product, into: into.order }] : [];
  });
  await sql`
    UPDATE purchase.requisition_line AS r SET order_id = v."into"
      FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS v(product uuid, "into" uuid)
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${source.order} AND r.product_id = v.product`.execute(
    ctx.db,
  );
}

/** Needs of orders that were merged belong to the order that holds their pieces now. */
export async function mergePlan(ctx: Ctx, gone: readonly string[], into: string): Promise<void> {
  const ids = [...gone];
  await sql`
    UPDATE purchase.plan_line SET order_id = ${into}, version = version + 1
     WHERE company_id = ${ctx.companyId} AND order_id = ANY (${ids}::uuid[])`.execute(ctx.db);
  await sql`
    UPDATE purchase.requisition_line SET order_id = ${into}
     WHERE company_id = ${ctx.companyId} AND order_id = ANY (${ids}::uuid[])`.execute(ctx.db);
}
