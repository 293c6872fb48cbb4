import { sql } from 'kysely';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { ApiRefused, SpApi, Write, WriteKind, WriteWork } from '#modules/marketplace/server/index.ts';
import { SELF_LABEL } from '../../../contract/self/fields.ts';
import { boughtOf, SHIPMENTS, shipmentPath, type WireShipment } from './amazon-wire.ts';
import type { BoughtLabel } from './carrier.ts';
import { stillWanted } from './guards.ts';

/** Names of these writes. */
export const LABEL = 'shipping.label';
export const LABEL_VOID = 'shipping.labelVoid';

/** What a purchase is planned with. */
export interface LabelRequest {
  labelId: string;
  /** ISO instant by the marketplace's clock. */
  askedAt: string;
  items: readonly { orderItemId: string; quantity: number }[];
  /** Of createShipment. */
  body: object;
}

/** The clocks of both sides need not agree to the second. */
const SLACK_MS = 5 * 60_000;

const WORDS: readonly [RegExp, string][] = [
  [/offer is no longer valid/i, '报价已失效，请重新查询运费'],
  [/not available for this shipment/i, '该物流服务不再提供，请重新查询运费'],
  [/more than what is left/i, '发货数量超过订单还可发货的数量'],
  [/cancel/i, '订单已取消'],
  [/fulfilled by amazon/i, '订单由亚马逊配送'],
  [/seller inputs/i, '该物流服务需要补充报关资料，请在卖家后台购买'],
];

function labelProblem({ status, message }: ApiRefused): string | undefined {
  if (status !== 400 && status !== 404) return undefined;
  const known = WORDS.find(([pattern]) => pattern.test(message));
  return known && `${known[1]}（${message}）`;
}

interface OrderPackages {
  order: {
    packages?: {
      createdTime?: string;
      carrier?: string;
      trackingNumber?: string;
      packageItems?: { orderItemId: string; quantity: number }[];
    }[];
  };
}

interface Wanted {
  labelId: string;
  orderId: string;
  /** ISO instant by the marketplace's clock. */
  askedAt: string;
  items: readonly { orderItemId: string; quantity: number }[];
}

const contentsOf = (items: Wanted['items']): string =>
  items
    .map(({ orderItemId, quantity }) => `${orderItemId}×${quantity}`)
    .sort()
    .join();

/** Tracking numbers of an order that are somebody's already. */
function knownNumbers({ runtime, companyId }: WriteWork, orderId: string, labelId: string): Promise<Set<string>> {
  return inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const { rows } = await sql<{ no: string }>`
      SELECT l.tracking_no AS no FROM shipping.self_order AS o
        JOIN shipping.self_label AS l ON l.company_id = o.company_id AND l.doc_id = o.doc_id AND l.id <> ${labelId}
       WHERE o.company_id = ${companyId} AND o.amazon_order_id = ${orderId}
      UNION SELECT d.tracking_no FROM shipping.self_order AS o
        JOIN shipping.self_doc AS d ON d.company_id = o.company_id AND d.id = o.doc_id
       WHERE o.company_id = ${companyId} AND o.amazon_order_id = ${orderId}`.execute(ctx.db);
    return new Set(rows.map(({ no }) => no));
  });
}

/**
 * Amazon has no search of labels by order: a purchase whose answer was lost is known by the package that it put on the order,
 * made since it was asked for, with exactly its pieces, under a tracking number that is nobody else's. Where there is none, or
 * more than one, nobody can tell: it may still come, and it must never be bought twice.
 */
export async function findLabel(
  api: SpApi,
  { labelId, orderId, askedAt, items }: Wanted,
  work: WriteWork,
): Promise<BoughtLabel | undefined> {
  const { body: answer } = await api.call<OrderPackages>({
    operation: 'getOrder',
    method: 'GET',
    path: `/orders/2026-01-01/orders/${encodeURIComponent(orderId)}`,
    query: { includedData: ['PACKAGES'] },
  });
  const wanted = contentsOf(items);
  const known = await knownNumbers(work, orderId, labelId);
  const fits = (answer.order.packages ?? []).filter(({ createdTime = '', trackingNumber = '', packageItems = [] }) => {
    const isNew = Date.parse(createdTime) >= Date.parse(askedAt) - SLACK_MS;
    return isNew && trackingNumber !== '' && !known.has(trackingNumber) && contentsOf(packageItems) === wanted;
  });
  const [one, ...others] = fits;
  if (!one || others.length > 0) return undefined;
  const { carrier, trackingNumber = '' } = one;
  return { shipmentNo: null, trackingNo: trackingNumber, ...(carrier ? { carrier } : {}), file: null };
}

/** 申请运单: a label through Buy Shipping, which knows no idempotency key. */
export const labelKind: WriteKind = {
  kind: LABEL,
  title: '申请运单',
  permission: SELF_LABEL,
  call: ({ request }) => ({
    operation: 'createShipment',
    method: 'POST',
    path: SHIPMENTS,
    body: (request as LabelRequest).body,
    once: true,
  }),
  unfit: (_api, { request }, work) => stillWanted(work, (request as LabelRequest).labelId),
  take: (body, _write, work) => boughtOf(work, (body as { payload: WireShipment }).payload),
  verify: async (api, write, work) => {
    const found = await findLabel(api, { ...(write.request as LabelRequest), orderId: write.subject }, work);
    return found ? { found } : 'unknown';
  },
  problemOf: labelProblem,
};

async function refundShows(api: SpApi, { subject }: Write): Promise<'done' | 'absent'> {
  const { body } = await api.call<{ payload: WireShipment }>({
    operation: 'merchant.getShipment',
    method: 'GET',
    path: shipmentPath(subject),
  });
  return body.payload.Status === 'Purchased' ? 'absent' : 'done';
}

/** 作废面单: the money of a label is asked back. */
export const labelVoidKind: WriteKind = {
  kind: LABEL_VOID,
  title: '作废面单',
  permission: SELF_LABEL,
  call: ({ subject }) => ({
    operation: 'cancelShipment',
    method: 'DELETE',
    path: shipmentPath(subject),
    once: true,
  }),
  take: async (body) => ({ status: (body as { payload: WireShipment }).payload.Status }),
  verify: refundShows,
};
