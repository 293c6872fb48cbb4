import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { pickedBy, type ScanPicks } from '#modules/warehouse/server/index.ts';
import { selfSteps } from '../../contract/self/calls.ts';
import { SELF_PICK, SELF_SHIP } from '../../contract/self/fields.ts';
import { SOURCE } from './events.ts';
import { loaded, type SelfDoc } from './load.ts';
import { pickDoc, rowsOf } from './pick.ts';

async function waiting(ctx: Ctx, warehouseId: string) {
  const { rows } = await sql<{ id: string; number: string; partner: string; skus: number; qty: number }>`
    SELECT d.id, d.number, d.country AS partner, count(*)::int AS skus, sum(l.qty * p.qty_per)::int AS qty
      FROM shipping.self_doc AS d
      JOIN shipping.self_line AS l ON l.company_id = d.company_id AND l.doc_id = d.id
      JOIN shipping.self_part AS p ON p.company_id = l.company_id AND p.line_id = l.id
     WHERE d.company_id = ${ctx.companyId} AND d.warehouse_id = ${warehouseId} AND d.state IN ('printing', 'ready')
     GROUP BY d.company_id, d.id ORDER BY d.latest_ship_at NULLS LAST, d.id LIMIT 200`.execute(ctx.db);
  const ids = rows.map((row) => row.id);
  const picked = await unscoped(ctx, () => pickedBy(ctx, SOURCE, ids));
  return rows.map((row) => ({ ...row, kind: 'self' as const, done: picked.get(row.id) ?? 0 }));
}

async function taskOf(ctx: Ctx, doc: SelfDoc) {
  const product = new Map(doc.parts.map((part) => [part.id, part.product]));
  const lines = (await rowsOf(ctx, doc)).map((row) => ({
    lineId: row.lineId,
    productId: product.get(row.lineId) ?? '',
    want: row.want,
    done: row.picked,
    locationId: null,
    place: row.place,
  }));
  const sum = (key: 'want' | 'done') => lines.reduce((total, line) => total + line[key], 0);
  return {
    id: doc.id,
    kind: 'self' as const,
    number: doc.number,
    partner: doc.country,
    state: doc.state,
    skus: new Set(lines.map((line) => line.productId)).size,
    qty: sum('want'),
    done: sum('done'),
    lines,
    ...(can(ctx, SELF_SHIP) ? { out: selfSteps.ship.path } : {}),
  };
}

/** Self-shipping documents that are picked with a scanner; labels and sheets carry their number. */
export const selfPicks: ScanPicks = {
  kind: 'self',
  prefix: 'PS',
  right: SELF_PICK,
  tasks: waiting,
  task: async (ctx, id) => {
    const doc = await loaded(ctx, id);
    return { warehouseId: doc.warehouse, task: await taskOf(ctx, doc) };
  },
  find: async (ctx, text) => {
    const { rows } = await sql<{ id: string; number: string; warehouseId: string }>`
      SELECT id, number, warehouse_id AS "warehouseId" FROM shipping.self_doc
       WHERE company_id = ${ctx.companyId} AND (id::text = ${text.toLowerCase()} OR number = ${text.toUpperCase()}) LIMIT 1`.execute(
      ctx.db,
    );
    return rows[0];
  },
  pick: (ctx, input) => {
    const lines = input.lines.filter((line) => line.qty > 0).map(({ lineId, qty }) => ({ lineId, qty }));
    return pickDoc(ctx, { id: input.id, clientId: input.clientId, lines });
  },
};
