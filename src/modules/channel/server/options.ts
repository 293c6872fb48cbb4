import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { productChoices } from '#modules/product/server/index.ts';
import { PLATFORMS, type salesOptions } from '../contract/fields.ts';
import { shopsOf } from './filter.ts';

/** Shops of every platform, the countries that something was sold to lately, and what products are told apart by. */
export async function optionsOf(ctx: Ctx): Promise<Reply<typeof salesOptions>> {
  const shops = await shopsOf(ctx);
  const { rows } = await sql<{ country: string }>`
    SELECT DISTINCT country FROM channel.pace WHERE company_id = ${ctx.companyId} ORDER BY 1`.execute(ctx.db);
  const { brands, categories, people } = await productChoices(ctx);
  return {
    shops: [...shops.values()].map(({ id, platform, name }) => ({ id, name: `${PLATFORMS[platform]} · ${name}` })),
    countries: rows.map(({ country }) => country),
    brands: brands.map(({ id, name }) => ({ id, name })),
    categories: categories.map(({ id, name }) => ({ id, name })),
    people: people.map(({ id, name }) => ({ id, name })),
  };
}
