import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { availableOf } from '#modules/warehouse/server/index.ts';
import { type ProcessOutputRow, type ProcessPartRow, processOrder } from '../../contract/process.ts';
import { inWork } from './events.ts';
import { processRow } from './list.ts';
import { loadedProcess, type Process } from './load.ts';
import { feePayments } from './request.ts';

const UNKNOWN = { name: '—', code: '—' };
/** States in which the parts are not held yet: what is short can still be seen. */
const BEFORE_HELD = ['draft', 'pending'];

async function usedPieces(ctx: Ctx, orderId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ product: string; used: number }>`
    SELECT c.product, -sum(c.qty)::int AS used
      FROM purchase.process_event AS e, jsonb_to_recordset(e.cells) AS c(product uuid, qty int)
     WHERE e.company_id = ${ctx.companyId} AND e.order_id = ${orderId} AND e.event IN ('output', 'reverse')
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.product, row.used]));
}

async function partRows(ctx: Ctx, order: Process): Promise<ProcessPartRow[]> {
  const ids = order.parts.map((part) => part.product);
  const products = await localProducts(ctx, ids);
  const stock = await availableOf(ctx, order.warehouse, ids);
  const used = await usedPieces(ctx, order.id);
  const work = await inWork(ctx, order.id);
  return order.parts.map((part) => {
    const available = stock.get(part.product)?.available ?? 0;
    return {
      id: part.id,
      productId: part.product,
      product: products.get(part.product)?.cell ?? UNKNOWN,
      qty: part.qty,
      used: used.get(part.product) ?? 0,
      inWork: work.filter((cell) => cell.product === part.product).reduce((total, cell) => total + cell.qty, 0),
      available,
      short: BEFORE_HELD.includes(order.state) ? Math.max(0, part.qty - available) : 0,
    };
  });
}

function outputRows(ctx: Ctx, orderId: string): Promise<ProcessOutputRow[]> {
  return ctx.db
    .selectFrom('purchase.process_output')
    .select(['id', 'seq', 'qty', 'scrapped', 'fee', 'cost', 'day', 'by_name as by', 'remark', 'reversed'])
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', orderId)
    .orderBy('seq', 'desc')
    .execute();
}

/** Everything that the page of a process order shows. Amounts in CNY. @throws notFound */
export async function processDetail(ctx: Ctx, id: string) {
  const order = await loadedProcess(ctx, id);
  const row = await processRow(ctx, id);
  if (!row) throw notFound();
  const codes = Object.values(processOrder.transitions).map((rule) => rule.permission);
  return {
    order: row,
    parts: await partRows(ctx, order),
    outputs: await outputRows(ctx, id),
    ...(await feePayments(ctx, id)),
    actions: actionsOf(processOrder, order.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, processOrder.name, id),
  };
}
