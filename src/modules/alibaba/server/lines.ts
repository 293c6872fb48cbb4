import { sql } from 'kysely';
import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { TradeStatus } from '../contract/index.ts';
import { keyOf, type RemoteOrder } from './port.ts';

/** What of a line of a purchase order is at the platform: pieces, and the purchase order's amount for them (CNY). */
export interface Covered {
  pieces: number;
  ordered: string;
}

/**
 * Of a purchase order: its pieces at the platform by line, what it says for them, and whether anything was tried.
 * @param status only orders of this state count, else all but those that failed or were closed
 */
export async function coveredOf(ctx: Ctx, orderId: string, status?: TradeStatus) {
  const counts = status ? sql`t.status = ${status}` : sql`t.status NOT IN ('failed', 'cancel')`;
  const { rows } = await sql<{ line: string } & Covered>`
    SELECT l.order_line_id AS line, sum(l.units * l.pieces_per_unit)::int AS pieces, sum(l.ordered) AS ordered
      FROM alibaba.trade AS t JOIN alibaba.trade_line AS l ON l.company_id = t.company_id AND l.trade_id = t.id
     WHERE t.company_id = ${ctx.companyId} AND t.order_id = ${orderId} AND ${counts}
     GROUP BY 1`.execute(ctx.db);
  const { rows: trades } = await sql<{ placed: string; n: number }>`
    SELECT coalesce(sum(t.order_amount) FILTER (WHERE ${counts}), 0) AS placed, count(*)::int AS n
      FROM alibaba.trade AS t WHERE company_id = ${ctx.companyId} AND order_id = ${orderId}`.execute(ctx.db);
  const [head] = trades;
  return {
    covered: new Map(rows.map(({ line, ...one }) => [line, one])),
    placed: head?.placed ?? '0',
    begun: (head?.n ?? 0) > 0,
  };
}

/** A line of an order at the platform. Amounts in CNY. */
export interface TradeLine {
  lineId: string;
  productId: string;
  offerId: string;
  specId: string;
  piecesPerUnit: number;
  units: number;
  ordered: string;
  amount: string | null;
}

export async function linesOf(ctx: Ctx, tradeId: string): Promise<TradeLine[]> {
  const rows = await ctx.db
    .selectFrom('alibaba.trade_line')
    .select([
      'order_line_id as lineId',
      'product_id as productId',
      'offer_id as offerId',
      'spec_id as specId',
      'pieces_per_unit as piecesPerUnit',
      'units',
      'ordered',
      'amount',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('trade_id', '=', tradeId)
    .orderBy('order_line_id')
    .execute();
  return rows;
}

/** Writes the lines of an order at the platform in place of those that it had. */
export async function putLines(ctx: Ctx, tradeId: string, lines: readonly TradeLine[]): Promise<void> {
  await sql`DELETE FROM alibaba.trade_line WHERE company_id = ${ctx.companyId} AND trade_id = ${tradeId}`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO alibaba.trade_line (company_id, trade_id, order_line_id, product_id, offer_id, spec_id, pieces_per_unit,
                                    units, ordered, amount)
    SELECT ${ctx.companyId}, ${tradeId}, v."lineId", v."productId", v."offerId", v."specId", v."piecesPerUnit", v.units,
           v.ordered, v.amount
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS v("lineId" uuid, "productId" uuid, "offerId" text,
        "specId" text, "piecesPerUnit" int, units int, ordered numeric, amount numeric)`.execute(ctx.db);
}

/** Takes so many units of a variant from lines that still have some; what no line has is nobody's. */
function taken(plan: readonly TradeLine[], left: Map<string, number>, key: string, quantity: number): TradeLine[] {
  const found: TradeLine[] = [];
  let open = quantity;
  for (const line of plan) {
    const units = Math.min(open, keyOf(line) === key ? (left.get(line.lineId) ?? 0) : 0);
    if (units === 0) continue;
    left.set(line.lineId, (left.get(line.lineId) ?? 0) - units);
    open -= units;
    found.push({ ...line, units });
  }
  return found;
}

const shared = (total: string, lines: readonly TradeLine[]) =>
  allocate(total, new Map(lines.map((line) => [line.lineId, String(line.units)])), 2);

/** The order of a call among those that it became: its lines, and the purchase order's amount for it. CNY. */
export interface Dealt {
  lines: TradeLine[];
  orderAmount: string;
}

/** The purchase order's amount for what was dealt: all of it, unless the platform left pieces out. */
function dealtAmount(plan: readonly TradeLine[], dealt: readonly TradeLine[], orderAmount: string): string {
  const units = (lines: readonly TradeLine[]) => lines.reduce((total, line) => total + line.units, 0);
  if (units(dealt) === units(plan)) return orderAmount;
  const whole = new Decimal(sum(plan.map((line) => line.ordered)));
  if (whole.isZero()) return '0';
  return new Decimal(orderAmount)
    .times(sum(dealt.map((line) => line.ordered)))
    .div(whole)
    .toDecimalPlaces(2)
    .toFixed();
}

/**
 * Deals what was asked in one call out to the orders that the platform made of it: units by variant in the order of the
 * lines, the purchase order's amounts to the cent, so that all orders together are the call. Orders that do not say what
 * is in them get nothing, a single one all.
 */
export function deal(plan: readonly TradeLine[], orderAmount: string, orders: readonly RemoteOrder[]): Dealt[] {
  const left = new Map(plan.map((line) => [line.lineId, line.units]));
  const dealt = orders.map(({ items }) => {
    if (orders.length === 1 && items.length === 0) return plan.map((line) => ({ ...line }));
    return items.flatMap((item) => {
      const lines = taken(plan, left, keyOf(item), item.quantity);
      const amounts = shared(item.amount, lines);
      return lines.map((line) => ({ ...line, amount: amounts?.get(line.lineId) ?? null }));
    });
  });
  for (const line of plan) {
    const mine = dealt.flatMap((lines, n) =>
      lines.filter((one) => one.lineId === line.lineId).map((one) => ({ n, one })),
    );
    const units = sum(mine.map(({ one }) => String(one.units)));
    const parts = allocate(
      new Decimal(line.ordered).times(units).div(line.units).toDecimalPlaces(2).toFixed(),
      new Map(mine.map(({ n, one }) => [String(n), String(one.units)])),
      2,
    );
    for (const { n, one } of mine) one.ordered = parts?.get(String(n)) ?? '0';
  }
  const weights = new Map(dealt.map((lines, n) => [String(n), sum(lines.map((line) => line.ordered))]));
  const amounts = allocate(dealtAmount(plan, dealt.flat(), orderAmount), weights, 2);
  return dealt.map((lines, n) => ({ lines, orderAmount: amounts?.get(String(n)) ?? '0' }));
}

/** Amounts of an order's lines as the platform has them now: a seller may have changed prices. CNY. */
export async function reprice(ctx: Ctx, tradeId: string, order: RemoteOrder): Promise<void> {
  if (order.items.length === 0) return;
  const lines = await linesOf(ctx, tradeId);
  const next = order.items.flatMap((item) => {
    const mine = lines.filter((line) => keyOf(line) === keyOf(item));
    const amounts = shared(item.amount, mine);
    return mine.map((line) => ({ ...line, amount: amounts?.get(line.lineId) ?? null }));
  });
  if (next.length === lines.length) await putLines(ctx, tradeId, next);
}
