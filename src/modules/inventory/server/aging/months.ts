import { currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { AgingMonth, AgingPlan } from '../../contract/aging.ts';
import { type Card, daysBetween, depleted, type Goods, type Layer, storageFee, surcharge } from './reckon.ts';

/** So many times the surcharge is reckoned ahead. */
const MONTHS = 6;
/** On this day of a month Amazon counts what lies too long. */
const COUNTED_ON = 15;

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);

/** The next days on which Amazon counts, after a day. */
export function countDays(after: string): string[] {
  const [year = 0, month = 0, day = 0] = after.split('-').map(Number);
  const first = day < COUNTED_ON ? month : month + 1;
  return Array.from({ length: MONTHS }, (_, index) => iso(year, first + index, COUNTED_ON));
}

export interface Outlook {
  layers: readonly Layer[];
  goods: Goods;
  /** Pieces that leave on a day. */
  perDay: string;
  /** The day on which the layers lie there so. */
  today: string;
  /** Cards by the day on which they count; undefined where none is known. */
  aged: (day: string) => Card | undefined;
  storage: (day: string) => Card | undefined;
}

const totalOf = (layers: readonly Layer[]): number => layers.reduce((all, one) => all + one.qty, 0);

/** Pieces that have left until a day: whole ones. */
const goneBy = ({ perDay, today }: Outlook, day: string): number =>
  new Decimal(perDay)
    .times(Math.max(0, daysBetween(today, day)))
    .floor()
    .toNumber();

/** Average pieces of a month: half way between those of its first day and of the next month's. */
function averageOf(outlook: Outlook, year: number, month: number): Decimal {
  const have = totalOf(outlook.layers);
  const at = (day: string) => Math.max(0, have - goneBy(outlook, day));
  return new Decimal(at(iso(year, month, 1)) + at(iso(year, month + 1, 1))).div(2);
}

function monthOf(outlook: Outlook, day: string, currency: string): AgingMonth {
  const left = depleted(outlook.layers, goneBy(outlook, day));
  const card = outlook.aged(day);
  const charged = card && surcharge(card, outlook.goods, left, day);
  const [year = 0, month = 0] = day.split('-').map(Number);
  const stored = outlook.storage(day);
  return {
    day,
    left: totalOf(left),
    chargedQty: charged?.qty ?? 0,
    surcharge: charged?.fee ?? null,
    storage: stored ? storageFee(stored, outlook.goods, averageOf(outlook, year, month), month) : null,
    currency,
  };
}

/** A sum of what is known; null where one part of it is not. */
const known = (values: readonly (string | null)[], currency: string): string | null =>
  values.every((value) => value !== null) ? round(sum(values as string[]), currencyScale(currency)) : null;

/**
 * What lying there costs for six months, the oldest sold first; goods on their way are left out, as they would be sold last.
 * `removal` is what taking goods out costs besides.
 */
export function planOf(outlook: Outlook, currency: string, removal: string | null = null): AgingPlan {
  const months = countDays(outlook.today).map((day) => monthOf(outlook, day, currency));
  const charged = known(
    months.map((month) => month.surcharge),
    currency,
  );
  const storage = known(
    months.map((month) => month.storage),
    currency,
  );
  return {
    months,
    surcharge: charged,
    storage,
    removal,
    total: known([charged, storage, removal ?? '0'], currency),
  };
}
