import { sql } from 'kysely';
import { allocate, currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { copyRows } from '#kit/server/db/copy.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';
import { type Spend, spendBySku } from '#modules/advertising/server/index.ts';
import { ALL_GROUPS, type Group, NET_SALES_GROUPS } from '../contract/figures.ts';
import { shareAds } from './ad-shares.ts';
import { type Booking, bookRows, nextMonth } from './booking.ts';
import { GROUP_NAME } from './columns.ts';
import { shareFees } from './fees.ts';
import type { Unit } from './fold.ts';

/** Money of the whole store on one day, of one kind. */
interface ShopMoney {
  date: string;
  currency: string;
  group: Group;
  amount: string;
  settled: string;
  open: string;
}

/** SKU of the bucket for what has no base to be shared by (未分摊). */
export const UNALLOCATED = '';

/** Net sales of each SKU in the month, by currency; only what is above zero can carry a share. */
async function weightsOf(ctx: Ctx, unit: Unit): Promise<Map<string, Map<string, string>>> {
  const net = sql.raw(NET_SALES_GROUPS.join(' + '));
  const { rows } = await sql<{ currency: string; sku: string; net: string }>`
    SELECT currency, sku, sum(${net}) AS net FROM profit.profit_daily
     WHERE company_id = ${ctx.companyId} AND account_id = ${unit.accountId}
       AND marketplace_id = ${unit.marketplaceId} AND scope = 'DIRECT' AND date >= ${unit.month}::date
       AND date < (${unit.month}::date + interval '1 month')
     GROUP BY currency, sku HAVING sum(${net}) > 0
     ORDER BY currency, sku`.execute(ctx.db);
  const byCurrency = new Map<string, Map<string, string>>();
  for (const { currency, sku, net: weight } of rows) {
    const weights = byCurrency.get(currency) ?? new Map<string, string>();
    byCurrency.set(currency, weights.set(sku, weight));
  }
  return byCurrency;
}

async function shopMoney(ctx: Ctx, unit: Unit): Promise<ShopMoney[]> {
  const { rows } = await sql<ShopMoney>`
    SELECT l.posted_date AS date, l.currency, ${GROUP_NAME} AS group, sum(l.amount) AS amount,
           coalesce(sum(abs(l.amount)) FILTER (WHERE l.stage = 'SETTLED'), 0) AS settled,
           coalesce(sum(abs(l.amount)) FILTER (WHERE l.stage <> 'SETTLED'), 0) AS open
      FROM settlement.money_line AS l
      JOIN settlement.source_doc AS d
        ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
     WHERE l.company_id = ${ctx.companyId} AND l.account_id = ${unit.accountId}
       AND l.marketplace_id = ${unit.marketplaceId} AND l.sku = '' AND l.pl_section <> 'BALANCE'
       AND l.posted_date >= ${unit.month}::date AND l.posted_date < (${unit.month}::date + interval '1 month')
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(ctx.db);
  return rows;
}

type ShareRow = {
  date: string;
  sku: string;
  currency: string;
  settled_size: string;
  open_size: string;
  fee_cny?: string;
} & Partial<Record<Group, string>>;

/** Smallest unit in which an amount can be shared without losing any of it. */
function scaleOf(amount: string, currency: string): number {
  return Math.max(currencyScale(currency), new Decimal(amount).decimalPlaces());
}

function split(amount: string, currency: string, weights: ReadonlyMap<string, string>): Map<string, string> {
  return allocate(amount, weights, scaleOf(amount, currency)) ?? new Map([[UNALLOCATED, amount]]);
}

type Parts = ReadonlyMap<string, string>;
const NOTHING: Parts = new Map();

/** The sum of two amounts of which most often one is not there: a store has few charges of a kind on a day. */
function plus(to: string | undefined, more: string | undefined): string {
  if (more === undefined) return to ?? '0';
  return to === undefined || to === '0' ? more : new Decimal(to).plus(more).toFixed();
}

/** The parts of each amount by SKU: of advertising by what each SKU cost, of everything else by net sales. */
function partsOf(
  money: readonly ShopMoney[],
  weights: ReadonlyMap<string, Parts>,
  spend: Spend,
): ReadonlyMap<ShopMoney, Parts> {
  const parts = new Map<ShopMoney, Parts>();
  for (const row of money) {
    if (row.group !== 'ads') parts.set(row, split(row.amount, row.currency, weights.get(row.currency) ?? new Map()));
  }
  const charges = Map.groupBy(
    money.filter(({ group }) => group === 'ads'),
    ({ currency }) => currency,
  );
  for (const [currency, rows] of charges) {
    const base = {
      spend: spend.get(currency) ?? new Map(),
      netSales: weights.get(currency) ?? new Map(),
      scale: Math.max(...rows.map(({ amount }) => scaleOf(amount, currency))),
    };
    const shared = shareAds(
      rows.map(({ amount }) => amount),
      currency,
      base,
    );
    for (const [index, row] of rows.entries()) parts.set(row, shared[index] ?? new Map([[UNALLOCATED, row.amount]]));
  }
  return parts;
}

/** The sizes of an amount, shared as the amount was. */
function sized(size: string, currency: string, parts: Parts): Parts {
  if (new Decimal(size).isZero()) return NOTHING;
  return split(size, currency, new Map([...parts].map(([sku, part]) => [sku, new Decimal(part).abs().toFixed()])));
}

const sharedSize = (size: string, currency: string, base: Parts): Parts =>
  new Decimal(size).isZero() ? NOTHING : split(size, currency, base);

/**
 * Shares every amount over the SKUs; the parts of each amount are the amount, to the last cent. Advertising goes to the
 * SKUs whose ads it paid, as far as `spend` knows them; everything else, and the rest of it, by net sales.
 */
export function sharesOf(
  money: readonly ShopMoney[],
  weights: ReadonlyMap<string, Parts>,
  spend: Spend = new Map(),
): ShareRow[] {
  const rows = new Map<string, ShareRow>();
  const shared = partsOf(money, weights, spend);
  for (const one of money) {
    const { date, currency, group, settled, open } = one;
    const parts = shared.get(one) ?? new Map<string, string>();
    const base = group === 'ads' ? undefined : (weights.get(currency) ?? new Map<string, string>());
    const share = (size: string) => (base ? sharedSize(size, currency, base) : sized(size, currency, parts));
    const sizes = { settled_size: share(settled), open_size: share(open) };
    for (const [sku, part] of parts) {
      const key = `${date}\t${sku}\t${currency}`;
      const row = rows.get(key) ?? { date, sku, currency, settled_size: '0', open_size: '0' };
      row[group] = plus(row[group], part);
      row.settled_size = plus(row.settled_size, sizes.settled_size.get(sku));
      row.open_size = plus(row.open_size, sizes.open_size.get(sku));
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}

const COLUMNS = [...ALL_GROUPS, 'settled_size', 'open_size', 'fee_cny'] as const;
const TYPED = sql.raw(
  ['date date, sku text, currency text', ...COLUMNS.map((name) => `${name} numeric NOT NULL DEFAULT 0`)].join(', '),
);
/** Copies the shares into their temporary table, with those columns only that any of them has. */
async function copyShares(ctx: Ctx, rows: readonly ShareRow[]): Promise<void> {
  const columns = COLUMNS.filter((name) => rows.some((row) => row[name] !== undefined));
  await copyRows(
    ctx,
    `pg_temp.fold_share (${['date', 'sku', 'currency', ...columns].join(', ')})`,
    rows.map((row) => [row.date, row.sku, row.currency, ...columns.map((name) => row[name] ?? '0')]),
  );
}

/** Shares the month's money of the whole store anew: any change of sales or of that money moves every share. How many vanished. */
export async function foldShares(ctx: Ctx, unit: Unit, booking: Booking): Promise<bigint> {
  const spend = await spendBySku(ctx, unit, unit.month, nextMonth(unit.month));
  const weights = await weightsOf(ctx, unit);
  const rows = sharesOf(await shopMoney(ctx, unit), weights, spend);
  await shareFees(ctx, unit, rows, weights, UNALLOCATED);
  await sql`DROP TABLE IF EXISTS pg_temp.fold_share`.execute(ctx.db);
  await sql`CREATE TEMP TABLE fold_share (${TYPED}) ON COMMIT DROP`.execute(ctx.db);
  await copyShares(ctx, rows);
  await indexTemporary(ctx, 'fold_share', 'sku, date, currency');
  return bookRows(ctx, unit, booking, { scope: 'SHARE', table: 'fold_share', values: COLUMNS });
}
