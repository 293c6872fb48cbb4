import type { ApiRequest } from '#modules/marketplace/server/index.ts';
import type { Recipient, WishedLine } from '../../contract/create.ts';
import type { Policy, Speed } from '../../contract/states.ts';
import { addressOf, ORDERS, pathOf, SPEED_WORDS } from './words.ts';

/** What is sent of an order; the address is put in right before it leaves. */
export interface OrderBody {
  marketplaceId: string;
  number: string;
  orderNo: string;
  /** ISO instant. */
  orderedAt: string;
  comment: string;
  speed: Speed;
  policy: Policy;
  hold: boolean;
  blankBox: boolean;
  lines: readonly (WishedLine & { itemId: string })[];
}

type Call = Omit<ApiRequest, 'announce'>;

/** The call that makes an order, without its address. */
export function createCall(order: OrderBody): Call {
  return {
    operation: 'createFulfillmentOrder',
    method: 'POST',
    path: ORDERS,
    body: {
      marketplaceId: order.marketplaceId,
      sellerFulfillmentOrderId: order.number,
      displayableOrderId: order.orderNo,
      displayableOrderDate: order.orderedAt,
      // Amazon wants one; the number is the same in every language.
      displayableOrderComment: order.comment || order.orderNo,
      shippingSpeedCategory: SPEED_WORDS[order.speed],
      fulfillmentAction: order.hold ? 'Hold' : 'Ship',
      fulfillmentPolicy: order.policy,
      ...(order.blankBox
        ? { featureConstraints: [{ featureName: 'BLANK_BOX', featureFulfillmentPolicy: 'Required' }] }
        : {}),
      items: order.lines.map(({ sku, quantity, itemId }) => ({
        sellerSku: sku,
        sellerFulfillmentOrderItemId: itemId,
        quantity,
      })),
    },
    // A second one would be a second parcel, were the number not the same.
    once: true,
  };
}

/** The body of that call with its address. */
export function withAddress(body: unknown, to: Recipient): unknown {
  return { ...(body as object), destinationAddress: addressOf(to) };
}

/** The call that lets a held order go. */
export function releaseCall(number: string): Call {
  const body = { fulfillmentAction: 'Ship' };
  return { operation: 'updateFulfillmentOrder', method: 'PUT', path: pathOf(number), body, once: true };
}

/** The call that asks to stop an order. */
export function cancelCall(number: string): Call {
  return { operation: 'cancelFulfillmentOrder', method: 'PUT', path: `${pathOf(number)}/cancel`, once: true };
}
