import type { ApiRefused, SpApi, Write, WriteKind } from '#modules/marketplace/server/index.ts';
import { type OrderAnswer, orderPath } from './read-back.ts';
import { SHIPMENT } from './ship.ts';
import { SOLICITATION } from './solicit.ts';

/** Fields of a confirmation as refusals name them, in the words of the form; the first that fits is meant. */
const FIELDS: readonly [RegExp, string][] = [
  [/packageReferenceId/i, '包裹号：亚马逊不接受这个编号'],
  [/carrierName/i, '承运商名称：承运商选「其他」时必须填写'],
  [/carrierCode/i, '承运商：亚马逊不接受这个承运商'],
  [/shippingMethod/i, '物流方式：亚马逊不接受'],
  [/trackingNumber/i, '运单号：亚马逊不接受'],
  [/shipDate/i, '发货时间：不能晚于现在，也不能早于下单时间'],
  [/quantity/i, '发货数量：超过订单还可发货的数量'],
  [/orderItem/i, '发货商品：商品行不属于该订单'],
  [/codCollectionMethod/i, '货到付款：只有日本站支持'],
  [/marketplaceId/i, '站点：与订单的站点不一致'],
  [/no(t finding a)?\s*(matching )?package|already fulfilled/i, '订单：已经发货，或没有可修改的包裹'],
  [/fulfilled by amazon/i, '订单：由亚马逊配送，不能确认发货'],
  [/pending/i, '订单：买家还没有付款'],
  [/cancel/i, '订单：已取消'],
];

function withOriginal(words: string, { message }: ApiRefused): string {
  return `${words}（${message}）`;
}

/** What a refused confirmation means: the field first, the marketplace's own words behind it. */
export function shipmentProblem(error: ApiRefused): string | undefined {
  if (error.status === 404) return withOriginal('订单：亚马逊没有这个订单', error);
  if (error.status !== 400) return undefined;
  const known = FIELDS.find(([pattern]) => pattern.test(error.message));
  return known && withOriginal(known[1], error);
}

interface Sent {
  packageDetail: { packageReferenceId: string; trackingNumber: string };
}

async function shipmentShows(api: SpApi, write: Write): Promise<'done' | 'absent'> {
  const { packageDetail } = write.request as Sent;
  const { body } = await api.call<OrderAnswer>({
    operation: 'getOrder',
    method: 'GET',
    path: orderPath(write.subject),
    query: { includedData: ['PACKAGES', 'FULFILLMENT'] },
  });
  const shows = body.order.packages?.some(
    (one) =>
      one.packageReferenceId === packageDetail.packageReferenceId &&
      one.trackingNumber === packageDetail.trackingNumber,
  );
  return shows ? 'done' : 'absent';
}

/** 确认发货: one package of an order that the merchant ships. */
export const shipmentKind: WriteKind = {
  kind: SHIPMENT,
  title: '确认发货',
  permission: 'amz:order:ship',
  call: ({ subject, request }) => ({
    operation: 'confirmShipment',
    method: 'POST',
    path: `/orders/v0/orders/${encodeURIComponent(subject)}/shipmentConfirmation`,
    body: request,
    // The buyer is told of each.
    once: true,
  }),
  verify: shipmentShows,
  problemOf: shipmentProblem,
};

const asksPath = (orderId: string): string => `/solicitations/v1/orders/${encodeURIComponent(orderId)}`;

interface Offered {
  _links?: { actions?: { name?: string }[] };
}

/** Amazon offers the request as long as it has not been made. */
async function requestShows(api: SpApi, { subject, marketplaceId }: Write): Promise<'done' | 'absent'> {
  const { body } = await api.call<Offered>({
    operation: 'getSolicitationActionsForOrder',
    method: 'GET',
    path: asksPath(subject),
    query: { marketplaceIds: [marketplaceId] },
  });
  const isOffered = body._links?.actions?.some(({ name }) => name === 'productReviewAndSellerFeedback');
  return isOffered ? 'absent' : 'done';
}

function solicitationProblem(error: ApiRefused): string | undefined {
  if (error.status === 404) return withOriginal('订单：亚马逊没有这个订单', error);
  if (error.status !== 403) return undefined;
  // Amazon refuses a request that comes too early, too late or again in the same way as one without a role.
  if (/5\s*(-|to)\s*30/i.test(error.message)) return withOriginal('不在送达后 5 至 30 天内', error);
  if (/not available/i.test(error.message)) return withOriginal('该订单已请求过评价，或亚马逊不允许请求', error);
  return undefined;
}

/** 请求评价: the buyer is asked once for a review of the product and for feedback. */
export const solicitationKind: WriteKind = {
  kind: SOLICITATION,
  title: '请求评价',
  permission: 'amz:review:send',
  call: ({ subject, marketplaceId }) => ({
    operation: 'createProductReviewAndSellerFeedbackSolicitation',
    method: 'POST',
    path: `${asksPath(subject)}/solicitations/productReviewAndSellerFeedback`,
    query: { marketplaceIds: [marketplaceId] },
    once: true,
  }),
  verify: requestShows,
  problemOf: solicitationProblem,
};
