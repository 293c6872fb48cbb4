import { sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { ratesOfDays } from '#modules/finance/server/index.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeDaysSelect } from '#modules/sales/server/index.ts';
import type { SalesFilter } from '../contract/fields.ts';
import { spansOf } from './days.ts';
import { siteCondition } from './filter.ts';
import { marketsOf } from './scope.ts';

/** How amounts come into one currency: by the rate of the day on which they were sold. */
export interface Exchange {
  currency: string;
  /** Something has to be converted; then `rates` holds a rate for each currency and day that has one. */
  converted: boolean;
  rates: { currencies: string[]; days: string[]; values: string[] };
  /** 「JPY 2026-07-15」 or 「JPY 2026-07-15 至 2026-07-18」: sales that no rate converts. They are left out of every sum. */
  missing: string[];
  /** The days of these. */
  without: readonly string[];
}

/** Whether some sales of a period have no rate: its amounts are not those of all that its pieces brought. */
export const isPartial = ({ without }: Pick<Exchange, 'without'>, { from, to }: Period): boolean =>
  without.some((day) => day >= from && day <= to);

/** Sold in a currency on a day. */
interface Used {
  currency: string;
  day: string;
}

function missingOf(lacking: readonly Used[]): string[] {
  const byCurrency = new Map<string, string[]>();
  for (const { currency, day } of lacking) {
    byCurrency.set(currency, [...(byCurrency.get(currency) ?? []), day]);
  }
  return [...byCurrency]
    .sort()
    .flatMap(([currency, days]) =>
      spansOf({ days }).map(({ from, to }) => `${currency} ${from === to ? from : `${from} 至 ${to}`}`),
    );
}

/** Rounded far behind what money shows, and only where one foreign currency goes into another. */
const RATE_PLACES = 20;

/**
 * The exchange of some days. 原币 is the one currency of all their sales; with several it is CNY. The rate of a day is that
 * of finance: the company's own of the month, else the official one, at most a week old. A missing one is told, never guessed.
 */
export async function exchangeOf(ctx: Ctx, filter: SalesFilter, days: readonly string[]): Promise<Exchange> {
  const spans = spansOf({ days: [...days] });
  const { rows: used } = await sql<Used>`
    SELECT DISTINCT s.currency, s.day FROM (${storeDaysSelect(ctx, spans)}) AS s
     WHERE ${siteCondition('s', filter)} AND (s.product_sales <> 0 OR s.discount <> 0)`.execute(ctx.db);
  const found = [...new Set(used.map(({ currency }) => currency))].sort();
  const [only, ...others] = found;
  const wanted = filter.currency ?? 'auto';
  const currency = wanted === 'auto' ? (others.length === 0 ? (only ?? 'CNY') : 'CNY') : wanted;
  // Ads may cost where nothing is sold.
  const ofSites = (await marketsOf(ctx, filter)).flatMap((id) => marketplaceOf(id)?.currency ?? []);
  const all = [...new Set([...found, ...ofSites])];
  if (all.every((one) => one === currency)) {
    return { currency, converted: false, rates: { currencies: [], days: [], values: [] }, missing: [], without: [] };
  }
  const hull: Period = { from: spans[0]?.from ?? '', to: spans.at(-1)?.to ?? '' };
  const known = await ratesOfDays(ctx, [...new Set([...all, currency])], hull);
  const into = new Map(known.filter((one) => one.currency === currency).map(({ day, rate }) => [day, rate]));
  const wantedDays = new Set(days);
  const rates: Exchange['rates'] = { currencies: [], days: [], values: [] };
  const has = new Set<string>();
  for (const { currency: code, day, rate } of known) {
    const target = into.get(day);
    if (code === currency || target === undefined || !wantedDays.has(day)) continue;
    has.add(`${code} ${day}`);
    rates.currencies.push(code);
    rates.days.push(day);
    rates.values.push(target === '1' ? rate : new Decimal(rate).div(target).toFixed(RATE_PLACES));
  }
  const lacking = used.filter((one) => one.currency !== currency && !has.has(`${one.currency} ${one.day}`));
  return {
    currency,
    converted: found.some((one) => one !== currency),
    rates,
    missing: missingOf(lacking),
    without: [...new Set(lacking.map(({ day }) => day))],
  };
}
