import { type RawBuilder, sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { ListingKey } from '#modules/listing/server/index.ts';
import { storePairs } from '#modules/settlement/server/index.ts';
import type { Basis, GoodsRow, ProfitScope } from '../contract/report.ts';
import { ON_ITS_DAY } from './booking.ts';
import { type ListingSpan, spansOfOwner, withGoods } from './goods.ts';

/** A filter with its gaps filled: the period is closed, everything else is as asked. */
export interface Scope {
  from: string;
  to: string;
  stores: readonly string[];
  skus: readonly string[];
  /** ORIGINAL, or the currency to convert to. */
  currency: string;
  storeKey?: string | null | undefined;
  rowCurrency?: string | null | undefined;
  /** BOOKED: days on which money is booked, so that closed months stay as they are. Else days on which it was posted. */
  basis?: Basis | undefined;
  /** Only what came after its month was closed. */
  late?: boolean | undefined;
  /** The only listings that are looked at, some of them on some days only. */
  listings?: readonly ListingSpan[] | undefined;
  /** Listings that are not looked at. */
  without?: readonly ListingKey[] | undefined;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 1_100;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/**
 * The filter's period, or the last thirty days up to now; `goods` is left out.
 * @throws B0610, B0611, B0613 for a period that is upside down, too long, or does not touch the month
 */
export function periodOf({ runtime }: Pick<Ctx, 'runtime'>, filter: ProfitScope): Scope {
  const to = filter.date?.to ?? dayOf(runtime.clock.ms() + DAY_MS);
  const from = filter.date?.from ?? dayOf(Date.parse(to) - DEFAULT_DAYS * DAY_MS);
  if (from > to) throw refused('开始日期不能晚于结束日期', 'B0610');
  if (Date.parse(to) - Date.parse(from) > MAX_DAYS * DAY_MS) throw refused('日期范围不能超过三年', 'B0611');
  const { month } = filter;
  const [first, last] = month ? [`${month}-01`, lastDayOf(month)] : [from, to];
  if (first > to || last < from) throw refused('月份不在所选的日期范围内', 'B0613');
  return {
    from: [first, from].toSorted()[1] ?? from,
    to: [last, to].toSorted()[0] ?? to,
    stores: filter.stores ?? [],
    skus: filter.skus ?? [],
    currency: filter.currency ?? 'ORIGINAL',
    basis: filter.basis ?? 'BOOKED',
  };
}

/** The period of the same length just before. */
export function before(scope: Scope): Scope {
  const days = (Date.parse(scope.to) - Date.parse(scope.from)) / DAY_MS + 1;
  return { ...scope, from: dayOf(Date.parse(scope.from) - days * DAY_MS), to: dayOf(Date.parse(scope.from) - DAY_MS) };
}

/** Listings with money between the beginning of the period before and the end of the scope that a row of goods stands for. */
async function listingsOf(ctx: Ctx, scope: Scope, { by, key }: GoodsRow): Promise<ListingSpan[]> {
  const rows = sql`
    SELECT DISTINCT p.account_id, p.marketplace_id, p.sku AS seller_sku FROM profit.profit_daily AS p
     WHERE ${within(ctx, { ...scope, from: before(scope).from })}`;
  if (by === 'owner') return spansOfOwner(ctx, rows, key);
  const found = await sql<ListingKey>`
    SELECT k.account_id AS "accountId", k.marketplace_id AS "marketplaceId", k.seller_sku AS "sellerSku"
      FROM (${withGoods(ctx, by, rows, scope.to)}) AS k WHERE k.goods_key = ${key}`.execute(ctx.db);
  return found.rows;
}

/** What a filter means. @throws B0610, B0611 for a period that is upside down or longer than three years */
export async function scopeOf(ctx: Ctx, filter: ProfitScope): Promise<Scope> {
  const scope = periodOf(ctx, filter);
  return filter.goods ? { ...scope, listings: await listingsOf(ctx, scope, filter.goods) } : scope;
}

/** Whether some listings are looked at on some days only: then sums over months do not tell. */
export const hasSpans = ({ listings = [] }: Pick<Scope, 'listings'>): boolean =>
  listings.some(({ since, until }) => (since ?? until ?? null) !== null);

/** SELECT of the keys of listings. */
const keysSql = (listings: readonly ListingKey[]) => sql`
  SELECT * FROM unnest(${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
                       ${listings.map((one) => one.sellerSku)}::text[])`;

/** That a row of the table `alias` is of the scope's SKUs, and of its listings on the day of a column; true where it names none. */
export function ofGoods(scope: Scope, alias: string, day = `${alias}.${dayColumn(scope)}`): RawBuilder<boolean> {
  const { skus, listings, without } = scope;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const sku = skus.length === 0 ? sql`true` : sql`${column('sku')} = ANY(${skus}::text[])`;
  const key = sql`(${column('account_id')}, ${column('marketplace_id')}, ${column('sku')})`;
  const others = without?.length ? sql`AND ${key} NOT IN (${keysSql(without)})` : sql``;
  if (!listings) return sql<boolean>`${sku} ${others}`;
  if (!hasSpans(scope)) return sql<boolean>`${sku} ${others} AND ${key} IN (${keysSql(listings)})`;
  return sql<boolean>`${sku} ${others} AND EXISTS (
    SELECT FROM unnest(${listings.map((one) => one.accountId)}::uuid[], ${listings.map((one) => one.marketplaceId)}::text[],
                       ${listings.map((one) => one.sellerSku)}::text[], ${listings.map((one) => one.since ?? null)}::date[],
                       ${listings.map((one) => one.until ?? null)}::date[]) AS o (account_id, marketplace_id, sku, since, until)
     WHERE (o.account_id, o.marketplace_id, o.sku) = ${key}
       AND coalesce(${sql.ref(day)} >= o.since, true) AND coalesce(${sql.ref(day)} < o.until, true))`;
}

/** Column of the rollup that holds the days of a scope. */
export const dayColumn = ({ basis }: Pick<Scope, 'basis'>) => (basis === 'BOOKED' ? 'booked_date' : 'date');

/** Condition on rollup rows `p`, or on money lines with `day` as their date column. */
export function within(ctx: Ctx, scope: Scope, alias = 'p', day: string = dayColumn(scope)): RawBuilder<unknown> {
  const keys = scope.storeKey ? [scope.storeKey] : scope.stores;
  const pairs = storePairs(keys);
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const store =
    keys.length === 0
      ? sql``
      : sql`AND (${column('account_id')}, ${column('marketplace_id')}) IN (SELECT * FROM unnest(
          ${pairs.map((pair) => pair.accountId)}::uuid[], ${pairs.map((pair) => pair.marketplaceId)}::text[]))`;
  const all = scope.skus.length === 0 && !scope.listings && !scope.without?.length;
  const sku = all ? sql`` : sql`AND ${ofGoods(scope, alias, `${alias}.${day}`)}`;
  const currency = scope.rowCurrency ? sql`AND ${column('currency')} = ${scope.rowCurrency}` : sql``;
  const late = scope.late ? sql`AND ${column('late_month')} > ${ON_ITS_DAY}::date` : sql``;
  return sql`${column('company_id')} = ${ctx.companyId} AND ${column(day)} BETWEEN ${scope.from}::date
    AND ${scope.to}::date ${store} ${sku} ${currency} ${late}`;
}
