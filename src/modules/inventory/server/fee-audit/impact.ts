import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { z } from 'zod';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { hiddenFields, stripped } from '#kit/server/list/page.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { COUNTRIES } from '#modules/ratecard/contract/calculator.ts';
import { type Charge, fulfilmentCharge, type Measures } from '#modules/ratecard/contract/fulfilment.ts';
import { AMOUNTS } from '../../contract/facts.ts';
import { FeeImpactRow, type feeImpact, IMPACT_ROWS } from '../../contract/fee-impact.ts';
import { goodsOf, type Shown } from '../lists/base.ts';
import { isApparel } from './apparel.ts';

type Row = Shown<{
  title: string;
  price: string | null;
  own_sides: [string, string, string] | null;
  own_weight: string | null;
  amazon_sides: [string, string, string] | null;
  amazon_weight: string | null;
  units_30: number | null;
  product_type: string;
}>;
/** Listings that are reckoned at one go. */
const BREATH = 200;
type Asked = z.output<typeof feeImpact.body>;

/** Listings of a country with their newest fee report: cm, kg, and what was sold of them in 30 days. */
async function listingsOf(ctx: Ctx, country: string): Promise<Row[]> {
  const ids = MARKETPLACES.filter((one) => one.country === country).map(({ id }) => id);
  const { rows } = await sql<Row>`
    SELECT a.company_id, a.account_id, a.day, a.row_id, a.stock, a.marketplace_id, a.seller_sku, a.fnsku, a.asin, a.title,
           a.price::text AS price, a.own_sides::text[] AS own_sides, a.own_weight::text AS own_weight,
           a.amazon_sides::text[] AS amazon_sides, a.amazon_weight::text AS amazon_weight, a.units_30, p.name, p.image,
           coalesce(p.product_type, '') AS product_type
      FROM inventory.fee_audit AS a LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'a')}
     WHERE a.company_id = ${ctx.companyId} AND a.marketplace_id = ANY (${ids})`.execute(ctx.db);
  return rows;
}

const measured = (sides: Measures['sides'] | null, weight: string | null): Measures | null =>
  sides && weight ? { sides, weight } : null;

/** Both fees of a listing; undefined where one of them cannot be told. */
function chargesOf(row: Row, { country, from, to }: Asked) {
  const own = measured(row.own_sides, row.own_weight);
  const measures = own ?? measured(row.amazon_sides, row.amazon_weight);
  if (!measures || isApparel(row.product_type)) return undefined;
  const of = (day: string) => fulfilmentCharge(country, day, row.price, measures);
  const [before, after] = [of(from), of(to)];
  if ('gap' in before || 'gap' in after) return undefined;
  return { by: own ? ('OWN' as const) : ('AMAZON' as const), before, after };
}

interface Change {
  row: Row;
  by: FeeImpactRow['by'];
  before: Charge;
  after: Charge;
  diff: Decimal;
  monthly: Decimal | null;
}

/** By money, whichever way it goes; of what was not sold or is not known, by the difference of a piece. */
const byMoney = (a: Change, b: Change): number =>
  (b.monthly?.abs() ?? new Decimal(0)).comparedTo(a.monthly?.abs() ?? 0) ||
  b.diff.abs().comparedTo(a.diff.abs()) ||
  (a.row.row_id < b.row.row_id ? -1 : 1);

/**
 * Reckons the fee of each listing of a country by the cards of two days, by our own measurement or else by Amazon's, at the price
 * of its newest fee report. Listings whose fee cannot be told on one of the days are counted apart, and not as unchanged.
 */
export async function impactOf(ctx: Ctx, asked: Asked): Promise<Reply<typeof feeImpact>> {
  const currency = COUNTRIES.find(({ country }) => country === asked.country)?.currency ?? '';
  const changes: Change[] = [];
  let compared = 0;
  let unknown = 0;
  for (const [at, row] of (await listingsOf(ctx, asked.country)).entries()) {
    // Thousands of listings take seconds: others' requests are answered in between.
    if (at % BREATH === BREATH - 1) await setImmediate();
    const charges = chargesOf(row, asked);
    if (!charges) {
      unknown += 1;
      continue;
    }
    compared += 1;
    const diff = new Decimal(charges.after.fee).minus(charges.before.fee);
    if (diff.isZero() && charges.before.tier === charges.after.tier) continue;
    changes.push({ row, ...charges, diff, monthly: row.units_30 === null ? null : diff.times(row.units_30) });
  }
  const stores = await storeNames(ctx);
  const hidden = hiddenFields(ctx, FeeImpactRow);
  const scale = currencyScale(currency);
  const rows = changes
    .toSorted(byMoney)
    .slice(0, IMPACT_ROWS)
    .map(({ row, by, before, after, diff, monthly }) => {
      const { day: _, ...goods } = goodsOf(row, stores);
      const figures = {
        by,
        beforeTier: before.tier,
        before: before.fee,
        afterTier: after.tier,
        after: after.fee,
        diff: diff.toFixed(scale),
        units30: row.units_30,
        monthly: monthly && round(monthly, scale),
        currency,
      };
      return stripped({ ...goods, ...figures }, hidden);
    });
  const known = changes.flatMap(({ monthly }) => (monthly ? [monthly] : []));
  const isTold = can(ctx, AMOUNTS) && (known.length > 0 || changes.length === 0);
  const sum = isTold ? round(Decimal.sum(0, ...known), scale) : null;
  return { rows, compared, changed: changes.length, unknown, sum, currency };
}
