import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { chooseTier, type Tier } from './tiers.ts';
import type { Refusal, Weighed } from './weigh.ts';

/** A fee beside the freight, once for a shipment or for each of its boxes. */
export interface Fee {
  name: string;
  amount: string;
  per: 'SHIPMENT' | 'BOX';
}

/** What a price card says, amounts in `currency`; `fuel` is a ratio. */
export interface Card {
  currency: string;
  fuel: string;
  minCharge: string;
  fees: readonly Fee[];
  tiers: readonly Tier[];
}

/** What a shipment costs, each amount with the places of the currency, so that they add up to `total`. */
export interface Charged {
  /** Price of one kg or m³. */
  price: string;
  /** Kg or m³ that are paid for. */
  quantity: string;
  freight: string;
  fuelFee: string;
  fees: string;
  total: string;
}

const UNITS = { KG: 'kg', CBM: 'm³' };

function outside(tiers: readonly Tier[], billable: string, unit: string): string {
  const first = tiers[0];
  if (first && new Decimal(billable).lt(first.from)) return `计费量 ${billable}${unit} 低于首档 ${first.from}${unit}`;
  return `计费量 ${billable}${unit} 超过最高档 ${tiers.at(-1)?.to ?? ''}${unit}`;
}

/**
 * Freight = max(quantity × price of its tier, minimum charge), a fuel surcharge on that, and the fixed fees. Quantities below
 * the first tier or above the last have no price but a reason.
 */
export function charge(
  card: Card,
  { billable, boxes }: Pick<Weighed, 'billable' | 'boxes'>,
  rule: { billUnit: 'KG' | 'CBM'; breakUp: boolean },
): Charged | Refusal {
  const chosen = chooseTier(card.tiers, billable, rule.breakUp);
  if (!chosen) return { why: outside(card.tiers, billable, UNITS[rule.billUnit]) };
  const scale = currencyScale(card.currency);
  const money = (amount: Decimal) => round(amount, scale);
  const freight = money(Decimal.max(new Decimal(chosen.quantity).times(chosen.tier.price), card.minCharge));
  const fuelFee = money(new Decimal(freight).times(card.fuel));
  const fees = card.fees.reduce(
    (sum, fee) => sum.plus(money(new Decimal(fee.amount).times(fee.per === 'BOX' ? boxes : 1))),
    new Decimal(0),
  );
  const total = new Decimal(freight).plus(fuelFee).plus(fees);
  return {
    price: chosen.tier.price,
    quantity: chosen.quantity,
    freight,
    fuelFee,
    fees: fees.toFixed(scale),
    total: total.toFixed(scale),
  };
}
