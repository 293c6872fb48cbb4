import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import { packedMeasures } from '#modules/product/server/index.ts';
import { COUNTRIES, type calculatorFacts } from '../contract/calculator.ts';

/** A product as it is packed, and the rates of a day; what is not known is absent. */
export async function facts(
  ctx: Ctx,
  { productId, day }: z.output<typeof calculatorFacts.body>,
): Promise<Reply<typeof calculatorFacts>> {
  const measures = productId ? ((await packedMeasures(ctx, [productId])).get(productId) ?? null) : null;
  const rates: Reply<typeof calculatorFacts>['rates'] = [];
  for (const { currency } of COUNTRIES) {
    const found = await knownRate(ctx, currency, day);
    if (found) rates.push({ currency, rate: found.rate });
  }
  return { measures, rates };
}
