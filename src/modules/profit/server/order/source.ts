import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden } from '#kit/server/errors.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storePairs } from '#modules/settlement/server/index.ts';
import { ALL_GROUPS, type Group } from '../../contract/figures.ts';
import type { OrderProfitFilter } from '../../contract/order.ts';
import { COST } from '../../contract/report.ts';
import { ratesOf } from '../fx.ts';

/** The amounts of an order and the groups of fee codes that each gathers; together they are all of its money. */
const ORDER_FIGURES = {
  sales: ['principal', 'shipping'],
  promotion: ['promotion', 'ship_back'],
  refund: ['refund'],
  commission: ['commission', 'dsf'],
  refundFee: ['refund_fee'],
  fba: ['fulfil', 'fba_other', 'storage'],
  otherFee: ['marketing', 'other_fee', 'ads'],
  reimbursement: ['reimbursement'],
  tax: ['tax'],
  unmapped: ['unmapped'],
} as const satisfies Record<string, readonly Group[]>;
type OrderFigure = keyof typeof ORDER_FIGURES;

const added = (groups: readonly Group[]) => groups.map((group) => `p.${group}`).join(' + ');

const NET = added(ALL_GROUPS);
const NET_SALES = added([...ORDER_FIGURES.sales, ...ORDER_FIGURES.promotion, ...ORDER_FIGURES.refund]);
/** Pieces without a known cost, or a month without a rate, leave it unknown. */
const COGS = 'CASE WHEN p.cost_units = p.units THEN -p.cost_cny / fx.to_cny END';

/**
 * What is reckoned of a row `p` and the rate `fx` of its month: amounts in its own currency; null where the cost is unknown. Sales
 * that are not above 0 have no margin.
 */
export const RECKONED: Readonly<Record<OrderFigure | 'net' | 'cogs' | 'profit' | 'margin', string>> = {
  ...(Object.fromEntries(Object.entries(ORDER_FIGURES).map(([key, groups]) => [key, `(${added(groups)})`])) as Record<
    OrderFigure,
    string
  >),
  net: `(${NET})`,
  cogs: `(${COGS})`,
  profit: `(${NET} + ${COGS})`,
  margin: `(CASE WHEN ${NET_SALES} > 0 THEN (${NET} + ${COGS}) / (${NET_SALES}) END)`,
};

/** Reckoned values that need the rate of the month. */
export const NEEDS_RATE: readonly string[] = ['cogs', 'profit', 'margin'];

/** A row as it is reckoned; amounts are decimal text in `currency`. */
export interface OrderMoney extends Record<OrderFigure, string> {
  id: string;
  account_id: string;
  marketplace_id: string;
  order_id: string;
  currency: string;
  first_date: string;
  last_date: string;
  units: number;
  refund_units: number;
  principal: string;
  settled_size: string;
  open_size: string;
  net: string;
  cogs: string | null;
  profit: string | null;
  margin: string | null;
}

const CURRENCIES = [...new Set(MARKETPLACES.map(({ currency }) => currency))];

/** The first and the last day of the company's orders within the filter's dates, each by one look into the index. */
async function spanOf(ctx: Ctx, { date, orderIds }: OrderProfitFilter): Promise<{ from: string; to: string }> {
  const free = orderIds?.length ? undefined : date;
  if (free?.from && free.to) return { from: free.from, to: free.to };
  const { rows } = await sql<{ from: string | null; to: string | null }>`
    SELECT min(first_date) AS from, max(first_date) AS to FROM profit.order_profit
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const today = ctx.clock.today();
  return { from: free?.from ?? rows[0]?.from ?? today, to: free?.to ?? rows[0]?.to ?? today };
}

/** What a unit of a currency was worth in CNY, month by month: relation fx(currency, month, to_cny). */
export async function ratesTable(ctx: Ctx, filter: OrderProfitFilter): Promise<RawBuilder<unknown>> {
  const { from, to } = await spanOf(ctx, filter);
  const { rates } = await ratesOf(ctx, CURRENCIES, from, to);
  const rows = JSON.stringify(rates.map(({ currency, month, rate }) => ({ currency, month, to_cny: rate })));
  return sql`jsonb_to_recordset(${rows}::jsonb) AS fx(currency text, month date, to_cny numeric)`;
}

/** Joins a row `p` with the rate of the month in which the order was first posted. */
export const OF_MONTH = sql<boolean>`fx.currency = p.currency AND fx.month = date_trunc('month', p.first_date)::date`;

const OF_ORDER = sql`
  SELECT 1 FROM marketplace.seller_account AS a
    JOIN "order".amazon_order AS o ON o.company_id = a.company_id AND o.selling_partner_id = a.selling_partner_id
   WHERE a.company_id = p.company_id AND a.id = p.account_id AND o.amazon_order_id = p.order_id`;

/** Conditions on rows `p` of the rollup. */
function conditions(ctx: Ctx, filter: OrderProfitFilter): RawBuilder<unknown>[] {
  const { stores, date, orderIds, sku, refunded, differs, state } = filter;
  const list = [sql`p.company_id = ${ctx.companyId}`];
  if (orderIds?.length) list.push(sql`p.order_id = ANY(${orderIds}::text[])`);
  else {
    if (date?.from) list.push(sql`p.first_date >= ${date.from}::date`);
    if (date?.to) list.push(sql`p.first_date <= ${date.to}::date`);
  }
  if (stores?.length) {
    const pairs = storePairs(stores);
    list.push(sql`(p.account_id, p.marketplace_id) IN (SELECT * FROM unnest(
      ${pairs.map((pair) => pair.accountId)}::uuid[], ${pairs.map((pair) => pair.marketplaceId)}::text[]))`);
  }
  if (state === 'settled') list.push(sql`p.open_size = 0`);
  if (state === 'open') list.push(sql`p.settled_size = 0 AND p.open_size <> 0`);
  if (state === 'partly') list.push(sql`p.settled_size <> 0 AND p.open_size <> 0`);
  if (refunded !== undefined) list.push(refunded ? sql`p.refund <> 0` : sql`p.refund = 0`);
  if (sku) {
    list.push(sql`p.order_id IN (SELECT s.amazon_order_id FROM "order".amazon_order_line AS s
      WHERE s.company_id = ${ctx.companyId} AND s.seller_sku = ${sku})`);
  }
  if (differs !== undefined) {
    const found = sql`EXISTS (${OF_ORDER} AND o.status = 'SHIPPED' AND o.item_amount <> p.principal)`;
    list.push(differs ? found : sql`NOT ${found}`);
  }
  return list;
}

/** 盈亏 tells of costs. @throws 403 for those who may not see them */
function resultOf(ctx: Ctx, { result }: OrderProfitFilter): RawBuilder<unknown>[] {
  if (result === undefined) return [];
  if (!can(ctx, COST)) throw forbidden(COST);
  const profit = sql.raw(RECKONED.profit);
  if (result === 'unknown') return [sql`${profit} IS NULL`];
  return [result === 'loss' ? sql`${profit} < 0` : sql`${profit} >= 0`];
}

/** Condition that a filter lets rows `p` through; one that asks for a result needs the rate `fx` beside them. */
export function throughFilter(ctx: Ctx, filter: OrderProfitFilter): RawBuilder<boolean> {
  return sql<boolean>`${sql.join([...conditions(ctx, filter), ...resultOf(ctx, filter)], sql` AND `)}`;
}
