import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Handover } from '#modules/identity/server/index.ts';
import type { TagUser } from '#modules/system/server/index.ts';

/** What somebody who leaves is responsible for among products, and to whom it passes. */
export const ownedProducts: Handover = {
  key: 'product.owner',
  title: '负责的产品',
  count: async (ctx: Ctx, from: string) => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM product.local_product
       WHERE company_id = ${ctx.companyId} AND (owner_id = ${from} OR purchaser_id = ${from})`.execute(ctx.db);
    return rows[0]?.n ?? 0;
  },
  move: async (ctx: Ctx, from: string, to: string) => {
    const { rows } = await sql`
      UPDATE product.local_product
         SET owner_id = CASE WHEN owner_id = ${from} THEN ${to}::uuid ELSE owner_id END,
             purchaser_id = CASE WHEN purchaser_id = ${from} THEN ${to}::uuid ELSE purchaser_id END, version = version + 1
       WHERE company_id = ${ctx.companyId} AND (owner_id = ${from} OR purchaser_id = ${from}) RETURNING 1`.execute(
      ctx.db,
    );
    return rows.length;
  },
};

/** Products carry tags. */
export const productTags: TagUser = {
  key: 'product',
  title: '产品',
  count: async (ctx, tagIds) => {
    const { rows } = await sql<{ id: string; n: number }>`
      SELECT t.id, count(*) AS n FROM unnest(${[...tagIds]}::uuid[]) AS t(id)
        JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.tag_ids @> ARRAY[t.id]
       GROUP BY t.id`.execute(ctx.db);
    return new Map(rows.map((row) => [row.id, row.n]));
  },
  move: async (ctx, from, to) => {
    const { rows } = await sql`
      UPDATE product.local_product SET tag_ids = array_remove(array_remove(tag_ids, ${from}::uuid), ${to}::uuid) || ${to}::uuid
       WHERE company_id = ${ctx.companyId} AND tag_ids @> ARRAY[${from}::uuid] RETURNING 1`.execute(ctx.db);
    return rows.length;
  },
};
