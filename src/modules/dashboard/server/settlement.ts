import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { nowThere } from '#modules/order/server/index.ts';
import type { HomeFilter, settlement } from '../contract.ts';
import { ofAccounts } from './source.ts';

type Card = NonNullable<Reply<typeof settlement>>;

interface Row {
  id: string;
  settlement_id: string;
  account_id: string;
  marketplace_id: string;
  deposit_at: string | null;
  currency: string;
  total_amount: string;
}

const RECENT = 4;

/** Current versions of the settlements of the filter's stores. */
function chosen(ctx: Ctx, filter: HomeFilter) {
  const market =
    filter.marketplaceIds.length > 0 ? sql`AND s.marketplace_id = ANY (${filter.marketplaceIds}::text[])` : sql``;
  return sql`settlement.settlement AS s WHERE s.company_id = ${ctx.companyId} AND s.superseded_at IS NULL
             AND ${ofAccounts('s', filter.accountIds)} ${market}`;
}

/** Money that Amazon holds and no settlement covers yet, by currency. */
async function openMoney(ctx: Ctx, filter: HomeFilter): Promise<Card['open']> {
  const market =
    filter.marketplaceIds.length > 0 ? sql`AND d.marketplace_id = ANY (${filter.marketplaceIds}::text[])` : sql``;
  const { rows } = await sql<{ currency: string; amount: string }>`
    SELECT d.currency, sum(d.total) AS amount FROM settlement.source_doc AS d
     WHERE d.company_id = ${ctx.companyId} AND d.kind = 'TRANSACTION' AND d.state = 'ACTIVE'
       AND d.settlement_id IS NULL AND ${ofAccounts('d', filter.accountIds)} ${market}
     GROUP BY 1 HAVING sum(d.total) <> 0 ORDER BY 1`.execute(ctx.db);
  return rows;
}

/** What has been paid out, what is about to be, and what is still open. The period does not matter. */
export async function settlementOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof settlement>> {
  if (!can(ctx, 'fin:settlement:view')) return null;
  const now = await nowThere(ctx.runtime);
  const names = await storeNames(ctx);
  const list = async (where: ReturnType<typeof sql>, order: ReturnType<typeof sql>, limit: number) => {
    const { rows } = await sql<Row>`
      SELECT s.id, s.settlement_id, s.account_id, s.marketplace_id, s.deposit_at, s.currency, s.total_amount
        FROM ${chosen(ctx, filter)} AND ${where} ORDER BY ${order}, s.id LIMIT ${limit}`.execute(ctx.db);
    return rows.map((row) => ({
      id: row.id,
      settlementId: row.settlement_id,
      store: { name: names.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      depositAt: row.deposit_at,
      currency: row.currency,
      amount: row.total_amount,
    }));
  };
  const due = sql`coalesce(s.deposit_at, s.end_at)`;
  const { rows } = await sql<{ closed: number; pending: number }>`
    SELECT count(*)::int AS closed,
           count(*) FILTER (WHERE s.total_amount > 0 AND ${due} > ${now})::int AS pending
      FROM ${chosen(ctx, filter)}`.execute(ctx.db);
  const [last] = await list(sql`s.total_amount > 0 AND ${due} <= ${now}`, sql`${due} DESC`, 1);
  const [next] = await list(sql`s.total_amount > 0 AND ${due} > ${now}`, sql`${due}`, 1);
  return {
    closed: rows[0]?.closed ?? 0,
    pending: rows[0]?.pending ?? 0,
    open: await openMoney(ctx, filter),
    last: last ?? null,
    next: next ?? null,
    recent: await list(sql`true`, sql`s.end_at DESC`, RECENT),
  };
}
