import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { SearchProvider } from '#modules/system/server/index.ts';
import { OrderStage, purchaseOrder } from '../contract/order.ts';

/** Orders that are not over and hold a product: they stand against taking it out of use. */
export async function ordersUsing(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await unscoped(ctx, () =>
    sql<{ product: string; words: string[] }>`
      SELECT l.product_id AS product, array_agg(DISTINCT '采购单 ' || o.number) AS words
        FROM purchase.order_line AS l
        JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
       WHERE l.company_id = ${ctx.companyId} AND l.product_id = ANY (${[...ids]}::uuid[]) AND o.state NOT IN ('closed', 'void')
       GROUP BY 1`.execute(ctx.db),
  );
  return new Map(rows.map((row) => [row.product, row.words]));
}

/** Sorts behind every character that a number may hold. */
const LAST = '\u{10ffff}';

/** Orders by the beginning of their number. */
export const orderSearch: SearchProvider = {
  title: '采购单',
  icon: 'document',
  permission: 'erp:purchase:order:view',
  async search(ctx, text, limit) {
    const start = text.trim().toUpperCase();
    const { rows } = await sql<{ id: string; number: string; stage: OrderStage; supplier: string; day: string }>`
      SELECT o.id, o.number, o.stage, s.short_name AS supplier, kit.day(o.created_at) AS day
        FROM purchase.purchase_order AS o
        JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
       WHERE o.company_id = ${ctx.companyId} AND o.number >= ${start} AND o.number < ${start + LAST}
       ORDER BY o.number DESC LIMIT ${limit}`.execute(ctx.db);
    return rows.map((row) => ({
      title: row.number,
      subtitle: row.supplier,
      image: null,
      tag: OrderStage.meta()?.states?.[row.stage] ?? { title: row.stage, tone: 'off' as const },
      facts: [
        { label: '供应商', value: row.supplier },
        { label: '日期', value: row.day },
      ],
      path: purchaseOrder.detail,
      query: { id: row.id },
      tabTitle: row.number,
    }));
  },
};
