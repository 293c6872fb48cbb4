import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf } from '#kit/contract/page.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { productInfo, productKey } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { FIGURE_KEYS, FIGURES } from '../contract/figures.ts';
import { LateRow, type listLateMoney } from '../contract/late.ts';
import { COST } from '../contract/report.ts';
import { nextMonth, ON_ITS_DAY } from './booking.ts';
import { figureSql } from './columns.ts';
import { wire } from './rows.ts';

interface LateDbRow {
  row_key: string;
  date: string;
  account_id: string;
  marketplace_id: string;
  sku: string;
  late_month: string;
  figure: LateRow['figure'];
  currency: string;
  amount: string;
}

/** Figures of a rollup row `p` in its own currency, as rows (figure, currency, amount); costs only for who may see them. */
function figuresOf(ctx: Ctx) {
  const costs = can(ctx, COST) ? [`('cogs', 'CNY', -p.cost_cny)`, `('fees', 'CNY', -p.fee_cny)`] : [];
  const amounts = FIGURE_KEYS.map((key) => `('${key}', p.currency, ${figureSql(FIGURES[key])})`);
  return sql.raw(`(VALUES ${[...amounts, ...costs].join(', ')}) AS f (figure, currency, amount)`);
}

const TITLES: Record<string, string> = {
  ...Object.fromEntries(FIGURE_KEYS.map((key) => [key, FIGURES[key].title])),
  cogs: '采购成本',
  fees: '自定义费用',
};

/** Rows as the API tells them. */
async function lateRows(ctx: Ctx, rows: readonly LateDbRow[]): Promise<LateRow[]> {
  const keyOf = (row: LateDbRow) => ({
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sellerSku: row.sku,
  });
  const known = await productInfo(ctx, rows.map(keyOf));
  const names = await storeNames(ctx);
  return rows.map((row) => ({
    id: row.row_key,
    day: row.date,
    store: { name: names.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    sku: row.sku,
    storeKey: `${row.marketplace_id}-${row.account_id}`,
    product: known.get(productKey(keyOf(row))) ?? { name: row.sku || '未分摊', code: row.sku },
    figure: row.figure,
    title: TITLES[row.figure] ?? row.figure,
    month: row.late_month.slice(0, 7),
    currency: row.currency,
    amount: wire(row.amount) ?? '0',
  }));
}

/** One page of what came after a month was closed, figure by figure; of this month where none is asked for. */
export async function latePage(
  ctx: Ctx,
  request: z.output<NonNullable<(typeof listLateMoney)['body']>>,
): Promise<PageOf<LateRow>> {
  const first = `${request.filter.month ?? ctx.clock.today().slice(0, 7)}-01`;
  const rows = sql<LateDbRow>`(
    SELECT p.date, p.account_id, p.marketplace_id, p.sku, p.late_month, f.figure, f.currency, sum(f.amount) AS amount,
           concat_ws('~', p.date, p.account_id, p.marketplace_id, p.sku, p.late_month, f.figure, f.currency) AS row_key
      FROM profit.profit_daily AS p CROSS JOIN LATERAL ${figuresOf(ctx)}
     WHERE p.company_id = ${ctx.companyId} AND p.late_month > ${ON_ITS_DAY}::date AND p.date >= ${first}::date
       AND p.date < ${nextMonth(first)}::date
     GROUP BY p.date, p.account_id, p.marketplace_id, p.sku, p.late_month, f.figure, f.currency HAVING sum(f.amount) <> 0)`;
  const found = await page<LateDbRow>(ctx, request, {
    row: LateRow,
    query: listQuery(ctx.db.selectFrom(rows.as<'r'>(sql.ref('r'))).selectAll()),
    sort: { day: 'r.date', amount: 'r.amount' },
    order: [['r.date', 'desc']],
    key: 'r.row_key',
  });
  return { ...found, records: await lateRows(ctx, found.records) };
}
