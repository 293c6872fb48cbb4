import { sql } from 'kysely';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { booksSince } from '#modules/listing/server/index.ts';
import type { SimulatedRow, SimulatedStep, simulateRule } from '../contract/runs.ts';
import type { RuleSettings } from '../contract/settings.ts';
import { floorOf } from './cost.ts';
import { decide } from './engine.ts';
import { ownSellers, siteClock } from './gather.ts';
import { ruleDetail } from './rules.ts';

const MOST_LISTINGS = 100;
const MOST_STEPS = 300;

interface Line {
  id: string;
  accountId: string;
  marketplaceId: string;
  sellerSku: string;
  asin: string | null;
  currency: string;
  fulfilledBy: string;
  minPrice: string;
  maxPrice: string;
  otherCost: string;
  price: string | null;
}

type Book = Awaited<ReturnType<typeof booksSince>>[number];

/** The own offer at the price that the rule would have set, and nobody featured in its place who was not. */
function repriced(offers: readonly MarketOffer[], own: ReadonlySet<string>, price: string): MarketOffer[] {
  return offers.map((one) =>
    own.has(one.sellerId)
      ? { ...one, own: true, price, landed: new Decimal(price).plus(one.shipping).toFixed() }
      : { ...one, own: false },
  );
}

/** Walks one listing through its past offers; whoever was featured then is taken to have been featured all the same. */
async function walk(
  ctx: Ctx,
  { line, settings, own, days }: { line: Line; settings: RuleSettings; own: ReadonlySet<string>; days: number },
): Promise<{ row: SimulatedRow; steps: SimulatedStep[] }> {
  const { id, sellerSku, currency, asin } = line;
  const grounds = settings.guard ? await floorOf(ctx, line, settings) : { floor: null };
  const none = { id, sellerSku, currency, books: 0, changes: 0, floored: 0, lowest: null, highest: null, last: null };
  if (typeof grounds === 'string') return { row: { ...none, words: grounds }, steps: [] };
  const books: Book[] = asin === null ? [] : await booksSince(ctx, { ...line, asin }, days);
  const steps: SimulatedStep[] = [];
  let price = books.find((one) => one.ownPrice !== null)?.ownPrice ?? line.price;
  if (books.length === 0 || price === null) return { row: { ...none, words: '没有历史报价' }, steps };
  const seen = [new Decimal(price)];
  let [floored, words, changedAt, day, dayOpen] = [0, '', null as number | null, '', price];
  for (const book of books) {
    const clock = await siteClock(ctx, line.marketplaceId, book.asOf);
    if (clock.dayStart !== day) [day, dayOpen] = [clock.dayStart, price];
    const at = Date.parse(book.asOf);
    const made = decide({
      settings,
      price,
      shipping: book.offers.find((one) => one.own)?.shipping ?? '0',
      ownFba: line.fulfilledBy === 'AMAZON',
      offers: repriced(book.offers, own, price),
      min: line.minPrice,
      max: line.maxPrice,
      floor: grounds.floor,
      dayOpen,
      sinceMin: changedAt === null ? null : (at - changedAt) / 60_000,
      weekday: clock.weekday,
      hour: clock.hour,
      scale: currencyScale(currency),
    });
    words = made.words;
    if (made.price === null) continue;
    steps.push({ at: book.asOf, sellerSku, oldPrice: price, newPrice: made.price, words, currency });
    price = made.price;
    changedAt = at;
    floored += made.atFloor ? 1 : 0;
    seen.push(new Decimal(price));
  }
  const lowest = Decimal.min(...seen).toFixed();
  const highest = Decimal.max(...seen).toFixed();
  return {
    row: { ...none, books: books.length, changes: steps.length, floored, lowest, highest, last: price, words },
    steps,
  };
}

/**
 * What a rule would have done with the offers of the last days, its costs and limits being today's. Sends and writes nothing.
 * Of at most a hundred listings. @throws 404
 */
export async function simulate(
  ctx: Ctx,
  { ruleId, days }: { ruleId: string; days: string },
): Promise<Reply<typeof simulateRule>> {
  const settings = await ruleDetail(ctx, ruleId);
  const { rows: lines } = await sql<Line>`
    SELECT b.id, b.account_id AS "accountId", b.marketplace_id AS "marketplaceId", b.seller_sku AS "sellerSku", p.asin,
           p.currency, p.fulfilled_by AS "fulfilledBy", b.min_price::text AS "minPrice", b.max_price::text AS "maxPrice",
           b.other_cost::text AS "otherCost", p.price
      FROM repricing.binding AS b
      JOIN listing.product AS p ON p.company_id = b.company_id AND p.listing_id = b.listing_id
     WHERE b.company_id = ${ctx.companyId} AND b.rule_id = ${ruleId} ORDER BY b.seller_sku, b.id LIMIT ${MOST_LISTINGS}`.execute(
    ctx.db,
  );
  const own = await ownSellers(ctx);
  const rows: SimulatedRow[] = [];
  const steps: SimulatedStep[] = [];
  for (const line of lines) {
    const made = await walk(ctx, { line, settings, own, days: Number(days) });
    rows.push(made.row);
    steps.push(...made.steps);
  }
  const newest = steps.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MOST_STEPS);
  return { rows, steps: newest };
}
