import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { keepPublished } from '#modules/finance/server/rates/feed/feed.ts';
import { PLATFORM } from '#modules/system/contract/shared.ts';
import type { World } from './world.ts';

const DAY_MS = 86_400_000;
const WEEKS = 60;

/** Publishes exchange rates for every company of a world: of each week of the last year, by default the round ones. */
export async function publishRates(
  world: World,
  rates: Readonly<Record<string, string>> = PRESET_RATES,
): Promise<void> {
  const { CNY: _, ...foreign } = rates;
  const today = Date.parse(world.clock.today());
  const days = Array.from({ length: WEEKS }, (_none, week) => ({
    day: new Date(today - week * 7 * DAY_MS).toISOString().slice(0, 10),
    rates: new Map(Object.entries(foreign)),
  }));
  await inTenant(world.runtime, systemPrincipal(PLATFORM), async (ctx) => {
    ctx.audited = true;
    await keepPublished(ctx, { title: '公布汇率', read: () => [] }, days);
  });
}

/** Publishes the rates of some days for every company: CNY for one unit of each currency, by day "yyyy-MM-dd". */
export async function publishDays(world: World, days: Readonly<Record<string, Record<string, string>>>): Promise<void> {
  await inTenant(world.runtime, systemPrincipal(PLATFORM), async (ctx) => {
    ctx.audited = true;
    const told = Object.entries(days).map(([day, rates]) => ({ day, rates: new Map(Object.entries(rates)) }));
    await keepPublished(ctx, { title: '公布汇率', read: () => [] }, told);
  });
}
