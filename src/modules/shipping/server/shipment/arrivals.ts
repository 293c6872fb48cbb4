import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { remind } from '#modules/message/server/index.ts';
import { warehouses } from '#modules/warehouse/server/index.ts';
import { SHIP } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { claimWindows } from '../claim/windows.ts';
import { arriveBy, ON_THE_WAY } from './abandoned.ts';
import { FIRST_OF_PLAN, ORDER_OF_SHIPMENT } from './of-order.ts';

/** Reminders that a shipment must arrive soon. */
export const ARRIVAL_EVENT = 'shipping.arrival';

/** People are told so many days before. */
const AHEAD = [14, 5];

/** From one calendar day to another. */
const daysTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

interface OnTheWay {
  id: string;
  no: string;
  marketplaceId: string;
  status: string;
  seenOn: string;
  firstOn: string | null;
  order: { id: string; number: string; warehouse: string };
}

async function onTheWay(ctx: Ctx): Promise<OnTheWay[]> {
  const { rows } = await sql<OnTheWay>`
    SELECT * FROM (
      SELECT s.id, s.shipment_no AS no, s.marketplace_id AS "marketplaceId", s.status, kit.day(s.first_seen_at) AS "seenOn",
             ${FIRST_OF_PLAN} AS "firstOn", ${ORDER_OF_SHIPMENT} AS "order"
        FROM shipping.fba_shipment AS s
       WHERE s.company_id = ${ctx.companyId} AND NOT s.ignored AND s.status = ANY (${[...ON_THE_WAY]}::text[])) AS x
     WHERE x."order" IS NOT NULL`.execute(ctx.db);
  return rows;
}

/** Tells of shipments that must be at the door soon; once for each day that is meant and each distance. */
export async function remindArrivals(ctx: Ctx): Promise<void> {
  const places = await warehouses(ctx);
  const limits = new Map((await claimWindows(ctx)).map((one) => [one.marketplaceId, one]));
  for (const { id, no, marketplaceId, order, ...shipment } of await onTheWay(ctx)) {
    const from = places.get(order.warehouse)?.country;
    const until = arriveBy({ ...shipment, from, to: countryOf(marketplaceId) }, limits.get(marketplaceId));
    const left = until === null ? -1 : daysTo(ctx.clock.today(), until);
    const ahead = AHEAD.findLast((days) => left >= 0 && left <= days);
    if (until === null || ahead === undefined) continue;
    await remind(ctx, {
      event: ARRIVAL_EVENT,
      to: { permission: SHIP },
      title: `货件 ${no} 距到仓期限还有 ${left} 天`,
      content: `发货单 ${order.number} 的货件须在 ${until} 前到仓，逾期亚马逊按弃货处理，请跟进物流。`,
      documentType: shipOrder.name,
      documentId: order.id,
      dedupeKey: `${ARRIVAL_EVENT}:${id}:${until}:${ahead}`,
    });
  }
}
