import { Decimal, ratio, round, sum } from '#kit/contract/decimal.ts';
import type { OwnerMonth } from '#modules/profit/server/index.ts';
import { commissionOf, type Rule } from '../contract/rule.ts';

/** A person's month: what it brought, its target, and the commission of it; null where one cannot be had. */
export interface Figures extends OwnerMonth {
  target: string | null;
  commission: string | null;
}

/** The rule of a month "yyyy-MM" among rules, the newest first. */
export function ruleOn(rules: readonly Pick<Rule, 'from' | 'steps'>[], month: string) {
  return rules.find(({ from }) => from <= month);
}

/** Puts target and commission to a month. What nobody answers for has neither; without a rule or a rate there is no commission. */
export function figuresOf(
  brought: OwnerMonth,
  target: string | null,
  rules: readonly Pick<Rule, 'from' | 'steps'>[],
): Figures {
  const rule = ruleOn(rules, brought.month);
  const { owner, profit } = brought;
  const commission = owner === '' || profit === null || !rule ? null : commissionOf(rule.steps, profit, target);
  return { ...brought, target, commission };
}

/** Sum of amounts; null where one of them is. */
function added(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? null : sum(known);
}

const PLACES = 6;
/** For the wire: more decimals than are ever shown, so that rounding happens once, at display. */
const wire = (value: string | null) => (value === null ? null : new Decimal(value).toDecimalPlaces(PLACES).toFixed());

/** Sum of the commission: null where a month has none for lack of a rate, or no month has a rule. */
function commissionSum(months: readonly Figures[]): string | null {
  const persons = months.filter(({ owner }) => owner !== '');
  if (persons.some(({ profit }) => profit === null)) return null;
  const known = persons.map(({ commission }) => commission).filter((value) => value !== null);
  return known.length === 0 ? null : round(sum(known), 2);
}

/** Several months, of one person or of all, as one row of figures. The reached part counts months that have a target. */
export function combined(months: readonly Figures[]) {
  const units = months.reduce((all, month) => all + month.units, 0);
  const refundUnits = months.reduce((all, month) => all + month.refundUnits, 0);
  const netSales = added(months.map((month) => month.netSales));
  const profit = added(months.map((month) => month.profit));
  const aimed = months.filter(({ target }) => target !== null);
  const target = aimed.length === 0 ? null : added(aimed.map((month) => month.target));
  const reached = added(aimed.map((month) => month.profit));
  return {
    netSales: wire(netSales),
    units,
    refundUnits,
    refundRate: units > 0 ? ratio(refundUnits, units) : null,
    ads: wire(added(months.map((month) => month.ads))),
    profit: wire(profit),
    margin: profit !== null && netSales !== null && new Decimal(netSales).gt(0) ? ratio(profit, netSales) : null,
    target,
    achieved: target === null || reached === null ? null : ratio(reached, target),
    commission: commissionSum(months),
  };
}
