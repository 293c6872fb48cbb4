import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { emit } from '#kit/server/events.ts';
import type { Bom, BomPart } from '../../contract/parts.ts';
import { partsChanged } from '../touched.ts';

/** Levels of parts below a product. */
export const MAX_DEPTH = 5;

/** Parts by product: the lists in force and those to come, because both must hold together. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** The way from a product back to itself, as ids with the first one at both ends; undefined where there is none. */
export function cycleFrom(graph: Graph, start: string): string[] | undefined {
  const path: string[] = [];
  const cleared = new Set<string>();
  const visit = (id: string): boolean => {
    if (id === start && path.length > 0) {
      path.push(id);
      return true;
    }
    if (cleared.has(id)) return false;
    cleared.add(id);
    path.push(id);
    if ((graph.get(id) ?? []).some(visit)) return true;
    path.pop();
    return false;
  };
  return visit(start) ? path : undefined;
}

/** Levels of parts below a product, 0 for one without; the graph has no cycle. */
export function depthBelow(graph: Graph, start: string): number {
  const known = new Map<string, number>();
  const below = (id: string): number => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const parts = graph.get(id) ?? [];
    const depth = parts.length === 0 ? 0 : 1 + Math.max(...parts.map(below));
    known.set(id, depth);
    return depth;
  };
  return below(start);
}

/** The same edges the other way round. */
export function reversed(graph: Graph): Graph {
  const back = new Map<string, string[]>();
  for (const [id, parts] of graph) for (const part of parts) back.set(part, [...(back.get(part) ?? []), id]);
  return back;
}

/** Edges of a company's lists that count today or later. */
export async function graphOf(ctx: Ctx): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ product: string; parts: string[] }>`
    SELECT b.product_id AS product, array_agg(DISTINCT l.component_id)::text[] AS parts
      FROM product.bom AS b
      JOIN product.bom_line AS l ON l.company_id = b.company_id AND l.bom_id = b.id
     WHERE b.company_id = ${ctx.companyId}
       AND (b.effective_from > ${ctx.clock.today()}::date OR b.id = product.bom_in_force(b.company_id, b.product_id, ${ctx.clock.today()}::date))
     GROUP BY b.product_id`.execute(ctx.db);
  return new Map(rows.map((row) => [row.product, row.parts]));
}

async function skusOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('product.local_product')
    .select(['id', 'sku'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row.sku]));
}

/** Changes of part lists of a company happen one after the other: a cycle may be closed from two ends at once. */
export async function lockParts(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`product.bom:${ctx.companyId}`}, 0))`.execute(ctx.db);
}

async function requireSound(ctx: Ctx, graph: Graph, productId: string): Promise<void> {
  const cycle = cycleFrom(graph, productId);
  if (cycle) {
    const skus = await skusOf(ctx, cycle);
    throw refused(`组合关系形成循环：${cycle.map((id) => skus.get(id) ?? id).join(' → ')}`, 'B0730');
  }
  const depth = depthBelow(graph, productId) + depthBelow(reversed(graph), productId);
  if (depth > MAX_DEPTH) throw refused(`组合关系最多${MAX_DEPTH}层，现为${depth}层`, 'B0731');
}

/** Writes what a product is by its lists: a bundle has parts, a component is one, anything else stands alone. */
export async function deriveStructure(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE product.local_product AS p SET structure = s.structure
      FROM (SELECT o.id, CASE
              WHEN EXISTS (SELECT FROM product.bom_line AS l WHERE l.company_id = o.company_id
                            AND l.bom_id = product.bom_in_force(o.company_id, o.id, ${ctx.clock.today()}::date)) THEN 'bundle'
              WHEN EXISTS (SELECT FROM product.bom_line AS l JOIN product.bom AS b ON b.company_id = l.company_id AND b.id = l.bom_id
                            WHERE l.company_id = o.company_id AND l.component_id = o.id
                              AND b.id = product.bom_in_force(b.company_id, b.product_id, ${ctx.clock.today()}::date)) THEN 'component'
              ELSE 'single' END AS structure
              FROM product.local_product AS o
             WHERE o.company_id = ${ctx.companyId} AND o.id = ANY (${[...ids]}::uuid[])) AS s
     WHERE p.company_id = ${ctx.companyId} AND p.id = s.id AND p.structure <> s.structure`.execute(ctx.db);
}

