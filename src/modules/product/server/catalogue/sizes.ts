import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

export interface PackedSize {
  /** kg with its packaging; null where nobody measured it. */
  weight: string | null;
  /** cm³ with its packaging; null where a side is missing. */
  volume: string | null;
}

/** Weight and volume of one piece as it is packed, its own where the packaging was not measured; absent without either. */
export async function packedSizes(ctx: Ctx, ids: readonly string[]): Promise<Map<string, PackedSize>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PackedSize & { id: string }>`
    SELECT product_id AS id,
           (array_agg(weight ORDER BY role = 'packed' DESC) FILTER (WHERE weight IS NOT NULL))[1]::text AS weight,
           (array_agg(length * width * height ORDER BY role = 'packed' DESC)
             FILTER (WHERE length * width * height IS NOT NULL))[1]::text AS volume
      FROM product.dimension
     WHERE company_id = ${ctx.companyId} AND role IN ('packed', 'net') AND product_id = ANY (${[...new Set(ids)]}::uuid[])
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map(({ id, ...size }) => [id, size]));
}

/** A case as it comes from the factory: kg and cm, null where nobody measured it. */
export interface Carton {
  weight: string | null;
  length: string | null;
  width: string | null;
  height: string | null;
  /** Pieces in one. */
  units: number | null;
}

/** The cases of products; absent where nothing is known of one. */
export async function cartonsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Carton>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Carton & { id: string }>`
    SELECT product_id AS id, weight::text, length::text, width::text, height::text, units_per_carton AS units
      FROM product.dimension
     WHERE company_id = ${ctx.companyId} AND role = 'carton' AND product_id = ANY (${[...new Set(ids)]}::uuid[])`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, ...carton }) => [id, carton]));
}

/** One piece as it is packed: kg and cm, null where nobody measured it. */
export interface PackedMeasures {
  weight: string | null;
  length: string | null;
  width: string | null;
  height: string | null;
}

/** Products as they are packed, never the bare ones; absent where the packaging was not measured. */
export async function packedMeasures(ctx: Ctx, ids: readonly string[]): Promise<Map<string, PackedMeasures>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PackedMeasures & { id: string }>`
    SELECT product_id AS id, trim_scale(weight)::text AS weight, trim_scale(length)::text AS length,
           trim_scale(width)::text AS width, trim_scale(height)::text AS height
      FROM product.dimension
     WHERE company_id = ${ctx.companyId} AND role = 'packed' AND product_id = ANY (${[...new Set(ids)]}::uuid[])`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, ...measures }) => [id, measures]));
}
