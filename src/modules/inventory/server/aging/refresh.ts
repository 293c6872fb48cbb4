import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { type AgingFact, agingFacts, goodsOf } from './facts.ts';
import { type Outlook, planOf } from './months.ts';
import { cardFinder, rateCards } from './rates.ts';
import { daysBetween, lowSupply } from './reckon.ts';

type Find = ReturnType<typeof cardFinder>;

/** Goods are new at Amazon's for so many days after their listing began. */
const NEW_DAYS = 180;
/** Rows that are written at once. */
const CHUNK = 2_000;

export const perDayOf = (fact: AgingFact): string => new Decimal(fact.shipped_30).div(30).toFixed(4);

/** How the goods of a row lie there, and what it is reckoned with. */
export function outlookOf(fact: AgingFact, find: Find): Outlook {
  const country = countryOf(fact.marketplace_id);
  return {
    layers: fact.layers,
    goods: goodsOf(fact),
    perDay: perDayOf(fact),
    today: fact.day,
    aged: (day) => find('AGED', country, day),
    storage: (day) => find('STORAGE', country, day),
  };
}

function rowOf(fact: AgingFact, find: Find) {
  const outlook = outlookOf(fact, find);
  const { months, surcharge, storage } = planOf(outlook, fact.currency);
  const [next] = months;
  const low = lowSupply(find('LOW', countryOf(fact.marketplace_id), fact.day), outlook.goods, {
    short: fact.short,
    long: fact.long,
    week: fact.shipped_7,
    available: fact.available,
    young: fact.opened_at !== null && daysBetween(fact.opened_at.slice(0, 10), fact.day) < NEW_DAYS,
  });
  return {
    day: fact.day,
    row_id: fact.row_id,
    per_day: outlook.perDay,
    volume: fact.volume,
    tier: outlook.goods.tier,
    exempt: outlook.goods.exempt,
    estimated: fact.layers.reduce((all, one) => all + (one.estimated ? one.qty : 0), 0),
    next_day: next?.day,
    next_qty: next?.chargedQty ?? 0,
    next_fee: next?.surcharge ?? null,
    half_fee: surcharge,
    half_storage: storage,
    supply_30: low.days30,
    supply_90: low.days90,
    low_band: low.band,
    low_fee: low.fee,
    low_month: low.month,
    to_reach: low.toReach,
  };
}

async function write(ctx: Ctx, accountId: string, rows: readonly object[]): Promise<void> {
  await sql`
    INSERT INTO inventory.aging_forecast
    SELECT ${ctx.companyId}, ${accountId}, r.day, r.row_id, r.per_day, r.volume, r.tier, r.exempt, r.estimated, r.next_day,
           r.next_qty, r.next_fee, r.half_fee, r.half_storage, r.supply_30, r.supply_90, r.low_band, r.low_fee, r.low_month,
           r.to_reach
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(day date, row_id uuid, per_day numeric, volume numeric,
           tier text, exempt boolean, estimated int, next_day date, next_qty int, next_fee numeric, half_fee numeric,
           half_storage numeric, supply_30 numeric, supply_90 numeric, low_band text, low_fee numeric, low_month numeric,
           to_reach int)`.execute(ctx.db);
}

/** Makes the forecasts of an account anew from its newest planning reports. One run at a time; answers how many there are. */
export async function refreshAging(ctx: Ctx, accountId: string): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`inventory.aging:${ctx.companyId}:${accountId}`}, 0))`.execute(
    ctx.db,
  );
  const find = cardFinder(await rateCards(ctx));
  const rows = (await agingFacts(ctx, accountId)).map((fact) => rowOf(fact, find));
  await sql`DELETE FROM inventory.aging_forecast WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}`.execute(
    ctx.db,
  );
  for (let at = 0; at < rows.length; at += CHUNK) await write(ctx, accountId, rows.slice(at, at + CHUNK));
  return rows.length;
}
