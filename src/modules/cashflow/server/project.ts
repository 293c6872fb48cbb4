import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { CashExpectation } from '#kit/server/cash.ts';
import type { CashDay, CashState } from '../contract/forecast.ts';

/** An expectation on the day on which it counts. */
export interface Placed extends Omit<CashExpectation, 'day'> {
  kind: string;
  /** In the order of `kind`, so that rows of a day keep their kinds together. */
  sort: number;
  /** Today for what is overdue. */
  day: string;
  /** As it was told. */
  dueOn: string;
  state: CashState;
  /** Signed, in `currency`: what goes out is less than 0. */
  signed: string;
  /** Signed, CNY to the cent; null without a rate. */
  worth: string | null;
}

/** Rates of today by currency: CNY for one unit. */
export type Rates = ReadonlyMap<string, string>;

/** An amount in CNY, half up to the cent; null without a rate. */
export function worthOf(amount: string, currency: string, rates: Rates): string | null {
  const rate = rates.get(currency);
  if (rate === undefined) return null;
  return round(rate === '1' ? amount : new Decimal(amount).times(rate), 2);
}

/** An amount as it moves the balance: what goes out is less than 0. */
export const signedOf = ({ direction, amount }: Pick<CashExpectation, 'direction' | 'amount'>): string =>
  direction === 'IN' ? amount : `-${amount}`;

/** Puts an expectation on its day: what is overdue could be asked for any day, so it stands on today. */
export function placed(
  told: CashExpectation & { day: string },
  kind: Pick<Placed, 'kind' | 'sort'>,
  today: string,
  rates: Rates,
): Placed {
  const signed = signedOf(told);
  const overdue = told.day < today;
  return {
    ...told,
    ...kind,
    day: overdue ? today : told.day,
    dueOn: told.day,
    state: overdue ? 'overdue' : told.certainty,
    signed,
    worth: worthOf(signed, told.currency, rates),
  };
}

export type Flow = Pick<Placed, 'direction' | 'worth'>;

/** What comes in and what goes out of some items, CNY, both 0 or more; what has no rate is in neither. */
export function flowOf(items: readonly Flow[]): { inflow: string; outflow: string } {
  const part = (way: Flow['direction']) =>
    sum(items.flatMap(({ direction, worth }) => (direction === way && worth !== null ? [worth] : [])));
  return { inflow: part('IN'), outflow: new Decimal(part('OUT')).negated().toFixed() };
}

/**
 * The balance at the end of each day from `today` to `until`, beginning with what is on hand: exact sums of cents, so the
 * last one is the opening and all items together.
 */
export function projected(
  opening: string,
  items: readonly Placed[],
  { today, until, floor }: { today: string; until: string; floor: string },
): CashDay[] {
  const byDay = Map.groupBy(items, ({ day }) => day);
  const days: CashDay[] = [];
  let balance = new Decimal(opening);
  for (let day = today; day <= until; day = dayAfter(day, 1)) {
    const found = byDay.get(day) ?? [];
    const flow = flowOf(found);
    balance = balance.plus(flow.inflow).minus(flow.outflow);
    days.push({
      day,
      ...flow,
      balance: balance.toFixed(),
      items: found.length,
      overdue: found.filter(({ state }) => state === 'overdue').length,
      below: balance.lt(floor),
    });
  }
  return days;
}

/** The lowest balance, and the first day that ends with it. */
export function lowestOf(days: readonly CashDay[]): { day: string; balance: string } {
  const [first, ...others] = days;
  if (!first) throw new Error('a forecast has a day at least');
  const lowest = others.reduce((low, one) => (new Decimal(one.balance).lt(low.balance) ? one : low), first);
  return { day: lowest.day, balance: lowest.balance };
}
