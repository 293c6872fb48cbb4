import { sql } from 'kysely';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import { packedMeasures } from '#modules/product/server/index.ts';
import { COUNTRIES, type calculatorFacts } from '../contract/calculator.ts';

/** What a piece of a product costs on a day, CNY; null where nobody has told, or the caller may not see costs. */
async function costOf(ctx: Ctx, productId: string, day: string): Promise<string | null> {
  if (!can(ctx, 'fin:cost:view')) return null;
  const { rows } = await sql<{ cost: string }>`
    SELECT trim_scale(round(c.unit_cost, 4))::text AS cost FROM product.local_product AS p
      JOIN product.sku_cost AS c ON c.company_id = p.company_id AND c.sku = p.sku AND c.valid_from <= ${day}::date
     WHERE p.company_id = ${ctx.companyId} AND p.id = ${productId}
     ORDER BY c.valid_from DESC LIMIT 1`.execute(ctx.db);
  return rows[0]?.cost ?? null;
}

/** A product as it is packed and what it costs, and the rates of a day; what is not known is absent. */
export async function facts(
  ctx: Ctx,
  { productId, day }: z.output<typeof calculatorFacts.body>,
): Promise<Reply<typeof calculatorFacts>> {
  const measures = productId ? ((await packedMeasures(ctx, [productId])).get(productId) ?? null) : null;
  const rates: Reply<typeof calculatorFacts>['rates'] = [];
  for (const currency of new Set(COUNTRIES.map((site) => site.currency))) {
    const found = await knownRate(ctx, currency, day);
    if (found) rates.push({ currency, rate: found.rate });
  }
  return { measures, cost: productId ? await costOf(ctx, productId, day) : null, rates };
}
