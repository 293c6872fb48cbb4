import { listPlan } from '#modules/shipping/contract/plan.ts';
import { listQuotas } from '#modules/shipping/contract/quota/calls.ts';
import { listShipOrderReport } from '#modules/shipping/contract/report/detail.ts';
import { listShipSums } from '#modules/shipping/contract/report/summary.ts';
import { countFbaShipments, listFbaShipments } from '#modules/shipping/contract/shipment.ts';
import { listTransit, transitBoard } from '#modules/shipping/contract/transit.ts';
import { median, report } from './support/measure.ts';
import { LINES, type Shippers, SITE, shippersOf } from './support/ships.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const ROUNDS = 7;

async function times(work: () => Promise<unknown>): Promise<number> {
  await work();
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await work();
    found.push(performance.now() - begin);
  }
  return median(found);
}

/** Figures of the plan by hand for one site: no shared stocks, no ways, no cartons. `skus` narrows each source. */
const plan = (skus: string) => `
  WITH pace AS (
    SELECT seller_sku, sum(units) FILTER (WHERE local_date >= current_date - 7) AS d7,
           sum(units) FILTER (WHERE local_date >= current_date - 14) AS d14, sum(units) AS d30
      FROM sales.sku_day WHERE company_id = $1 AND account_id = $2 AND marketplace_id = '${SITE}'
       AND local_date >= current_date - 30 AND local_date < current_date ${skus} GROUP BY 1),
  own AS (
    SELECT msku, sum(CASE WHEN state IN ('shipped', 'receiving') THEN shipped_qty - received_qty - lost_qty ELSE 0 END) AS transit,
           sum(CASE WHEN state IN ('shipped', 'receiving') THEN 0 ELSE l.qty END) AS waiting
      FROM shipping.ship_order AS o JOIN shipping.ship_order_line AS l ON l.company_id = $1 AND l.order_id = o.id
     WHERE o.company_id = $1 AND o.state NOT IN ('done', 'cancelled') GROUP BY 1),
  item AS (SELECT msku, sum(qty) AS qty, jsonb_agg(id) AS ids FROM shipping.plan_item
            WHERE company_id = $1 AND state = 'open' GROUP BY 1),
  f AS (SELECT l.*, d7, d14, d30, s.fulfillable, s.reserved, s.inbound, transit, waiting, i.qty,
               greatest(0, ceil(d30 * 60 / 30.0) - s.fulfillable - greatest(s.inbound, coalesce(transit, 0)) - coalesce(waiting, 0)) AS need
          FROM listing.listing AS l
          LEFT JOIN pace AS p ON p.seller_sku = l.seller_sku
          LEFT JOIN inventory.fba_stock AS s ON s.company_id = $1 AND s.account_id = $2 AND s.seller_sku = l.seller_sku
          LEFT JOIN own ON own.msku = l.seller_sku LEFT JOIN item AS i ON i.msku = l.seller_sku
         WHERE l.company_id = $1 ${skus.replace('seller_sku', 'l.seller_sku')})
  SELECT *, count(*) OVER () FROM f ORDER BY need DESC NULLS LAST, id LIMIT 20`;

/** What SKUs take of their rooms by hand. */
const ROOMS = `
  SELECT storage_type, sum(on_hand * cm3), sum(greatest(inbound, coalesce(transit, 0)) * cm3) FROM (
    SELECT s.on_hand, s.inbound, d.length * d.width * d.height AS cm3, own.transit,
           (SELECT storage_type FROM inventory.planning_day AS y WHERE y.company_id = $1 AND y.seller_sku = s.seller_sku
             ORDER BY day DESC LIMIT 1) AS storage_type
      FROM inventory.fba_stock AS s
      JOIN product.local_product AS p ON p.company_id = $1 AND p.sku_key = lower(s.seller_sku)
      LEFT JOIN product.dimension AS d ON d.company_id = $1 AND d.product_id = p.id AND d.role = 'packed'
      LEFT JOIN (
        SELECT msku, sum(l.qty - received_qty) AS transit
          FROM shipping.ship_order AS o JOIN shipping.ship_order_line AS l ON l.company_id = $1 AND l.order_id = o.id
         WHERE o.company_id = $1 AND o.state NOT IN ('done', 'cancelled') GROUP BY 1) AS own ON own.msku = s.seller_sku
     WHERE s.company_id = $1 AND s.account_id = $2) AS x GROUP BY 1`;

