import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MAX_DEPTH } from './bom.ts';

/** A part without parts of its own, and how many of it are in one piece of a product. */
interface Leaf {
  product_id: string;
  day: string;
  part_id: string;
  /** Exact decimal, without scrap: what a buyer receives. */
  qty: string;
}

/**
 * SELECT of Leaf: products taken apart down to the last level by the lists that were in force on days. A product that had no
 * parts on its day is absent.
 * @param asked FROM item without alias whose rows have product_id and day, each pair once
 */
export function leavesOnDaysSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  asked: RawBuilder<unknown>,
): RawBuilder<Leaf> {
  return sql<Leaf>`
    WITH RECURSIVE tree AS (
      SELECT a.product_id, a.day, l.component_id AS part_id, l.qty_per::numeric AS qty, 1 AS depth
        FROM ${asked} AS a
        JOIN product.bom_line AS l ON l.company_id = ${companyId}
         AND l.bom_id = product.bom_in_force(${companyId}, a.product_id, a.day)
       WHERE a.product_id IN (SELECT b.product_id FROM product.bom AS b WHERE b.company_id = ${companyId})
      UNION ALL
      SELECT t.product_id, t.day, l.component_id, t.qty * l.qty_per, t.depth + 1
        FROM tree AS t
        JOIN product.bom_line AS l ON l.company_id = ${companyId}
         AND l.bom_id = product.bom_in_force(${companyId}, t.part_id, t.day)
       WHERE t.depth < ${sql.lit(MAX_DEPTH)})
    SELECT t.product_id, t.day, t.part_id, sum(t.qty) AS qty
      FROM tree AS t
     WHERE NOT EXISTS (
       SELECT FROM product.bom_line AS l
        WHERE l.company_id = ${companyId} AND l.bom_id = product.bom_in_force(${companyId}, t.part_id, t.day))
     GROUP BY t.product_id, t.day, t.part_id`;
}

/** Bundles that have these products as their last parts today: how many pieces of a part are in one bundle, exact decimal text. */
export async function bundlesOf(
  ctx: Ctx,
  partIds: readonly string[],
): Promise<{ bundleId: string; partId: string; qty: string }[]> {
  if (partIds.length === 0) return [];
  const above = await holdersOf(ctx, partIds);
  if (above.length === 0) return [];
  const asked = sql`(SELECT id AS product_id, ${ctx.clock.today()}::date AS day FROM unnest(${above}::uuid[]) AS u (id))`;
  const { rows } = await sql<{ bundleId: string; partId: string; qty: string }>`
    SELECT x.product_id AS "bundleId", x.part_id AS "partId", x.qty::text AS qty
      FROM (${leavesOnDaysSelect(ctx, asked)}) AS x WHERE x.part_id = ANY (${[...partIds]}::uuid[])`.execute(ctx.db);
  return rows;
}

/** Products that hold one of these at any level by any list, also a former one or one to come; not the products themselves. */
export async function holdersOf(ctx: Pick<Ctx, 'db' | 'companyId'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE held AS (
      SELECT b.product_id AS id, 1 AS depth
        FROM product.bom_line AS l
        JOIN product.bom AS b ON b.company_id = l.company_id AND b.id = l.bom_id
       WHERE l.company_id = ${ctx.companyId} AND l.component_id = ANY (${[...ids]}::uuid[])
      UNION
      SELECT b.product_id, h.depth + 1
        FROM held AS h
        JOIN product.bom_line AS l ON l.company_id = ${ctx.companyId} AND l.component_id = h.id
        JOIN product.bom AS b ON b.company_id = l.company_id AND b.id = l.bom_id
       WHERE h.depth < ${sql.lit(MAX_DEPTH)})
    SELECT DISTINCT id FROM held`.execute(ctx.db);
  return rows.map(({ id }) => id);
}
