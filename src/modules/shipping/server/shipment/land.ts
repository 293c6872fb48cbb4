import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import type { AccountRef, LandCounts } from '#modules/marketplace/server/index.ts';
import { ordersOfShipments } from './of-order.ts';
import type { ShipmentFact } from './read.ts';

const AWAY: readonly string[] = ['shipped', 'receiving'];

/** Orders that have pieces in a shipment whose numbers came: those that wait for it, and any where it says something new. */
async function tellOrders(
  ctx: Ctx,
  account: AccountRef,
  landed: readonly { no: string; changed: boolean }[],
): Promise<void> {
  const changed = new Map(landed.map((one) => [one.no, one.changed]));
  const orders = await ordersOfShipments(ctx, account.id, [...changed.keys()]);
  const told = orders.filter(
    ({ state, shipmentNo }) => AWAY.includes(state) || (state === 'done' && changed.get(shipmentNo)),
  );
  for (const id of new Set(told.map((order) => order.id))) {
    await enqueue(
      ctx,
      'shipping.receive',
      { companyId: ctx.companyId, orderId: id },
      { key: `shipping.receive:${id}` },
    );
  }
}

/**
 * Since when a shipment is as far as `statuses`: since now where it was seen before that, unknown where it was that far when
 * it was first seen.
 */
const since = (column: string, statuses: readonly string[]) => {
  const [was, is] = [sql.ref(`s.${column}`), sql`excluded.status = ANY (${[...statuses]}::text[])`];
  return sql`CASE WHEN ${was} IS NULL AND ${is} AND NOT s.status = ANY (${[...statuses]}::text[]) THEN kit.now() ELSE ${was} END`;
};
const AT_DOOR = ['DELIVERED', 'CHECKED_IN', 'RECEIVING', 'CLOSED'];

/**
 * Writes shipments as the marketplace tells them; one that says what it said is only noted as looked at. Orders that name
 * one are told by a job of their own: what stands in the way of one order must not keep the others from being read.
 */
export async function landShipments(
  ctx: Ctx,
  account: AccountRef,
  marketplaceId: string,
  facts: readonly ShipmentFact[],
): Promise<LandCounts> {
  if (facts.length === 0) return { rowsIn: 0, inserted: 0, updated: 0, unchanged: 0 };
  const rows = facts.map(({ items, ...fact }) => ({
    ...fact,
    shipped: items.reduce((total, item) => total + item.shipped, 0),
    received: items.reduce((total, item) => total + item.received, 0),
  }));
  const written = await sql<{ id: string; no: string; fresh: boolean; changed: boolean }>`
    INSERT INTO shipping.fba_shipment AS s
      (company_id, account_id, marketplace_id, shipment_no, name, center, status, shipped, received)
    SELECT ${ctx.companyId}, ${account.id}, ${marketplaceId}, r."shipmentNo", r.name, r.center, r.status, r.shipped, r.received
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS r("shipmentNo" text, name text, center text, status text, shipped int, received int)
    ON CONFLICT (company_id, account_id, shipment_no) DO UPDATE
       SET name = excluded.name, center = excluded.center, status = excluded.status, shipped = excluded.shipped,
           received = excluded.received, read_at = kit.now(),
           delivered_at = ${since('delivered_at', AT_DOOR)}, closed_at = ${since('closed_at', ['CLOSED'])},
           first_received_at = CASE WHEN s.received = 0 AND excluded.received > 0 THEN coalesce(s.first_received_at, kit.now())
                                    ELSE s.first_received_at END,
           changed_at = CASE WHEN (s.status, s.shipped, s.received, s.center, s.name)
                                  IS DISTINCT FROM (excluded.status, excluded.shipped, excluded.received, excluded.center, excluded.name)
                             THEN kit.now() ELSE s.changed_at END
    RETURNING new.id, new.shipment_no AS no, old.id IS NULL AS fresh,
              (old.status, old.shipped, old.received) IS DISTINCT FROM (new.status, new.shipped, new.received) AS changed`.execute(
    ctx.db,
  );
  const idOf = new Map(written.rows.map(({ id, no }) => [no, id]));
  const items = facts.flatMap(({ shipmentNo, items: mine }) =>
    mine.map((item) => ({ id: idOf.get(shipmentNo), ...item })),
  );
  const list = JSON.stringify(items);
  await sql`
    DELETE FROM shipping.fba_shipment_item AS i
     WHERE i.company_id = ${ctx.companyId} AND i.shipment_id = ANY (${[...idOf.values()]}::uuid[])
       AND NOT EXISTS (SELECT FROM jsonb_to_recordset(${list}::jsonb) AS r(id uuid, msku text)
                        WHERE r.id = i.shipment_id AND r.msku = i.msku)`.execute(ctx.db);
  await sql`
    INSERT INTO shipping.fba_shipment_item AS i (company_id, shipment_id, msku, fnsku, shipped, received)
    SELECT ${ctx.companyId}, r.id, r.msku, r.fnsku, r.shipped, r.received
      FROM jsonb_to_recordset(${list}::jsonb) AS r(id uuid, msku text, fnsku text, shipped int, received int)
    ON CONFLICT (company_id, shipment_id, msku) DO UPDATE
       SET fnsku = excluded.fnsku, shipped = excluded.shipped, received = excluded.received
     WHERE (i.fnsku, i.shipped, i.received) IS DISTINCT FROM (excluded.fnsku, excluded.shipped, excluded.received)`.execute(
    ctx.db,
  );
  await tellOrders(ctx, account, written.rows);
  const inserted = written.rows.filter((row) => row.fresh).length;
  const updated = written.rows.filter((row) => !row.fresh && row.changed).length;
  return { rowsIn: facts.length, inserted, updated, unchanged: facts.length - inserted - updated };
}
