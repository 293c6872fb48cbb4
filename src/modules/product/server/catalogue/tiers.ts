import { Decimal } from '#kit/contract/decimal.ts';

export interface PriceTier {
  /** From this quantity on, positive and whole. */
  minQty: number;
  /** Price of one piece, up to six decimals. */
  unitPrice: string;
}

/** Why tiers cannot be taken, or undefined. */
export function tierProblem(tiers: readonly PriceTier[]): string | undefined {
  if (tiers.some((tier) => !Number.isInteger(tier.minQty) || tier.minQty < 1)) return '数量必须为正整数';
  return new Set(tiers.map((tier) => tier.minQty)).size < tiers.length ? '阶梯数量重复' : undefined;
}

/** The first tier, by quantity, that costs more than the one before it: a typing slip more often than a price. */
export function tierWarning(tiers: readonly PriceTier[]): string | undefined {
  const sorted = [...tiers].sort((a, b) => a.minQty - b.minQty);
  const at = sorted.findIndex((tier, index) => {
    const before = sorted[index - 1];
    return before !== undefined && new Decimal(tier.unitPrice).gt(before.unitPrice);
  });
  return at < 0 ? undefined : `第${at + 1}档单价高于上一档，请确认`;
}

/** The tier of a quantity; below the first one its price holds all the same. */
export function tierFor(tiers: readonly PriceTier[], qty: number): PriceTier | undefined {
  const sorted = [...tiers].sort((a, b) => a.minQty - b.minQty);
  return sorted.findLast((tier) => tier.minQty <= qty) ?? sorted[0];
}

/** Digits after the point of a currency's smallest unit. */
const PLACES: Record<string, number> = { JPY: 0, KRW: 0 };
const places = (currency: string) => PLACES[currency] ?? 2;

/** Amount of a line: quantity times unit price, rounded half up to the smallest unit of the currency. */
export function lineAmount(qty: number, unitPrice: string, currency: string): string {
  return new Decimal(qty).times(unitPrice).toFixed(places(currency), Decimal.ROUND_HALF_UP);
}

export interface Quote {
  unitPrice: string;
  amount: string;
  /** Buying the next tier's minimum costs no more from this quantity on. */
  hint: { from: number; buy: number; amount: string } | null;
}

/** Price of a quantity, and whether it is so near the next tier that more pieces cost no more. */
export function quote(tiers: readonly PriceTier[], qty: number, currency: string): Quote | undefined {
  const tier = tierFor(tiers, qty);
  if (!tier) return undefined;
  const next = [...tiers].sort((a, b) => a.minQty - b.minQty).find((one) => one.minQty > qty);
  const amount = lineAmount(qty, tier.unitPrice, currency);
  if (!next) return { unitPrice: tier.unitPrice, amount, hint: null };
  const nextAmount = lineAmount(next.minQty, next.unitPrice, currency);
  const from = new Decimal(nextAmount).div(tier.unitPrice).ceil().toNumber();
  const near = qty >= from;
  return { unitPrice: tier.unitPrice, amount, hint: near ? { from, buy: next.minQty, amount: nextAmount } : null };
}

/** Pieces of a line's own price on an order: the tier follows from all lines of the product together. */
export function orderAmounts(tiers: readonly PriceTier[], lines: readonly number[], currency: string): string[] {
  const tier = tierFor(
    tiers,
    lines.reduce((sum, qty) => sum + qty, 0),
  );
  return tier ? lines.map((qty) => lineAmount(qty, tier.unitPrice, currency)) : [];
}

/** Pieces to buy for having at least `qty`: not below the minimum, a whole multiple. */
export function buyQty(qty: number, moq: number, multiple: number): number {
  return Math.ceil(Math.max(qty, moq) / multiple) * multiple;
}

/** Rules of a supplier that a quantity breaks, in words. */
export function quantityWarnings(qty: number, moq: number, multiple: number): string[] {
  return [
    ...(qty < moq ? [`低于起订量${moq}`] : []),
    ...(qty % multiple === 0 ? [] : [`须为${multiple}的整数倍，建议${buyQty(qty, moq, multiple)}`]),
  ];
}
