import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { CashCurrency, Horizon, readForecast } from '../contract/forecast.ts';
import { type Gathered, gather } from './gather.ts';
import { flowOf, lowestOf, projected, worthOf } from './project.ts';

/** Each currency that is on hand or expected, CNY first, in itself. */
function currenciesOf({ balances, items, known }: Gathered): CashCurrency[] {
  const onHand = new Map(balances.map(({ currency, amount }) => [currency, amount]));
  const expected = Map.groupBy(items, ({ currency }) => currency);
  const codes = [...new Set([...onHand.keys(), ...expected.keys()])].sort();
  const ordered = [...codes.filter((code) => code === 'CNY'), ...codes.filter((code) => code !== 'CNY')];
  return ordered.map((currency) => {
    const rate = known.get(currency);
    const part = (way: 'IN' | 'OUT') =>
      sum((expected.get(currency) ?? []).flatMap(({ direction, amount }) => (direction === way ? [amount] : [])));
    return {
      currency,
      opening: onHand.get(currency) ?? '0',
      inflow: part('IN'),
      outflow: part('OUT'),
      rate: rate?.rate ?? null,
      from: currency === 'CNY' ? 'base' : (rate?.from ?? 'none'),
    };
  });
}

/** The forecast of cash over some days from today. */
export async function forecast(ctx: Ctx, horizon: Horizon): Promise<Reply<typeof readForecast>> {
  const found = await gather(ctx, horizon);
  const { today, until, floor, balances, rates, items, undated, sources, hidden } = found;
  const opening = sum(balances.map(({ currency, amount }) => worthOf(amount, currency, rates) ?? '0'));
  const days = projected(opening, items, { today, until, floor });
  const { inflow, outflow } = flowOf(items);
  const gaps = days.filter(({ below }) => below);
  const late = items.filter(({ state }) => state === 'overdue');
  const byKind = Map.groupBy(items, ({ kind }) => kind);
  return {
    today,
    until,
    floor,
    opening,
    inflow,
    outflow,
    closing: new Decimal(opening).plus(inflow).minus(outflow).toFixed(),
    lowest: lowestOf(days),
    gaps: { count: gaps.length, first: gaps[0]?.day ?? null },
    overdue: { count: late.length, ...flowOf(late) },
    undated: { count: undated.length, ...flowOf(undated) },
    days,
    currencies: currenciesOf(found),
    kinds: sources.map(({ kind, title }) => {
      const own = byKind.get(kind) ?? [];
      return { kind, title, ...flowOf(own), items: own.length };
    }),
    hidden,
  };
}
