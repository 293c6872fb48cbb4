import { allocate, currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';

type Weights = ReadonlyMap<string, string>;

/** What an advertising charge is shared by: the spend that is known of SKUs, and net sales for whatever it leaves. */
export interface AdBase {
  spend: Weights;
  netSales: Weights;
  /** Decimals in which nothing of a charge is lost. */
  scale: number;
}

const ZERO = new Decimal(0);

function add(to: Map<string, string>, parts: Weights | undefined, sign: number): void {
  for (const [sku, part] of parts ?? [])
    to.set(sku, new Decimal(to.get(sku) ?? 0).plus(new Decimal(part).times(sign)).toFixed());
}

/** Spend in units that can be charged, without the SKUs that cost less than one. */
function rounded(spend: Weights, currency: string): Map<string, string> {
  const whole = [...spend].map(
    ([sku, cost]) => [sku, new Decimal(cost).toDecimalPlaces(currencyScale(currency))] as const,
  );
  return new Map(whole.flatMap(([sku, cost]) => (cost.gt(0) ? [[sku, cost.toFixed()]] : [])));
}

/**
 * Shares the advertising charges of one month and currency (amounts as settled: below zero) over the SKUs. As far as the
 * charges are known spend, each SKU bears its own, to the last cent; what was charged beyond that, and what was given
 * back, is shared by net sales. Charges that are less than the spend, because the rest comes next month, are shared in
 * its proportions. The parts of each charge are the charge; one without any base stays undefined.
 */
export function shareAds(
  charges: readonly string[],
  currency: string,
  { spend, netSales, scale }: AdBase,
): (Map<string, string> | undefined)[] {
  const known = rounded(spend, currency);
  const total = new Decimal(sum(known.values()));
  const sizes = new Map(
    charges.map((amount, index) => [String(index), Decimal.max(0, new Decimal(amount).neg()).toFixed()]),
  );
  const charged = new Decimal(sum(sizes.values()));
  const covered = Decimal.min(total, charged);
  const byIndex = covered.gt(0) ? allocate(covered.toFixed(), sizes, scale) : undefined;
  const left = covered.eq(total) ? new Map(known) : (allocate(covered.toFixed(), known, scale) ?? new Map());
  return charges.map((amount, index) => {
    const own = new Decimal(byIndex?.get(String(index)) ?? 0);
    const parts = new Map<string, string>();
    if (own.gt(0)) {
      const bears = allocate(own.toFixed(), left, scale);
      add(parts, bears, -1);
      add(left, bears, -1);
    }
    const rest = new Decimal(amount).plus(own);
    if (rest.eq(ZERO)) return parts;
    const shared =
      allocate(rest.toFixed(), netSales, scale) ??
      (known.size > 0 ? allocate(rest.toFixed(), known, scale) : undefined);
    if (!shared) return undefined;
    add(parts, shared, 1);
    return parts;
  });
}
