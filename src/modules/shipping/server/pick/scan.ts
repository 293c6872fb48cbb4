import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { pickedBy, type ScanPicks } from '#modules/warehouse/server/index.ts';
import { PICK } from '../../contract/fields.ts';
import { SOURCE } from '../order/events.ts';
import { loaded, type ShipOrder } from '../order/load.ts';
import { pickOrder } from './pick.ts';
import { rowsOf } from './rows.ts';

interface Waiting {
  id: string;
  number: string;
  account: string;
  marketplaceId: string;
  skus: number;
  qty: number;
}

async function waiting(ctx: Ctx, warehouseId: string) {
  const { rows } = await sql<Waiting>`
    SELECT o.id, o.number, o.account_id AS account, o.marketplace_id AS "marketplaceId", count(*)::int AS skus,
           sum(l.qty * p.qty_per)::int AS qty
      FROM shipping.ship_order AS o
      JOIN shipping.ship_order_line AS l ON l.company_id = o.company_id AND l.order_id = o.id
      JOIN shipping.ship_order_part AS p ON p.company_id = l.company_id AND p.line_id = l.id
     WHERE o.company_id = ${ctx.companyId} AND o.warehouse_id = ${warehouseId} AND o.state = 'picking'
       AND o.stock_mode <> 'PLATFORM'
     GROUP BY o.company_id, o.id ORDER BY o.id LIMIT 200`.execute(ctx.db);
  const stores = await storeNames(ctx);
  const ids = rows.map((row) => row.id);
  const picked = await unscoped(ctx, () => pickedBy(ctx, SOURCE, ids));
  return rows.map(({ account, marketplaceId, ...row }) => ({
    ...row,
    kind: 'ship' as const,
    partner: `${stores.get(account) ?? ''}-${countryOf(marketplaceId)}`,
    done: picked.get(row.id) ?? 0,
  }));
}

async function taskOf(ctx: Ctx, order: ShipOrder) {
  const rows = await rowsOf(ctx, order);
  const product = new Map(order.parts.map((part) => [part.id, part.product]));
  const lines = rows.map((row) => ({
    lineId: row.lineId,
    productId: product.get(row.lineId) ?? '',
    want: row.want,
    done: row.picked,
    locationId: null,
    place: row.place,
  }));
  const sum = (key: 'want' | 'done') => lines.reduce((total, line) => total + line[key], 0);
  const store = (await storeNames(ctx)).get(order.account) ?? '';
  return {
    id: order.id,
    kind: 'ship' as const,
    number: order.number,
    partner: `${store}-${countryOf(order.marketplaceId)}`,
    state: order.state,
    skus: new Set(lines.map((line) => line.productId)).size,
    qty: sum('want'),
    done: sum('done'),
    lines,
  };
}

async function find(ctx: Ctx, text: string) {
  const { rows } = await sql<{ id: string; number: string; warehouseId: string }>`
    SELECT id, number, warehouse_id AS "warehouseId" FROM shipping.ship_order
     WHERE company_id = ${ctx.companyId} AND (id::text = ${text.toLowerCase()} OR number = ${text.toUpperCase()}) LIMIT 1`.execute(
    ctx.db,
  );
  return rows[0];
}

/** The packing screen of an order with the box that stands on a carton: "FH2611210001.3". */
async function box(ctx: Ctx, text: string) {
  const [, number, no] = /^(\w+)\.(\d{1,4})$/.exec(text.trim()) ?? [];
  const found = number === undefined ? undefined : await find(ctx, number);
  return found && { number: found.number, path: `/shipment_handing/pack?id=${found.id}&box=${no}` };
}

async function pick(ctx: Ctx, input: Parameters<ScanPicks['pick']>[1]): Promise<Outcome> {
  const lines = input.lines.filter((line) => line.qty > 0).map(({ lineId, qty }) => ({ lineId, qty }));
  return pickOrder(ctx, { id: input.id, clientId: input.clientId, lines });
}

/** Ship orders that are picked with a scanner; the code on their sheet is `PS.<id>`, on their cartons `BX.<number>.<box>`. */
export const shipPicks: ScanPicks = {
  kind: 'ship',
  prefix: 'PS',
  right: PICK,
  tasks: waiting,
  task: async (ctx, id) => {
    const order = await loaded(ctx, id);
    return { warehouseId: order.warehouse, task: await taskOf(ctx, order) };
  },
  find,
  box,
  pick,
};
