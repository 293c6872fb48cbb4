import { sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { LedgerFact, LedgerSource } from '#kit/server/ledger-source.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { rollupSql } from './rollup.ts';
import type { Scope } from './scope.ts';
import { conversionOf } from './source.ts';

interface Sold {
  accountId: string;
  marketplaceId: string;
  amount: string;
}

/**
 * What the pieces that Amazon sent cost, CNY, by store: 采购成本 of the profit report over the days on which it is booked. What the
 * company sends itself leaves its own warehouses, where the stock ledger has its cost.
 */
async function soldIn(ctx: Ctx, month: string): Promise<Sold[]> {
  const scope: Scope = {
    from: month,
    to: lastDayOf(month.slice(0, 7)),
    stores: [],
    skus: [],
    currency: 'CNY',
    basis: 'BOOKED',
  };
  const { stale } = await conversionOf(ctx, scope, true);
  const { rows } = await sql<Sold>`
    SELECT f.account_id AS "accountId", f.marketplace_id AS "marketplaceId", sum(f.cost)::text AS amount
      FROM (SELECT p.account_id, p.marketplace_id, p.sku AS seller_sku, sum(p.cost_cny) AS cost
              FROM ${rollupSql(ctx, scope, { stale, byDay: false, onlyAbove: false })}
             GROUP BY 1, 2, 3 HAVING sum(p.cost_cny) <> 0) AS f
      LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}
     WHERE p.fulfilled_by IS DISTINCT FROM 'MERCHANT'
     GROUP BY 1, 2 ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

async function facts(ctx: Ctx, month: string): Promise<LedgerFact[]> {
  const last = lastDayOf(month.slice(0, 7));
  const today = ctx.clock.today();
  const sold = await soldIn(ctx, month);
  const names = await storeNames(ctx);
  return sold.map(({ accountId, marketplaceId, amount }) => ({
    ref: `${month.slice(0, 7)} ${marketplaceId}-${accountId}`,
    day: [last, today].toSorted()[0] ?? last,
    number: `${names.get(accountId) ?? ''} ${marketplaceId}`.trim(),
    path: `/finance/profitReport?f.date=${month}~${last}&f.stores=${marketplaceId}-${accountId}`,
    parts: [
      { part: 'COGS', currency: 'CNY', amount },
      { part: 'STOCK', currency: 'CNY', amount: new Decimal(amount).negated().toFixed() },
    ],
  }));
}

/** Cost of what Amazon sold as the general ledger books it, by store and month. */
export const costSource: LedgerSource = {
  name: 'profit.cost',
  title: 'FBA销售成本',
  about: '主营业务成本 对 库存商品-FBA：利润报表当月入账的采购成本，不含自发货（自发货成本在「出入库」）',
  sort: 35,
  by: 'MONTH',
  parts: {
    COGS: { title: '销售成本', subject: '5401' },
    STOCK: { title: '库存商品-FBA', subject: '140502', exact: true },
  },
  facts,
};
