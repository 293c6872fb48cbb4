import { Decimal } from '#kit/contract/decimal.ts';
import { notFound } from '#kit/server/errors.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { accountOf, asked, createSpApi, planWrite, type SpApi } from '#modules/marketplace/server/index.ts';
import { findLabel, LABEL, LABEL_VOID, type LabelRequest } from './amazon-kinds.ts';
import { boughtOf, detailsOf, plainName, shipmentPath, type WireOffer, type WireShipment } from './amazon-wire.ts';
import type { CarrierRate, CarrierWork, LabelCarrier } from './carrier.ts';

/** The Selling Partner API of an account. @throws notFound where its consent is gone */
async function apiOf({ runtime, companyId }: CarrierWork, accountId: string): Promise<SpApi> {
  const account = await inTenant(
    runtime,
    systemPrincipal(companyId),
    (ctx) => accountOf(ctx.db, companyId, accountId),
    {
      readOnly: true,
    },
  );
  if (!account) throw notFound('店铺不存在或已取消授权');
  return createSpApi(runtime, account, { calls: 0, throttled: 0 });
}

function rateOf(offer: WireOffer): CarrierRate {
  const { RateWithAdjustments: price, RequiresAdditionalSellerInputs } = offer;
  return {
    serviceId: offer.ShippingServiceId,
    offerId: offer.ShippingServiceOfferId,
    service: plainName(offer.ShippingServiceName),
    carrier: plainName(offer.CarrierName),
    amount: new Decimal(price.Amount),
    currency: price.CurrencyCode,
    arrivesAt: offer.LatestEstimatedDeliveryDate ?? null,
    ...(RequiresAdditionalSellerInputs ? { unfit: '跨境服务需要补充报关资料，请在卖家后台购买' } : {}),
  };
}

/** Amazon's Buy Shipping (Merchant Fulfillment v0). */
export const amazonLabels: LabelCarrier = {
  seller: 'amazon',

  rates: (work, parcel, format) =>
    asked(async () => {
      const api = await apiOf(work, parcel.account);
      const { body } = await api.call<{ payload: { ShippingServiceList: WireOffer[] } }>({
        operation: 'getEligibleShipmentServices',
        method: 'POST',
        path: '/mfn/v0/eligibleShippingServices',
        body: { ShipmentRequestDetails: detailsOf(parcel, format) },
      });
      return body.payload.ShippingServiceList.map(rateOf);
    }),

  async buy(ctx, labelId, parcel, rate, format) {
    const request: LabelRequest = {
      labelId,
      askedAt: parcel.askedAt,
      items: parcel.items,
      body: {
        ShipmentRequestDetails: detailsOf(parcel, format),
        ShippingServiceId: rate.serviceId,
        ShippingServiceOfferId: rate.offerId,
      },
    };
    return planWrite(ctx, {
      kind: LABEL,
      accountId: parcel.account,
      marketplaceId: parcel.marketplaceId,
      subject: parcel.orderId,
      key: labelId,
      summary: `${parcel.number}，${rate.service} ${rate.amount.toFixed()} ${rate.currency}`,
      request,
    });
  },

  callBack: (ctx, { account, marketplaceId, shipmentNo, orderId }) =>
    planWrite(ctx, {
      kind: LABEL_VOID,
      accountId: account,
      marketplaceId,
      subject: shipmentNo ?? '',
      summary: `订单 ${orderId} 的面单`,
      request: {},
    }),

  look: (work, { id: labelId, account, orderId, askedAt, items }) =>
    asked(async () => findLabel(await apiOf(work, account), { labelId, orderId, askedAt, items }, work)),

  fetch: (work, { account, shipmentNo }) =>
    asked(async () => {
      const api = await apiOf(work, account);
      const { body } = await api.call<{ payload: WireShipment }>({
        operation: 'merchant.getShipment',
        method: 'GET',
        path: shipmentPath(shipmentNo),
      });
      return boughtOf(work, body.payload);
    }),
};