/** How long the ways took of late, and the orders that are on their way, each with its shipment. */
const AWAY = `
  WITH rest AS (
    SELECT order_id, sum(shipped_qty - received_qty - lost_qty) AS qty FROM shipping.ship_order_line
     WHERE company_id = $1 AND shipped_qty > received_qty + lost_qty GROUP BY 1),
  way AS (
    SELECT o.transport, percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY s.delivered_at::date - o.shipped_at::date) AS days
      FROM shipping.ship_order AS o
      JOIN shipping.fba_shipment AS s ON s.company_id = $1 AND s.account_id = o.account_id AND s.shipment_no = o.shipment_no
     WHERE o.company_id = $1 AND o.shipped_at >= now() - interval '180 days' AND s.delivered_at >= o.shipped_at GROUP BY 1)
  SELECT o.*, s.status, s.delivered_at, r.qty, w.days,
         (SELECT sum(shipped_qty) FROM shipping.ship_order_line AS l WHERE l.company_id = $1 AND l.order_id = o.id) AS sent
    FROM rest AS r JOIN shipping.ship_order AS o ON o.company_id = $1 AND o.id = r.order_id
    LEFT JOIN way AS w ON w.transport = o.transport
    LEFT JOIN shipping.fba_shipment AS s ON s.company_id = $1 AND s.account_id = o.account_id AND s.shipment_no = o.shipment_no`;

const PIECES_AWAY = `
  SELECT l.order_id, p.product_id, sum(l.shipped_qty - l.received_qty) FROM shipping.ship_order_line AS l
    JOIN shipping.ship_order_part AS p ON p.company_id = $1 AND p.line_id = l.id
   WHERE l.company_id = $1 AND l.shipped_qty > l.received_qty + l.lost_qty GROUP BY 1, 2`;

const shipments = (where: string) => `
  SELECT s.*, o.number, (SELECT count(*) FROM shipping.fba_shipment_item AS i WHERE i.company_id = $1 AND i.shipment_id = s.id)
    FROM (SELECT * FROM shipping.fba_shipment AS s WHERE s.company_id = $1 ${where} ORDER BY changed_at DESC, id LIMIT 20) AS s
    LEFT JOIN shipping.ship_order AS o ON o.company_id = $1 AND o.account_id = s.account_id AND o.shipment_no = s.shipment_no`;
const counted = (where: string) =>
  `SELECT count(*) FROM (SELECT FROM shipping.fba_shipment AS s WHERE s.company_id = $1 ${where} LIMIT 10001) AS x`;
const ORPHANED = `AND NOT ignored AND NOT EXISTS (SELECT FROM shipping.ship_order AS o
  WHERE o.company_id = $1 AND o.account_id = s.account_id AND o.shipment_no = s.shipment_no AND o.state <> 'cancelled')`;
const HOLDS = `AND EXISTS (SELECT FROM shipping.fba_shipment_item AS i
  WHERE i.company_id = $1 AND i.shipment_id = s.id AND i.msku ILIKE '%SKU-000007%')`;

/** What left in the last ninety days, put together by `key`, and all of it together. */
const sums = (key: string) => `
  WITH o AS (
    SELECT o.*, (SELECT min(at) FROM shipping.ship_order_event AS e
                  WHERE e.company_id = $1 AND e.order_id = o.id AND e.event = 'receive') AS receiving_at,
           (SELECT count(*) FROM shipping.box AS b WHERE b.company_id = $1 AND b.order_id = o.id) AS boxes
      FROM shipping.ship_order AS o
     WHERE company_id = $1 AND state NOT IN ('draft', 'rejected', 'cancelled') AND shipped_at >= current_date - 90)
  SELECT ${key}, count(DISTINCT o.id), sum(l.qty), sum(l.shipped_qty), sum(l.received_qty), sum(f.billable), sum(f.estimated),
         avg(receiving_at - shipped_at)
    FROM o JOIN shipping.ship_order_line AS l ON l.company_id = $1 AND l.order_id = o.id
    LEFT JOIN shipping.freight_line AS f ON f.company_id = $1 AND f.line_id = l.id GROUP BY 1 ORDER BY 4 DESC LIMIT 20`;
const LATE = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10);

