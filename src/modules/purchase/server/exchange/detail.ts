import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import {
  type ExchangeArrivalRow,
  type ExchangeLineRow,
  type ExchangeRow,
  purchaseExchange,
} from '../../contract/exchange.ts';
import { exchangeRow } from './list.ts';

const UNKNOWN = { name: '—', code: '—' };
type Of<R> = Omit<R, 'product'> & { productId: string };

async function withProducts<R extends { productId: string }>(ctx: Ctx, rows: readonly R[]) {
  const products = await localProducts(
    ctx,
    rows.map((row) => row.productId),
  );
  return rows.map(({ productId, ...row }) => ({ ...row, product: products.get(productId)?.cell ?? UNKNOWN }));
}

async function linesOf(ctx: Ctx, exchange: ExchangeRow): Promise<ExchangeLineRow[]> {
  const { rows } = await sql<Omit<Of<ExchangeLineRow>, 'currency'>>`
    SELECT id, product_id AS "productId", qty, received, ended,
           CASE WHEN ${exchange.state} = 'receiving' THEN qty - received - ended ELSE 0 END AS "openQty", cost,
           cost_back AS "costBack", credit
      FROM purchase.exchange_line
     WHERE company_id = ${ctx.companyId} AND exchange_id = ${exchange.id} ORDER BY line_no`.execute(ctx.db);
  const lines = await withProducts(ctx, rows);
  return lines.map((line) => ({ ...line, currency: exchange.currency }));
}

async function arrivalsOf(ctx: Ctx, id: string): Promise<ExchangeArrivalRow[]> {
  const { rows } = await sql<Of<ExchangeArrivalRow>>`
    SELECT a.id, l.product_id AS "productId", a.qty, a.cost, a.tracking_no AS "trackingNo", a.by_name AS by, a.at
      FROM purchase.exchange_line AS l
      JOIN purchase.exchange_arrival AS a ON a.company_id = l.company_id AND a.exchange_line_id = l.id
     WHERE l.company_id = ${ctx.companyId} AND l.exchange_id = ${id} ORDER BY a.id DESC`.execute(ctx.db);
  return withProducts(ctx, rows);
}

/** The exchange as it is now. @throws notFound for one out of reach */
export async function exchangeOf(ctx: Ctx, id: string): Promise<ExchangeRow> {
  const exchange = await exchangeRow(ctx, id);
  if (!exchange) throw notFound();
  return exchange;
}

/** Everything that the page of an exchange shows. @throws notFound */
export async function exchangeDetail(ctx: Ctx, id: string) {
  const exchange = await exchangeOf(ctx, id);
  const codes = Object.values(purchaseExchange.transitions).map((rule) => rule.permission);
  return {
    exchange,
    lines: await linesOf(ctx, exchange),
    arrivals: await arrivalsOf(ctx, id),
    actions: actionsOf(purchaseExchange, exchange.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, purchaseExchange.name, id),
  };
}
