import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';

/** What a forwarder's answer is made of, amounts in its currency as decimal text. */
export interface Priced {
  price: string;
  /** kg, m³ or boxes that are paid for. */
  quantity: string;
  tax: string;
  otherFee: string;
  currency: string;
}

/** Amounts with the places of the currency, so that they add up to `total`. */
export interface Total {
  freight: string;
  total: string;
}

/** Freight = price × quantity, half up at the places of the currency; total = freight + tax + other fees. */
export function totalOf({ price, quantity, tax, otherFee, currency }: Priced): Total {
  const scale = currencyScale(currency);
  const freight = round(new Decimal(price).times(quantity), scale);
  return { freight, total: new Decimal(freight).plus(tax).plus(otherFee).toFixed(scale) };
}

/** Why an answer cannot be taken, in words for the user; undefined for a good one. `total` is what the forwarder says it comes to. */
export function totalProblem(answer: Priced, total: string | null): string | undefined {
  const scale = currencyScale(answer.currency);
  for (const [title, amount] of [
    ['税', answer.tax],
    ['其它费', answer.otherFee],
  ] as const) {
    if (new Decimal(amount).decimalPlaces() > scale) return `${title}：${answer.currency} 的金额不能有小数`;
  }
  const reckoned = totalOf(answer);
  if (new Decimal(reckoned.freight).isZero()) return '运费须大于0，请检查单价和计费量';
  if (new Decimal(reckoned.total).gte('1e12')) return '总价过大，请检查单价和计费量';
  if (total === null || new Decimal(total).eq(reckoned.total)) return undefined;
  return `总价 ${total} 与计算的 ${reckoned.total} 不同（单价×计费量＋税＋其它费），请与物流商核对`;
}
