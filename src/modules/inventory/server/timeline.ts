import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { StockRow, TimelineDay } from '../contract.ts';
import { stockRow } from './list.ts';

const DEFAULT_DAYS = 90;
const MOST_DAYS = 400;
const DAY_MS = 86_400_000;

/** Today as the marketplace counted it when it was read last. */
async function lastDay(ctx: Ctx, row: StockRow): Promise<string> {
  const zone = marketplaceOf(row.marketplaceId)?.timeZone ?? 'UTC';
  const { rows } = await sql<{ day: string }>`
    SELECT (as_of AT TIME ZONE ${zone})::date AS day FROM inventory.fba_snapshot
     WHERE company_id = ${ctx.companyId} AND account_id = ${row.accountId}
       AND marketplace_id = ${row.marketplaceId}`.execute(ctx.db);
  return rows[0]?.day ?? ctx.runtime.clock.now().toISOString().slice(0, 10);
}

const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Every day of the range, oldest first; one that was not read has nulls, never zeros. */
async function daysOf(ctx: Ctx, row: StockRow, from: string, to: string): Promise<TimelineDay[]> {
  const { rows } = await sql<TimelineDay>`
    SELECT g.day::date AS day, d.fulfillable, d.reserved, d.unsellable, d.researching, d.inbound,
           d.fulfillable + d.reserved + d.unsellable + d.researching + d.inbound AS total
      FROM generate_series(${from}::date, ${to}::date, interval '1 day') AS g (day)
      LEFT JOIN inventory.fba_stock_day AS d ON d.company_id = ${ctx.companyId} AND d.account_id = ${row.accountId}
       AND d.marketplace_id = ${row.marketplaceId} AND d.seller_sku = ${row.sellerSku}
       AND d.condition = ${row.condition} AND d.day = g.day::date
     ORDER BY 1`.execute(ctx.db);
  return rows;
}

/** A row of the list with its stock by day. @throws refused beyond 400 days, 404 for anybody else's row */
export async function timeline(
  ctx: Ctx,
  input: { id: string; from?: string | undefined; to?: string | undefined },
): Promise<{ row: StockRow; days: TimelineDay[] }> {
  const row = await stockRow(ctx, input.id);
  if (!row) throw notFound('库存记录不存在或已删除');
  const to = input.to ?? (await lastDay(ctx, row));
  const from = input.from ?? plusDays(to, 1 - DEFAULT_DAYS);
  const length = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (length < 1) throw refused('开始日期不能晚于结束日期', 'B0502');
  if (length > MOST_DAYS) throw refused(`日期范围不能超过 ${MOST_DAYS} 天`, 'B0503');
  return { row, days: await daysOf(ctx, row, from, to) };
}
