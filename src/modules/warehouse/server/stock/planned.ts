import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { StockRow } from '../../contract/inventory.ts';
import { HOLD_DAYS, type PlannedRow } from '../../contract/planned.ts';

/** Pieces that a submitted plan wants. */
export interface Planned {
  product: string;
  warehouse: string;
  qty: number;
  /** What people call the plan, e.g. 出库单, its number and its page. */
  kind: string;
  id: string;
  number: string;
  path: string | null;
  /** When it was submitted. */
  since: Date;
}

/** Which plans are asked for: those of these products in these warehouses, submitted on `since` or later. */
export interface PlannedQuery {
  products: readonly string[];
  warehouses: readonly string[];
  since: Date;
}

/** Modules whose submitted plans hold pieces softly (计划占用) before the ledger does name them here. */
export const plannedUses =
  extensionPoint<(ctx: Ctx, query: PlannedQuery) => Promise<Planned[]>>('warehouse.plannedUses');

const DAY_MS = 86_400_000;

/** What submitted plans of the last days want of products in warehouses, whoever made them. */
export async function plannedFor(
  ctx: Ctx,
  products: readonly string[],
  warehouses: readonly string[],
): Promise<Planned[]> {
  const since = new Date(ctx.runtime.clock.ms() - HOLD_DAYS * DAY_MS);
  const found: Planned[] = [];
  for (const uses of extensionsOf(ctx.runtime.modules, plannedUses)) {
    found.push(...(await uses(ctx, { products, warehouses, since })));
  }
  return found;
}

/** Rows with 计划占用 and what may still be promised: ATP = available − planned; below 0 where plans want too much. */
export async function withPlanned(ctx: Ctx, rows: readonly StockRow[]): Promise<StockRow[]> {
  if (rows.length === 0) return [];
  const planned = await plannedFor(
    ctx,
    rows.map((row) => row.productId),
    rows.map((row) => row.warehouseId),
  );
  const wanted = new Map<string, number>();
  for (const { product, warehouse, qty } of planned) {
    const key = `${product}.${warehouse}`;
    wanted.set(key, (wanted.get(key) ?? 0) + qty);
  }
  return rows.map((row) => {
    const qty = wanted.get(`${row.productId}.${row.warehouseId}`) ?? 0;
    return { ...row, planned: qty, promisable: row.available - qty };
  });
}

/** The plans behind the 计划占用 of a product in a warehouse, the oldest first. */
export async function plannedRows(ctx: Ctx, of: { productId: string; warehouseId: string }): Promise<PlannedRow[]> {
  const planned = await plannedFor(ctx, [of.productId], [of.warehouseId]);
  return planned
    .sort((a, b) => a.since.getTime() - b.since.getTime())
    .map(({ id, kind, number, qty, since, path }) => ({
      id,
      kind,
      number,
      qty,
      since: since.toISOString(),
      until: new Date(since.getTime() + HOLD_DAYS * DAY_MS).toISOString(),
      path,
    }));
}

/** Documents of the warehouse that wait for approval; what they take apart or build counts as what they use up. */
export function plannedDocuments(titleOf: (kind: string) => { title: string; path: (id: string) => string }) {
  return async (ctx: Ctx, { products, warehouses, since }: PlannedQuery): Promise<Planned[]> => {
    const { rows } = await sql<Omit<Planned, 'kind' | 'path' | 'since'> & { kind: string; since: string }>`
      SELECT x.product, d.warehouse_id AS warehouse, x.qty, d.kind, d.id, d.number, d.updated_at AS since
        FROM warehouse.document AS d
        JOIN warehouse.warehouse AS w ON w.company_id = d.company_id AND w.id = d.warehouse_id AND w.quality = 'GOOD'
        CROSS JOIN LATERAL (
          SELECT l.product_id AS product, sum(l.qty)::int AS qty FROM warehouse.document_line AS l
           WHERE d.type <> 'DISASSEMBLE' AND l.company_id = d.company_id AND l.document_id = d.id GROUP BY 1
          UNION ALL
          SELECT d.product_id, d.qty WHERE d.type = 'DISASSEMBLE') AS x
       WHERE d.company_id = ${ctx.companyId} AND d.state = 'pending' AND d.updated_at >= ${since.toISOString()}
         AND d.kind IN ('outbound', 'transfer', 'overseas', 'exchange', 'assembly')
         AND d.warehouse_id = ANY (${[...new Set(warehouses)]}::uuid[])
         AND x.product = ANY (${[...new Set(products)]}::uuid[]) AND x.qty > 0`.execute(ctx.db);
    return rows.map((row) => {
      const { title, path } = titleOf(row.kind);
      return { ...row, kind: title, path: path(row.id), since: new Date(row.since) };
    });
  };
}
