import { Decimal } from '#kit/contract/decimal.ts';

/** Price of one kg or m³ for shipments from … to …, both included; without an end for whatever is more. */
export interface Tier {
  from: string;
  to: string | null;
  price: string;
}

/** Why tiers cannot be those of a price card, in words for the user; undefined for good ones. They are read in their order. */
export function tierProblem(tiers: readonly Tier[]): string | undefined {
  if (tiers.length === 0) return '至少填写一档价格';
  for (const [index, tier] of tiers.entries()) {
    const words = `第 ${index + 1} 档`;
    if (tier.to !== null && new Decimal(tier.to).lt(tier.from)) return `${words}的止不能小于起`;
    if (new Decimal(tier.price).lte(0)) return `${words}的单价须大于0`;
    const before = tiers[index - 1];
    if (!before) continue;
    if (before.to === null) return `第 ${index} 档没有填止，后面不能再有档`;
    if (new Decimal(tier.from).lte(before.to)) return `${words}的起须大于上一档的止`;
  }
  return undefined;
}

/**
 * The tier of a billable quantity: the last that begins at or below it, so what lies between two tiers (50.5 of "21–50,
 * 51–100") is priced by the lower one. Undefined below the first tier and above the end of the last.
 */
export function tierOf(tiers: readonly Tier[], billable: string): Tier | undefined {
  const found = tiers.filter((tier) => new Decimal(tier.from).lte(billable)).at(-1);
  const isLast = found === tiers.at(-1);
  return found?.to != null && isLast && new Decimal(found.to).lt(billable) ? undefined : found;
}

/** What is charged for: a quantity at the price of a tier. */
export interface Chosen {
  tier: Tier;
  /** Kg or m³ that are paid for; more than was weighed where a higher tier came cheaper. */
  quantity: string;
}

/**
 * 升档: the billable quantity at the price of its tier, or the beginning of a higher tier at that one's price where the whole
 * is less. Looking at all higher tiers, not at the next alone, keeps a heavier shipment from ever being the cheaper one.
 */
export function chooseTier(tiers: readonly Tier[], billable: string, breakUp: boolean): Chosen | undefined {
  const own = tierOf(tiers, billable);
  if (!own) return undefined;
  let best: Chosen = { tier: own, quantity: billable };
  if (!breakUp) return best;
  const costOf = ({ tier, quantity }: Chosen) => new Decimal(quantity).times(tier.price);
  for (const tier of tiers.filter(({ from }) => new Decimal(from).gt(billable))) {
    const other = { tier, quantity: tier.from };
    if (costOf(other).lt(costOf(best))) best = other;
  }
  return best;
}
