import { allocate, currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { packedSizes } from '#modules/product/server/index.ts';
import type { FeeSplit } from '../../contract/fields.ts';
import { amountOf, taxWithin } from '../../contract/money.ts';
import type { OrderInput } from '../../contract/order.ts';
import { isMeasured, measureOf } from '../measured.ts';

export interface Amounts {
  /** By line: pieces times price; share of freight and fees less discount. */
  lines: { amount: string; charge: string }[];
  goods: string;
  tax: string;
  total: string;
  /** Products without the weight or size by which the fees are to be shared: they would bear nothing. */
  unmeasured: string[];
}

/** What an order costs besides its goods, and how the lines share it. */
export type Fees = Pick<OrderInput, 'freight' | 'otherFee' | 'discount' | 'feeSplit' | 'currency'>;
export type PricedLine = Pick<OrderInput['lines'][number], 'productId' | 'qty' | 'gift' | 'unitPrice' | 'taxRate'>;

/** By what the fees are shared among lines, in their order. */
export async function weightsOf(
  ctx: Ctx,
  split: FeeSplit,
  lines: readonly PricedLine[],
  amounts: readonly string[],
): Promise<string[]> {
  if (split === 'AMOUNT') return [...amounts];
  if (split === 'QTY') return lines.map((line) => String(line.qty));
  const sizes = await packedSizes(
    ctx,
    lines.map((line) => line.productId),
  );
  return lines.map((line) => measureOf(split, sizes.get(line.productId)).times(line.qty).toFixed());
}

interface Charges {
  charges: string[];
  unmeasured: string[];
}

/** Shares of the fees, less the discount, by line; where there is no amount to share by, by pieces. */
async function chargesOf(
  ctx: Ctx,
  fees: Fees,
  lines: readonly PricedLine[],
  amounts: readonly string[],
): Promise<Charges> {
  const total = new Decimal(fees.freight).plus(fees.otherFee).minus(fees.discount).toFixed();
  const keyed = (weights: readonly string[]) =>
    new Map(weights.map((weight, index) => [String(index).padStart(6, '0'), weight]));
  // A discount goes by the amounts: a gift has none to be lowered.
  const split = new Decimal(total).isNegative() ? 'AMOUNT' : fees.feeSplit;
  const weights = await weightsOf(ctx, split, lines, amounts);
  const scale = currencyScale(fees.currency);
  const parts =
    allocate(total, keyed(weights), scale) ?? allocate(total, keyed(lines.map((line) => String(line.qty))), scale);
  const measured = isMeasured(split) && !new Decimal(total).isZero();
  const without = measured ? lines.filter((_, index) => new Decimal(weights[index] ?? 0).isZero()) : [];
  return { charges: [...(parts?.values() ?? [])], unmeasured: without.map((line) => line.productId) };
}

/** Amounts of an order: each line to the smallest unit of the currency, the fees shared without losing a unit. */
export async function amountsOf(ctx: Ctx, fees: Fees, lines: readonly PricedLine[]): Promise<Amounts> {
  const { currency } = fees;
  const amounts = lines.map((line) => (line.gift ? '0' : amountOf(line.qty, line.unitPrice, currency)));
  const { charges, unmeasured } = await chargesOf(ctx, fees, lines, amounts);
  const goods = sum(amounts);
  const tax = sum(lines.map((line, index) => taxWithin(amounts[index] ?? '0', line.taxRate, currency)));
  const shown = (amount: string) => round(amount, currencyScale(currency));
  return {
    lines: amounts.map((amount, index) => ({ amount, charge: charges[index] ?? '0' })),
    goods: shown(goods),
    tax: shown(tax),
    total: shown(sum([goods, ...charges])),
    unmeasured,
  };
}
