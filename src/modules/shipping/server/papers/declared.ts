import { sql } from 'kysely';
import { Decimal, round } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { exportColumns, exportStream, MEDIA_TYPES } from '#kit/server/list/export.ts';
import { declaredOf } from '#modules/product/server/index.ts';
import { DeclaredLine } from '../../contract/papers/papers.ts';
import { homesOf } from '../box/homes.ts';
import { loaded } from '../order/load.ts';
import { piecesOf } from './goods.ts';

/** The company's day on which an order left; null before. */
async function shippedOn(ctx: Ctx, id: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT (shipped_at AT TIME ZONE ${ctx.clock.zone})::date AS day FROM shipping.ship_order
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** The day whose costs and rates a declared value is held against: that of the shipment, today before it left. */
export async function valueDay(ctx: Ctx, id: string): Promise<string> {
  return (await shippedOn(ctx, id)) ?? ctx.clock.today();
}

/** What is declared for the lines of an order. @throws notFound */
async function linesOf(ctx: Ctx, id: string): Promise<DeclaredLine[]> {
  const order = await loaded(ctx, id);
  const day = await shippedOn(ctx, id);
  const { shipmentNo } = (await homesOf(ctx, order)).all;
  const mskus = order.lines.map((line) => line.msku);
  const declared = await declaredOf(ctx, order.account, order.marketplaceId, mskus, day ?? ctx.clock.today());
  return order.lines.map((line) => {
    const known = declared.get(line.msku);
    const qty = piecesOf(order.state, line);
    const each = known?.declared ?? null;
    return {
      shipmentNo: shipmentNo || order.number,
      msku: line.msku,
      qty,
      price: known?.price ?? null,
      rate: known?.rate ?? null,
      declared: each === null ? null : round(each, 2),
      amount: each === null ? null : round(new Decimal(each).times(qty), 2),
      shippedOn: day,
      note: known?.low ? '待审批' : known?.legalBasis ? `已审批：${known.legalBasis}` : '',
      currency: known?.currency ?? null,
    };
  });
}

/** Orders with what is declared for their lines, as a file. @throws notFound */
export async function declaredLinesFile(ctx: Ctx, ids: readonly string[], format: 'xlsx' | 'csv'): Promise<FileReply> {
  const rows: DeclaredLine[] = [];
  for (const id of new Set(ids)) rows.push(...(await linesOf(ctx, id)));
  await audit(ctx, {
    action: '导出发货单海关报价',
    resource: 'product.declared',
    after: { orders: ids, lines: rows.length },
  });
  const columns = exportColumns(ctx, DeclaredLine, undefined);
  const all = (async function* () {
    yield* rows;
  })();
  return new FileReply(
    `海关报价.${format}`,
    MEDIA_TYPES[format],
    exportStream(all, { format, sheet: '海关报价', columns }),
  );
}