const ORDERS = `
  SELECT o.*, (SELECT min(at) FROM shipping.ship_order_event AS e
                WHERE e.company_id = $1 AND e.order_id = o.id AND e.event = 'receive') AS receiving_at,
         (SELECT count(*) FROM shipping.box AS b WHERE b.company_id = $1 AND b.order_id = o.id) AS boxes,
         (SELECT max(at) FROM kit.timeline AS t WHERE t.company_id = $1 AND t.document_type = 'shipping.order'
             AND t.document_id = o.id AND t.to_state = 'done') AS done_at,
         (SELECT (count(*), sum(qty), sum(shipped_qty), sum(received_qty), sum(f.billable), sum(f.estimated))
            FROM shipping.ship_order_line AS l
            LEFT JOIN shipping.freight_line AS f ON f.company_id = $1 AND f.line_id = l.id
           WHERE l.company_id = $1 AND l.order_id = o.id)
    FROM shipping.ship_order AS o
   WHERE company_id = $1 AND state NOT IN ('draft', 'rejected', 'cancelled') ORDER BY id DESC LIMIT 20`;
const ORDERS_COUNTED = `SELECT count(*) FROM (SELECT FROM shipping.ship_order
  WHERE company_id = $1 AND state NOT IN ('draft', 'rejected', 'cancelled') LIMIT 10001) AS x`;

/** Each page with the statements that anybody would write for the same figures; those that name $2 get the account. */
const PAGES: readonly { name: string; path: string; body: object; byHand: readonly string[] }[] = [
  { name: 'FBA发货规划, first page', path: listPlan.path, body: { filter: {} }, byHand: [plan('')] },
  {
    name: '  one SKU',
    path: listPlan.path,
    body: { filter: { keyword: 'SKU-000007' } },
    byHand: [
      plan(
        "AND seller_sku IN (SELECT seller_sku FROM listing.listing WHERE company_id = $1 AND search LIKE '%sku-000007%')",
      ),
    ],
  },
  { name: '仓容额度', path: listQuotas.path, body: { filter: {} }, byHand: [ROOMS] },
  {
    name: '在途, first page',
    path: listTransit.path,
    body: { filter: {} },
    byHand: [`${AWAY} ORDER BY o.shipped_at LIMIT 20`],
  },
  { name: '在途看板', path: transitBoard.path, body: { filter: {} }, byHand: [AWAY, PIECES_AWAY] },
  { name: '货件, first page', path: listFbaShipments.path, body: { filter: {} }, byHand: [shipments(''), counted('')] },
  {
    name: '  without an order',
    path: listFbaShipments.path,
    body: { filter: { orphan: true } },
    byHand: [shipments(ORPHANED), counted(ORPHANED)],
  },
  {
    name: '  with a SKU',
    path: listFbaShipments.path,
    body: { filter: { keyword: 'SKU-000007' } },
    byHand: [shipments(HOLDS), counted(HOLDS)],
  },
  {
    name: '  counts by state',
    path: countFbaShipments.path,
    body: { filter: {} },
    byHand: ['SELECT status, count(*) FROM shipping.fba_shipment WHERE company_id = $1 GROUP BY 1'],
  },
  {
    name: '发货统计, 90 days by carrier',
    path: listShipSums.path,
    body: { filter: { by: 'CARRIER', day: { from: LATE } } },
    byHand: [sums('o.carrier'), sums("''")],
  },
  {
    name: '  by SKU',
    path: listShipSums.path,
    body: { filter: { by: 'SKU', day: { from: LATE } } },
    byHand: [sums('l.msku'), sums("''")],
  },
  {
    name: '发货详情与时效, first page',
    path: listShipOrderReport.path,
    body: { filter: { basis: 'CREATED' } },
    byHand: [ORDERS, ORDERS_COUNTED],
  },
];

async function pages(world: BenchWorld, { principal, account }: Shippers): Promise<void> {
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  for (const { name, path, body, byHand } of PAGES) {
    const ours = await times(async () => {
      const answer = await app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers,
        payload: { pagesize: 20, ...body },
      });
      if (answer.json<{ code: number }>().code !== 201) throw new Error(answer.body.slice(0, 300));
    });
    const hand = await times(async () => {
      for (const text of byHand) {
        await world.admin.query(text, text.includes('$2') ? [principal.companyId, account] : [principal.companyId]);
      }
    });
    report(name, ours, hand, 'ms', '<= 1.5');
  }
}

/** The pages of shipping over so many SKUs and so many lines of orders of two years, most of them over. */
export async function shipLists(world: BenchWorld, skus: number, lines: number): Promise<void> {
  await pages(world, await shippersOf(world, skus, Math.max(lines, LINES)));
}
