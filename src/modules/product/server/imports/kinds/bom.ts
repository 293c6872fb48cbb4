import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import {
  cycleFrom,
  depthBelow,
  deriveStructure,
  graphOf,
  lockParts,
  MAX_DEPTH,
  reversed,
} from '../../catalogue/bom.ts';
import { decimal, type ImportColumn, share, sku } from '../columns.ts';
import type { ImportDef } from '../kind.ts';
import { rowsOf } from '../rows.ts';
import { doubled, productJoin, unknownSku } from './shared.ts';

const columns: ImportColumn[] = [
  { key: 'sku', title: '组合SKU', aliases: ['主sku', 'sku'], required: true, read: sku, sample: 'KD-SET-01' },
  { key: 'component', title: '子件SKU', required: true, read: sku, sample: 'KD-CUP-01' },
  {
    key: 'qty_per',
    title: '数量',
    aliases: ['用量'],
    required: true,
    read: decimal(4, { max: 99_999_999 }),
    sample: '2',
  },
  { key: 'scrap', title: '损耗率', read: share(0.9999), sample: '0' },
];

const NOW = (ctx: Ctx) => sql`product.bom_in_force(${ctx.companyId}, given.product_id, ${ctx.clock.today()}::date)`;

/** A version for each bundle whose parts are others than those in force. */
async function writeVersions(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH given AS (
      SELECT p.id AS product_id, c.id AS component_id, r.qty_per::numeric AS qty_per, coalesce(r.scrap, '0')::numeric AS scrap,
             r.line_no
        FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'p')} ${productJoin(ctx, 'component', 'c')}
    ), other AS (
      SELECT product_id FROM given GROUP BY product_id
      HAVING jsonb_agg(jsonb_build_array(component_id, trim_scale(qty_per), trim_scale(scrap)) ORDER BY component_id)
        IS DISTINCT FROM (SELECT jsonb_agg(jsonb_build_array(l.component_id, trim_scale(l.qty_per), trim_scale(l.scrap_share)) ORDER BY l.component_id)
                            FROM product.bom_line AS l WHERE l.company_id = ${ctx.companyId} AND l.bom_id = ${NOW(ctx)})
    ), made AS (
      INSERT INTO product.bom (company_id, product_id, version_no, effective_from, note, created_by_name)
      SELECT ${ctx.companyId}, o.product_id, coalesce((SELECT max(b.version_no) FROM product.bom AS b
               WHERE b.company_id = ${ctx.companyId} AND b.product_id = o.product_id), 0) + 1, ${ctx.clock.today()}::date, '导入', ${ctx.userName}
        FROM other AS o
      RETURNING id, product_id)
    , lines AS (
      INSERT INTO product.bom_line (company_id, bom_id, line_no, component_id, qty_per, scrap_share)
      SELECT ${ctx.companyId}, m.id, row_number() OVER (PARTITION BY m.id ORDER BY g.line_no), g.component_id, g.qty_per, g.scrap
        FROM made AS m JOIN given AS g ON g.product_id = m.product_id)
    SELECT product_id AS id FROM made`.execute(ctx.db);
  return rows.map((row) => row.id);
}

async function requireSound(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const graph = await graphOf(ctx);
  const back = reversed(graph);
  for (const id of ids) {
    const cycle = cycleFrom(graph, id);
    if (cycle) {
      const { rows } = await sql<{ sku: string }>`
        SELECT p.sku FROM unnest(${cycle}::uuid[]) WITH ORDINALITY AS c(id, n)
          JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.id = c.id ORDER BY n`.execute(
        ctx.db,
      );
      throw refused(`组合关系形成循环：${rows.map((row) => row.sku).join(' → ')}`, 'B0730');
    }
  }
  // Only where there is no cycle anywhere above or below is there a depth.
  for (const id of ids) {
    const depth = depthBelow(graph, id) + depthBelow(back, id);
    if (depth > MAX_DEPTH) throw refused(`组合关系最多${MAX_DEPTH}层，现为${depth}层`, 'B0731');
  }
}

async function write(ctx: Ctx): Promise<number> {
  await lockParts(ctx);
  const { rows: before } = await sql<{ id: string }>`
    SELECT DISTINCT l.component_id AS id FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'given')}
      JOIN product.bom_line AS l ON l.company_id = ${ctx.companyId}
       AND l.bom_id = product.bom_in_force(${ctx.companyId}, given.id, ${ctx.clock.today()}::date)`.execute(ctx.db);
  const ids = await writeVersions(ctx);
  await requireSound(ctx, ids);
  const { rows: parts } = await sql<{ id: string }>`
    SELECT DISTINCT c.id FROM pg_temp.import_row AS r ${productJoin(ctx, 'component', 'c')}`.execute(ctx.db);
  await deriveStructure(ctx, [...new Set([...ids, ...parts.map((row) => row.id), ...before.map((row) => row.id)])]);
  return ids.length;
}

export const bomImport: ImportDef = {
  title: '组装关系',
  columns,
  problems: (ctx) => sql`
    ${unknownSku(ctx, 'sku')} UNION ALL ${unknownSku(ctx, 'component')} UNION ALL ${doubled(['sku', 'component'], 'component')}
    UNION ALL SELECT line_no, 'component', '组合关系形成循环：' || sku || ' → ' || component, '子件不能是自身'
                FROM pg_temp.import_row WHERE lower(sku) = lower(component)`,
  write,
  current: (ctx) =>
    rowsOf(
      ctx,
      sql`SELECT p.sku, c.sku AS component, trim_scale(l.qty_per)::text AS qty_per, trim_scale(l.scrap_share)::text AS scrap
            FROM product.local_product AS p
            JOIN product.bom_line AS l ON l.company_id = p.company_id
             AND l.bom_id = product.bom_in_force(p.company_id, p.id, ${ctx.clock.today()}::date)
            JOIN product.local_product AS c ON c.company_id = l.company_id AND c.id = l.component_id
           WHERE p.company_id = ${ctx.companyId} AND p.structure = 'bundle' ORDER BY p.sku, l.line_no`,
    ),
};
