import { type CashSource, cashSources } from '#kit/server/cash.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { type CashBalance, cashBalances, type DayRate, knownRates } from '#modules/finance/server/index.ts';
import { daysIn, type Horizon, USUAL_HORIZON } from '../contract/forecast.ts';
import { type Flow, type Placed, placed, type Rates, signedOf, worthOf } from './project.ts';
import { settingOf } from './setting.ts';

/** All that a forecast is made of. */
export interface Gathered {
  today: string;
  /** The last day that is looked at. */
  until: string;
  /** CNY. */
  floor: string;
  /** What is on hand, by currency. */
  balances: CashBalance[];
  /** Rates of today with where they are from; currencies without one are absent. */
  known: ReadonlyMap<string, DayRate>;
  rates: Rates;
  items: Placed[];
  /** What has no day: no figure of a day counts it. */
  undated: Flow[];
  sources: CashSource[];
  /** Titles of the kinds that the caller may not see. */
  hidden: string[];
}

const sourcesOf = (ctx: Ctx): CashSource[] =>
  extensionsOf(ctx.runtime.modules, cashSources).toSorted((one, other) => one.sort - other.sort);

/** The kinds of expected money that the caller may see, in their order. */
export const seenSources = (ctx: Ctx): CashSource[] => sourcesOf(ctx).filter(({ permission }) => can(ctx, permission));

/** Asks every source that the caller may see, and finds the rates of today for what they tell and what is on hand. */
export async function gather(ctx: Ctx, horizon: Horizon = USUAL_HORIZON): Promise<Gathered> {
  const { floor, bankDays } = await settingOf(ctx);
  const today = ctx.clock.today();
  const until = ctx.clock.dayAhead(daysIn(horizon) - 1);
  const sources = seenSources(ctx);
  const balances = await cashBalances(ctx);
  const told: { source: CashSource; expected: Awaited<ReturnType<CashSource['expect']>> }[] = [];
  // One after another: they share a connection.
  for (const source of sources) told.push({ source, expected: await source.expect(ctx, { today, until, bankDays }) });
  const currencies = [...balances, ...told.flatMap(({ expected }) => expected)].map(({ currency }) => currency);
  const known = await knownRates(ctx, [...new Set(currencies)], today);
  const rates = new Map([...known].map(([currency, { rate }]) => [currency, rate]));
  const items = told.flatMap(({ source: { kind, sort }, expected }) =>
    expected.flatMap(({ day, ...one }) =>
      day === null || day > until ? [] : [placed({ ...one, day }, { kind, sort }, today, rates)],
    ),
  );
  const undated = told
    .flatMap(({ expected }) => expected.filter(({ day }) => day === null))
    .map((one) => ({ direction: one.direction, worth: worthOf(signedOf(one), one.currency, rates) }));
  const hidden = sourcesOf(ctx)
    .filter((source) => !sources.includes(source))
    .map(({ title }) => title);
  return { today, until, floor, balances, known, rates, items, undated, sources, hidden };
}
