import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { StockStatus } from '../../../contract/stock.ts';

export interface Warehouse {
  id: string;
  name: string;
  code: string;
  kind: string;
  quality: 'GOOD' | 'QC' | 'DEFECTIVE';
  country: string;
  disabled: boolean;
}

const AT_REST: Record<Warehouse['quality'], StockStatus> = {
  GOOD: 'AVAILABLE',
  QC: 'QUARANTINE',
  DEFECTIVE: 'DEFECTIVE',
};

/** What pieces that lie in a warehouse are, by its quality. */
export function atRest(warehouse: Pick<Warehouse, 'quality'>): StockStatus {
  return AT_REST[warehouse.quality];
}

/** Every warehouse of the company, by id: the other end of a document may be out of the caller's sight. */
export async function warehouses(ctx: Ctx): Promise<Map<string, Warehouse>> {
  const { rows } = await unscoped(ctx, () =>
    sql<Warehouse>`
      SELECT id, name, code, kind, quality, country, disabled FROM warehouse.warehouse
       WHERE company_id = ${ctx.companyId} AND kind <> 'VIRTUAL' ORDER BY sort, name`.execute(ctx.db),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws refused for one that does not exist */
export async function warehouseOf(ctx: Ctx, id: string): Promise<Warehouse> {
  const found = (await warehouses(ctx)).get(id);
  if (!found) throw refused('仓库不存在或已删除', 'B0802');
  return found;
}

/** Whether the caller's data rights let him move stock in a warehouse. */
export function mayMove(ctx: Ctx, warehouse: string): boolean {
  if (!ctx.dataScope) return true;
  const reach = ctx.dataScope.write.warehouse;
  return reach === null || (reach?.includes(warehouse) ?? false);
}

/** Whether the caller's data rights let him see a warehouse. */
export function maySee(ctx: Ctx, warehouse: string): boolean {
  if (!ctx.dataScope) return true;
  const reach = ctx.dataScope.read.warehouse;
  return reach === null || (reach?.includes(warehouse) ?? false);
}

/** The warehouses that the caller may see, to choose from. */
export async function warehouseChoices(ctx: Ctx): Promise<{ value: string; title: string }[]> {
  const all = [...(await warehouses(ctx)).values()];
  return all.filter(({ id }) => maySee(ctx, id)).map(({ id, name }) => ({ value: id, title: name }));
}

/** @throws forbidden where the warehouse is out of the caller's data rights */
export function requireMove(ctx: Ctx, warehouse: string | null): void {
  if (warehouse !== null && !mayMove(ctx, warehouse)) throw forbidden('data');
}
