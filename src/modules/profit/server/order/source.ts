import { type RawBuilder, sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden } from '#kit/server/errors.ts';
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
const FIGURES = sql.raw(
  Object.entries(ORDER_FIGURES)
    .map(([key, groups]) => `${added(groups)} AS "${key}"`)
    .join(', '),
);
const NET = sql.raw(added(ALL_GROUPS));
const NET_SALES = sql.raw(added([...ORDER_FIGURES.sales, ...ORDER_FIGURES.promotion, ...ORDER_FIGURES.refund]));

/** A row of the relation; amounts are decimal text in `currency`. */
export interface OrderMoney extends Record<OrderFigure, string> {
  id: string;
  account_id: string;
  marketplace_id: string;
  order_id: string;
  currency: string;
  firstDate: string;
  lastDate: string;
  state: 'settled' | 'partly' | 'open';
  units: number;
  refundUnits: number;
  principal: string;
  net: string;
  cogs: string | null;
  profit: string | null;
  margin: string | null;
}

interface Span {
  from: string;
  to: string;
  currencies: string[];
}

/** Currencies of the company's orders, and the days between which they were first posted within the filter's dates. */
async function spanOf(ctx: Ctx, { date }: OrderProfitFilter): Promise<Span | undefined> {
  const { rows } = await sql<{ currency: string; from: string; to: string }>`
    SELECT currency, min(first_date) AS from, max(first_date) AS to FROM profit.order_profit
     WHERE company_id = ${ctx.companyId}
       AND first_date >= ${date?.from ?? '-infinity'}::date AND first_date <= ${date?.to ?? 'infinity'}::date
     GROUP BY currency ORDER BY currency`.execute(ctx.db);
  if (rows.length === 0) return undefined;
  return {
    currencies: rows.map(({ currency }) => currency),
    from: rows.map(({ from }) => from).toSorted()[0] ?? '',
    to:
      rows
        .map(({ to }) => to)
        .toSorted()
        .at(-1) ?? '',
  };
}

/** What a unit of a currency was worth in CNY, month by month: relation fx(currency, month, to_cny). */
async function ratesTable(ctx: Ctx, filter: OrderProfitFilter): Promise<RawBuilder<unknown>> {
  const span = await spanOf(ctx, filter.orderIds?.length ? {} : filter);
  const { rates } = span ? await ratesOf(ctx, span.currencies, span.from, span.to) : { rates: [] };
  const rows = JSON.stringify(rates.map(({ currency, month, rate }) => ({ currency, month, to_cny: rate })));
  return sql`jsonb_to_recordset(${rows}::jsonb) AS fx(currency text, month date, to_cny numeric)`;
}

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
function resultOf(ctx: Ctx, { result }: OrderProfitFilter): RawBuilder<unknown> {
  if (result === undefined) return sql`true`;
  if (!can(ctx, COST)) throw forbidden(COST);
  if (result === 'unknown') return sql`r.profit IS NULL`;
  return result === 'loss' ? sql`r.profit < 0` : sql`r.profit >= 0`;
}

/**
 * Orders of a filter as a relation: their amounts in their own currency, cost converted by the rate of the month in which the
 * order was first posted. Pieces without a known cost, or a month without a rate, leave cost and profit unknown.
 */
export async function orderMoney(ctx: Ctx, filter: OrderProfitFilter): Promise<RawBuilder<OrderMoney>> {
  const fx = await ratesTable(ctx, filter);
  return sql<OrderMoney>`(
    SELECT r.* FROM (
      SELECT q.*, q.net + q.cogs AS profit,
             CASE WHEN q.net_sales > 0 THEN (q.net + q.cogs) / q.net_sales END AS margin
        FROM (
          SELECT concat_ws('~', p.account_id, p.order_id, p.marketplace_id, p.currency) AS id, p.company_id,
                 p.account_id, p.marketplace_id, p.order_id, p.currency, p.first_date AS "firstDate",
                 p.last_date AS "lastDate", p.units, p.refund_units AS "refundUnits", p.principal, ${FIGURES},
                 CASE WHEN p.open_size = 0 THEN 'settled' WHEN p.settled_size = 0 THEN 'open' ELSE 'partly' END AS state,
                 ${NET} AS net, ${NET_SALES} AS net_sales,
                 CASE WHEN p.cost_units = p.units THEN -p.cost_cny / fx.to_cny END AS cogs
            FROM profit.order_profit AS p
            LEFT JOIN ${fx} ON fx.currency = p.currency AND fx.month = date_trunc('month', p.first_date)::date
           WHERE ${sql.join(conditions(ctx, filter), sql` AND `)}) AS q) AS r
     WHERE ${resultOf(ctx, filter)})`;
}