async function latest(ctx: Ctx, productId: string) {
  return ctx.db
    .selectFrom('product.bom')
    .select(['version_no', 'created_by_name', 'id'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .orderBy('version_no', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface BomInput {
  productId: string;
  versionNo?: number | undefined;
  effectiveFrom?: string | undefined;
  note?: string | undefined;
  lines: readonly BomPart[];
}

async function requireParts(ctx: Ctx, { productId, lines }: BomInput): Promise<void> {
  const parts = lines.map((line) => line.componentId);
  if (new Set(parts).size < parts.length) throw refused('子件重复', 'B0732');
  const rows = await ctx.db
    .selectFrom('product.local_product')
    .select(['id', 'sku', 'lifecycle', 'kind'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [productId, ...parts])
    .where('is_spelling', '=', false)
    .execute();
  if (rows.length < new Set([productId, ...parts]).size) throw notFound('产品不存在或已删除');
  const offline = rows.find((row) => row.lifecycle === 'offline');
  if (offline) throw refused(`产品「${offline.sku}」已停用`, 'B0733');
}

/**
 * Adds a version of a product's parts; none at all ends the list. Running orders keep the version they began with.
 * @throws AppError B0730 a cycle with its path, B0731 too deep, B0732 a part twice, B0733 a part out of use, 409 a newer
 *   version than the caller saw
 */
export async function saveBomVersion(ctx: Ctx, input: BomInput): Promise<{ versionNo: number }> {
  await lockParts(ctx);
  await requireParts(ctx, input);
  const { productId, lines } = input;
  const before = await latest(ctx, productId);
  const seen = before?.version_no ?? 0;
  if (input.versionNo !== undefined && input.versionNo !== seen) {
    throw conflict(`组合关系已被${before?.created_by_name ?? '他人'}修改为版本${seen}，请刷新`);
  }
  const old = before ? await partsOf(ctx, before.id) : [];
  const versionNo = seen + 1;
  const bom = await ctx.db
    .insertInto('product.bom')
    .values({
      company_id: ctx.companyId,
      product_id: productId,
      version_no: versionNo,
      effective_from: input.effectiveFrom ?? ctx.clock.today(),
      note: input.note ?? null,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (lines.length > 0) {
    await ctx.db
      .insertInto('product.bom_line')
      .values(
        lines.map((line, index) => ({
          company_id: ctx.companyId,
          bom_id: bom.id,
          line_no: index + 1,
          component_id: line.componentId,
          qty_per: line.qtyPer,
          scrap_share: line.scrapShare,
        })),
      )
      .execute();
  }
  await requireSound(ctx, await graphOf(ctx), productId);
  await deriveStructure(ctx, [productId, ...lines.map((line) => line.componentId), ...old]);
  await audit(ctx, {
    action: '保存组合关系',
    resource: 'product.bom',
    resourceId: productId,
    after: { versionNo, effectiveFrom: input.effectiveFrom ?? ctx.clock.today(), lines },
  });
  await emit(ctx, partsChanged, { productId, from: input.effectiveFrom ?? ctx.clock.today() });
  return { versionNo };
}

async function partsOf(ctx: Ctx, bomId: string): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('product.bom_line')
    .select('component_id')
    .where('company_id', '=', ctx.companyId)
    .where('bom_id', '=', bomId)
    .execute();
  return rows.map((row) => row.component_id);
}

/** The list of parts that is in force on a day (today where left out); null where there is none. */
export async function bomOf(ctx: Ctx, productId: string, day = ctx.clock.today()): Promise<Bom | null> {
  const { rows } = await sql<Bom>`
    SELECT b.id, b.version_no AS "versionNo", b.effective_from AS "effectiveFrom", b.note, b.created_by_name AS "by",
           b.created_at AS at,
           (SELECT jsonb_agg(jsonb_build_object('componentId', l.component_id, 'qtyPer', l.qty_per::text,
                     'scrapShare', l.scrap_share::text, 'sku', c.sku, 'name', c.name, 'image', c.image) ORDER BY l.line_no)
              FROM product.bom_line AS l
              JOIN product.local_product AS c ON c.company_id = l.company_id AND c.id = l.component_id
             WHERE l.company_id = b.company_id AND l.bom_id = b.id) AS lines
      FROM product.bom AS b
     WHERE b.company_id = ${ctx.companyId}
       AND b.id = product.bom_in_force(${ctx.companyId}, ${productId}, ${day}::date)`.execute(ctx.db);
  const bom = rows[0];
  return bom?.lines ? { ...bom, at: new Date(bom.at).toISOString() } : null;
}

export interface Exploded {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  depth: number;
  parentId: string;
  /** Exact need, scrap included, four decimals. */
  qty: string;
  /** A part without parts. */
  leaf: boolean;
}

/** What `qty` pieces of a product take, level by level: each part with scrap, need = qty · qtyPer / (1 − scrap). */
export async function explode(ctx: Ctx, productId: string, qty: number): Promise<Exploded[]> {
  const { rows } = await sql<Omit<Exploded, 'qty'> & { factor: string }>`
    WITH RECURSIVE tree AS (
      SELECT l.component_id AS id, ${productId}::uuid AS parent_id, 1 AS depth, l.qty_per / (1 - l.scrap_share) AS factor,
             ARRAY[l.line_no] AS place
        FROM product.bom_line AS l
       WHERE l.company_id = ${ctx.companyId}
         AND l.bom_id = product.bom_in_force(${ctx.companyId}, ${productId}, ${ctx.clock.today()}::date)
      UNION ALL
      SELECT l.component_id, t.id, t.depth + 1, t.factor * l.qty_per / (1 - l.scrap_share), t.place || l.line_no
        FROM tree AS t
        JOIN product.bom_line AS l ON l.company_id = ${ctx.companyId}
         AND l.bom_id = product.bom_in_force(${ctx.companyId}, t.id, ${ctx.clock.today()}::date)
       WHERE t.depth < ${MAX_DEPTH})
    SELECT t.id, p.sku, p.name, p.image, t.depth, t.parent_id AS "parentId", t.factor::text AS factor,
           p.structure <> 'bundle' AS leaf
      FROM tree AS t JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = t.id
     ORDER BY t.place`.execute(ctx.db);
  return rows.map(({ factor, ...row }) => ({ ...row, qty: new Decimal(factor).times(qty).toFixed(4) }));
}

/** A part of a product by the list in force today. */
export interface PartOf {
  componentId: string;
  /** Pieces for one product, without scrap. */
  qtyPer: string;
  /** Share that is spoilt, from 0 up to, not including, 1. */
  scrapShare: string;
}

/** The parts of several products at once, one level deep; a product without a list in force today is absent. */
export async function partsOfAll(ctx: Ctx, ids: readonly string[]): Promise<Map<string, PartOf[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ product: string; parts: PartOf[] }>`
    SELECT p.id AS product, jsonb_agg(jsonb_build_object('componentId', l.component_id, 'qtyPer', l.qty_per::text,
             'scrapShare', l.scrap_share::text) ORDER BY l.line_no) AS parts
      FROM unnest(${[...new Set(ids)]}::uuid[]) AS p(id)
      JOIN product.bom_line AS l ON l.company_id = ${ctx.companyId}
       AND l.bom_id = product.bom_in_force(${ctx.companyId}, p.id, ${ctx.clock.today()}::date)
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.product, row.parts]));
}

/** A product that has a list of parts, the same one each time. */
export async function someKit(ctx: Ctx): Promise<string | undefined> {
  const found = await ctx.db
    .selectFrom('product.bom')
    .select('product_id')
    .where('company_id', '=', ctx.companyId)
    .orderBy('product_id')
    .limit(1)
    .executeTakeFirst();
  return found?.product_id;
}

/** Whole pieces of a part for a number of products: qty · qtyPer / (1 − scrap), rounded up. */
export function partPieces(part: Pick<PartOf, 'qtyPer' | 'scrapShare'>, qty: number): number {
  const exact = new Decimal(part.qtyPer).times(qty).div(new Decimal(1).minus(part.scrapShare));
  return exact.toDecimalPlaces(6).ceil().toNumber();
}

/** Products that take this one, as a part or as a consumable. */
export async function usersOf(ctx: Ctx, productId: string) {
  const { rows } = await sql<{
    id: string;
    sku: string;
    name: string;
    image: string | null;
    way: 'bom' | 'consumable';
    qtyPer: string;
  }>`
    SELECT p.id, p.sku, p.name, p.image, u.way, u.qty_per::text AS "qtyPer" FROM (
      SELECT b.product_id, 'bom' AS way, l.qty_per FROM product.bom_line AS l
        JOIN product.bom AS b ON b.company_id = l.company_id AND b.id = l.bom_id
       WHERE l.company_id = ${ctx.companyId} AND l.component_id = ${productId}
         AND b.id = product.bom_in_force(b.company_id, b.product_id, ${ctx.clock.today()}::date)
      UNION ALL
      SELECT product_id, 'consumable', qty_per FROM product.consumable_use
       WHERE company_id = ${ctx.companyId} AND consumable_id = ${productId}) AS u
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = u.product_id
     ORDER BY p.sku LIMIT 1000`.execute(ctx.db);
  return rows;
}
