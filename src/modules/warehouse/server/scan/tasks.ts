import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import type { ScanKind, ScanMode, ScanTask } from '../../contract/scan.ts';
import { SHELVE } from '../../contract/shelf.ts';
import { mayMove, type Warehouse, warehouses } from '../documents/core/places.ts';
import { picksOf } from './picks.ts';

/** Kinds of the warehouse's own documents. */
export type OwnKind = Exclude<ScanKind, 'ship' | 'self'>;

type TaskMode = 'receive' | 'pick' | 'count';

const RIGHTS: Record<ScanMode, readonly string[]> = {
  putaway: [SHELVE],
  pull: [SHELVE],
  move: [SHELVE],
  receive: ['erp:wh:in:receive', 'erp:wh:transfer:receive', 'erp:wh:oversea:receive'],
  pick: ['erp:wh:out:ship'],
  count: ['erp:wh:stocktake:count'],
};

/** States in which a document waits for a scanner, by kind. */
export const WAITING: Record<OwnKind, { mode: TaskMode; states: readonly string[]; right: string }> = {
  inbound: { mode: 'receive', states: ['receiving', 'partial'], right: 'erp:wh:in:receive' },
  transfer: { mode: 'receive', states: ['shipped', 'partial'], right: 'erp:wh:transfer:receive' },
  overseas: { mode: 'receive', states: ['shipped', 'partial'], right: 'erp:wh:oversea:receive' },
  outbound: { mode: 'pick', states: ['picking'], right: 'erp:wh:out:ship' },
  stocktake: { mode: 'count', states: ['counting', 'recounting'], right: 'erp:wh:stocktake:count' },
};

/** What the caller may do, and the warehouses in use where he may do it, good pieces at home first. */
export async function start(ctx: Ctx): Promise<{ modes: ScanMode[]; warehouses: { id: string; name: string }[] }> {
  const picks = picksOf(ctx).map((one) => one.right);
  const modes = (Object.keys(RIGHTS) as ScanMode[]).filter((mode) =>
    [...RIGHTS[mode], ...(mode === 'pick' ? picks : [])].some((code) => can(ctx, code)),
  );
  const own = [...(await warehouses(ctx)).values()].filter(
    (one) => !one.disabled && one.kind !== 'FBA' && one.kind !== 'AWD' && mayMove(ctx, one.id),
  );
  const usual = (one: Warehouse) => Number(one.kind === 'LOCAL') + Number(one.quality === 'GOOD');
  own.sort((a, b) => usual(b) - usual(a));
  return { modes, warehouses: own.map(({ id, name }) => ({ id, name })) };
}

/** Documents that wait for pieces in a warehouse, the oldest first. */
export async function tasks(ctx: Ctx, mode: TaskMode, warehouseId: string): Promise<ScanTask[]> {
  const kinds = Object.entries(WAITING).filter(([, one]) => one.mode === mode && can(ctx, one.right));
  const wanted = JSON.stringify(kinds.flatMap(([kind, one]) => one.states.map((state) => ({ kind, state }))));
  const { rows } = await sql<ScanTask>`
    SELECT d.id, d.kind, d.number, d.partner, count(DISTINCT l.product_id)::int AS skus,
           coalesce(sum(l.qty), 0)::int AS qty, coalesce(sum(l.done_qty), 0)::int AS done
      FROM warehouse.document AS d
      JOIN jsonb_to_recordset(${wanted}::jsonb) AS w(kind text, state text) ON w.kind = d.kind AND w.state = d.state
      LEFT JOIN warehouse.document_line AS l ON l.company_id = d.company_id AND l.document_id = d.id
     WHERE d.company_id = ${ctx.companyId}
       AND CASE WHEN d.kind IN ('transfer', 'overseas') THEN d.to_warehouse_id ELSE d.warehouse_id END = ${warehouseId}
     GROUP BY d.id, d.kind, d.number, d.partner ORDER BY d.id LIMIT 200`.execute(ctx.db);
  if (mode !== 'pick') return rows;
  const more: ScanTask[] = [];
  for (const one of picksOf(ctx)) if (can(ctx, one.right)) more.push(...(await one.tasks(ctx, warehouseId)));
  return [...rows, ...more];
}
