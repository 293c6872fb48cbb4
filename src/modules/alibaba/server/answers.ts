import { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { RemoteOrder } from './port.ts';
import { instantOf } from './times.ts';

const text = z.union([z.string(), z.number()]).transform(String);
/** Fen as CNY. */
const fen = z.union([z.string(), z.number()]).transform((value) => new Decimal(value).div(100).toFixed());

export const Order = z
  .object({
    baseInfo: z.object({
      idOfStr: z.string(),
      status: z.string(),
      totalAmount: text,
      shippingFee: text.default('0'),
      refund: text.default('0'),
      modifyTime: z.string(),
      payTime: z.string().optional(),
      outOrderId: z.string().default(''),
      sellerLoginId: z.string().default(''),
    }),
    productItems: z
      .array(
        z.object({
          productID: text,
          specId: z.string().default(''),
          quantity: z.coerce.number().int(),
          itemAmount: text.default('0'),
        }),
      )
      .default([]),
  })
  .transform(
    ({ baseInfo, productItems }): RemoteOrder => ({
      id: baseInfo.idOfStr,
      outOrderId: baseInfo.outOrderId,
      status: baseInfo.status,
      total: baseInfo.totalAmount,
      freight: baseInfo.shippingFee,
      refund: baseInfo.refund,
      modifiedAt: instantOf(baseInfo.modifyTime) ?? '',
      paidAt: instantOf(baseInfo.payTime) ?? null,
      seller: baseInfo.sellerLoginId,
      items: productItems.map(({ productID, specId, quantity, itemAmount }) => ({
        offerId: productID,
        specId,
        quantity,
        amount: itemAmount,
      })),
    }),
  );
export const Orders = z.object({ result: z.array(Order), totalRecord: z.coerce.number() });

export const Offer = z.object({
  productInfo: z.object({
    subject: z.string(),
    supplierLoginId: z.string().default(''),
    saleInfo: z.object({ unit: z.string().default('件'), minOrderQuantity: z.coerce.number().default(1) }),
    skuInfos: z
      .array(
        z.object({
          specId: z.string(),
          price: text,
          amountOnSale: z.coerce.number().default(0),
          attributes: z.array(z.object({ attributeValue: z.string() })).default([]),
        }),
      )
      .default([]),
  }),
});

export const Preview = z.object({
  orderPreviewResuslt: z
    .array(
      z.object({
        sumPayment: fen,
        sumCarriage: fen,
        sumPaymentNoCarriage: fen,
        tradeModeNameList: z.array(z.string()).default([]),
        cargoList: z.array(z.object({ offerId: text, specId: z.string().default(''), amount: fen })),
      }),
    )
    .min(1),
});

export const Address = z.object({
  result: z.object({
    receiveAddressItems: z.array(
      z.object({
        id: text,
        fullName: z.string().default(''),
        addressCodeText: z.string().default(''),
        address: z.string().default(''),
        isDefault: z.boolean().default(false),
      }),
    ),
  }),
});

export const Trace = z.object({
  logisticsTrace: z.array(
    z.object({
      logisticsBillNo: z.string().default(''),
      logisticsSteps: z.array(z.object({ acceptTime: z.string(), remark: z.string() })).default([]),
    }),
  ),
});

/** An answer about several orders names the first of them, or none, beside their list. */
export const Made = z
  .object({
    result: z.object({ orderId: text.optional(), orderList: z.array(z.object({ orderId: text })).default([]) }),
  })
  .transform(({ result }) => [
    ...new Set([...(result.orderId ? [result.orderId] : []), ...result.orderList.map((one) => one.orderId)]),
  ]);
export const Failure = z.object({
  success: z.literal(false),
  errorMsg: z.string().optional(),
  errorCode: text.optional(),
});
