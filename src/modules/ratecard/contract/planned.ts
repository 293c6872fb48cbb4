import { Decimal } from '#kit/contract/decimal.ts';
import type { FreightBy, Plan, PlanSite } from './plans.ts';
import type { AtSite, Typed } from './results.ts';

/** Divisor of cm³ that gives kg where a plan has none: the usual one of air freight. */
const DIVISOR = '6000';

const number = (text: string): Decimal => new Decimal(text.trim() === '' ? '0' : text);

/** Kilograms by which freight is charged; null where it is typed in by hand. */
function freightWeight(by: FreightBy, typed: Typed, divisor: string): Decimal | null {
  if (by === 'MANUAL') return null;
  const volume = number(typed.length).times(number(typed.width)).times(number(typed.height));
  const weight = number(typed.weight);
  const dimensional = volume.div(number(divisor).gt(0) ? divisor : DIVISOR);
  if (by === 'WEIGHT') return weight;
  return by === 'VOLUME' ? dimensional : Decimal.max(weight, dimensional);
}

const typedSite = (at: AtSite | undefined): AtSite => at ?? { price: '', vat: '', rate: '' };

/**
 * What is reckoned with in one country under a plan: its shares and taxes take the place of what was typed in, and its
 * freight is weight times price (CNY, rounded to the cent) unless it is written by hand.
 */
export function planned(
  plan: Pick<Plan, 'freightBy' | 'sites'> | undefined,
  country: string,
  typed: Typed,
  at: AtSite | undefined,
): { typed: Typed; at: AtSite } {
  const site: PlanSite | undefined = plan?.sites.find((one) => one.country === country);
  if (!plan || !site) return { typed, at: typedSite(at) };
  const { freight, divisor, vat, country: _, ...shares } = site;
  const weight = freightWeight(plan.freightBy, typed, divisor);
  const firstLeg = weight === null ? typed.firstLeg : weight.times(number(freight)).toDecimalPlaces(2).toFixed();
  return { typed: { ...typed, ...shares, firstLeg }, at: { ...typedSite(at), vat } };
}
