import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import type { salesOptions } from '../contract/details.ts';

interface Named {
  id: string;
  name: string;
}

/** Who, which brands and which categories can be filtered by, by name. */
export async function optionsOf(ctx: Ctx): Promise<Reply<typeof salesOptions>> {
  const { members } = await chartOf(ctx);
  const owners = [...members]
    .flatMap(([id, { name, active }]) => (active ? [{ id, name }] : []))
    .sort((a, b) => a.name.localeCompare(b.name, 'zh'));
  const brands = await sql<Named>`
    SELECT id, name FROM product.brand WHERE company_id = ${ctx.companyId} ORDER BY name`.execute(ctx.db);
  const categories = await sql<Named>`
    SELECT c.id, coalesce(p.name || ' / ', '') || c.name AS name FROM product.category AS c
      LEFT JOIN product.category AS p ON p.company_id = c.company_id AND p.id = c.parent_id
     WHERE c.company_id = ${ctx.companyId} ORDER BY 2`.execute(ctx.db);
  return { owners, brands: brands.rows, categories: categories.rows };
}
