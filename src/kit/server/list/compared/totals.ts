import { changeOf } from '../../../contract/compare.ts';
import { Decimal, ratio } from '../../../contract/decimal.ts';
import type { Totals } from '../../../contract/totals.ts';
import type { Ctx } from '../../context.ts';
import { moneyTotals } from '../mixed.ts';
import { type ComparedList, type Figures, fieldsOf, SIDES } from './def.ts';

/** Sums of one currency as decimal texts, null where nothing was told. */
export type CurrencySums = { currency: string } & Record<string, string | null>;

function addUp(values: readonly string[], whole: boolean): string | number {
  const total = Decimal.sum(...values);
  return whole ? total.toNumber() : total.toFixed();
}

/** over ÷ under; null without one of them, or by zero. */
export function divided(
  over: string | number | null | undefined,
  under: string | number | null | undefined,
): string | null {
  return over === null || over === undefined || under === null || under === undefined ? null : ratio(over, under);
}

/** Sums over the whole filter: ratios and changes are made of them, never of the rows'. */
export async function totalsOf(ctx: Ctx, list: ComparedList, rows: readonly CurrencySums[]): Promise<Totals> {
  const { measures, ratios = {} } = list;
  const money = Object.keys(measures).filter((name) => measures[name]?.kind === 'money');
  const amounts = money.flatMap((name) => SIDES.map((side) => `${name}${side}`));
  const totals: Totals = { ...(await moneyTotals(ctx, rows, amounts)) };
  const added: Figures = {};
  for (const name of Object.keys(measures).filter((one) => !money.includes(one))) {
    for (const side of SIDES) {
      const told = rows.flatMap((row) => row[`${name}${side}`] ?? []);
      added[`${name}${side}`] = told.length === 0 ? null : addUp(told, measures[name]?.kind === 'integer');
    }
  }
  for (const [name, [over, under]] of Object.entries(ratios)) {
    for (const side of SIDES) {
      const of = (one: string) => added[`${one}${side}`] ?? totals[`${one}${side}`];
      added[`${name}${side}`] = divided(of(over), of(under));
    }
  }
  for (const name of [...Object.keys(measures), ...Object.keys(ratios)]) {
    const of = (side: string) =>
      totals[`${name}${side}`] ?? totals[`${name}${side}.base`] ?? added[`${name}${side}`] ?? null;
    const [now, before] = [of(''), of('Before')];
    added[`${name}Change`] = now === null || before === null ? null : changeOf(now, before);
  }
  const shown = new Set(fieldsOf(list));
  return { ...totals, ...Object.fromEntries(Object.entries(added).filter(([name]) => shown.has(name))) };
}
