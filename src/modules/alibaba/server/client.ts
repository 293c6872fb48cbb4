import { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { type Cargo, ConsentLost, type Platform, PlatformRefused, type RemoteOrder, Unanswered } from './port.ts';
import { sign } from './sign.ts';
import { instantOf, stampOf } from './times.ts';
import { accessToken, type BuyerRef, configOf, patience } from './tokens.ts';

const TRADE = 'com.alibaba.trade';
const PAGE = 50;
const text = z.union([z.string(), z.number()]).transform(String);
/** Fen as CNY. */
const fen = z.union([z.string(), z.number()]).transform((value) => new Decimal(value).div(100).toFixed());

const Order = z
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
    }),
  })
  .transform(
    ({ baseInfo }): RemoteOrder => ({
      id: baseInfo.idOfStr,
      outOrderId: baseInfo.outOrderId,
      status: baseInfo.status,
      total: baseInfo.totalAmount,
      freight: baseInfo.shippingFee,
      refund: baseInfo.refund,
      modifiedAt: instantOf(baseInfo.modifyTime) ?? '',
      paidAt: instantOf(baseInfo.payTime) ?? null,
    }),
  );
const Orders = z.object({ result: z.array(Order), totalRecord: z.coerce.number() });

const Offer = z.object({
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

const Preview = z.object({
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

const Address = z.object({
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

const Trace = z.object({
  logisticsTrace: z.array(
    z.object({
      logisticsBillNo: z.string().default(''),
      logisticsSteps: z.array(z.object({ acceptTime: z.string(), remark: z.string() })).default([]),
    }),
  ),
});

const Made = z.object({ result: z.object({ orderId: text }) });
const Failure = z.object({ success: z.literal(false), errorMsg: z.string().optional(), errorCode: text.optional() });

const parcelOf = (cargo: readonly Cargo[]) =>
  JSON.stringify(cargo.map(({ offerId, specId, quantity }) => ({ offerId, specId, quantity })));
const addressOf = (addressId: string) => JSON.stringify({ addressId });

/** One signed call; a token that the platform no longer knows is renewed once. */
async function ask(runtime: Runtime, buyer: BuyerRef, api: string, params: Record<string, string>): Promise<unknown> {
  const config = configOf(runtime);
  const path = `param2/1/${api}/${config.appKey}`;
  let token = await accessToken(runtime, buyer);
  for (let renewed = false; ; renewed = true) {
    const form = { ...params, access_token: token };
    const body = new URLSearchParams({ ...form, _aop_signature: sign(path, form, config.appSecret) });
    let status: number;
    let answer: unknown;
    try {
      const signal = AbortSignal.timeout(patience(runtime));
      const response = await fetch(`${config.apiBase}/${path}`, { method: 'POST', body, signal });
      status = response.status;
      answer = await response.json();
    } catch (error) {
      throw new Unanswered(error instanceof Error ? error.message : String(error));
    }
    if (status >= 500) throw new Unanswered(`HTTP ${status}`);
    if (status < 400) return answer;
    if (status !== 401) {
      const problem = z.object({ error_message: z.string() }).safeParse(answer);
      throw new PlatformRefused(problem.data?.error_message ?? `HTTP ${status}`);
    }
    if (renewed) throw new ConsentLost('1688授权已失效');
    token = await accessToken(runtime, buyer, token);
  }
}

function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const failure = Failure.safeParse(answer);
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new PlatformRefused(failure.data?.errorMsg ?? '1688返回的内容无法识别');
}

/** The platform for one buyer, over HTTP. */
export function createPlatform(runtime: Runtime, buyer: BuyerRef): Platform {
  const call = (api: string, params: Record<string, string>) => ask(runtime, buyer, api, params);
  const orders = async (params: Record<string, string>) =>
    read(Orders, await call(`${TRADE}/alibaba.trade.getBuyerOrderList`, params));
  return {
    async offer(offerId) {
      const answer = await call('com.alibaba.product/alibaba.product.simple.get', {
        productID: offerId,
        webSite: '1688',
      });
      const { subject, supplierLoginId, saleInfo, skuInfos } = read(Offer, answer).productInfo;
      const skus = skuInfos.map((sku) => ({
        specId: sku.specId,
        spec: sku.attributes.map((one) => one.attributeValue).join('，'),
        price: sku.price,
        stock: sku.amountOnSale,
      }));
      return { subject, seller: supplierLoginId, unit: saleInfo.unit, minimum: saleInfo.minOrderQuantity, skus };
    },
    async addresses() {
      const { result } = read(Address, await call(`${TRADE}/alibaba.trade.receiveAddress.get`, {}));
      return result.receiveAddressItems.map((one) => ({
        id: one.id,
        text: [one.addressCodeText, one.address, one.fullName].filter(Boolean).join(' '),
        standard: one.isDefault,
      }));
    },
    async preview(addressId, cargo) {
      const params = { addressParam: addressOf(addressId), cargoParamList: parcelOf(cargo), flow: 'general' };
      const { orderPreviewResuslt } = read(Preview, await call(`${TRADE}/alibaba.createOrder.preview`, params));
      const [first, another] = orderPreviewResuslt;
      if (!first || another) throw new PlatformRefused('该采购单在1688会被拆成多笔订单，请先拆分采购单');
      return {
        goods: first.sumPaymentNoCarriage,
        freight: first.sumCarriage,
        total: first.sumPayment,
        amounts: new Map(first.cargoList.map((line) => [`${line.offerId}/${line.specId}`, line.amount])),
        flow: first.tradeModeNameList[0] ?? 'general',
      };
    },
    async create(addressId, cargo, flow, outOrderId) {
      const params = { addressParam: addressOf(addressId), cargoParamList: parcelOf(cargo), flow, outOrderId };
      const answer = await call(`${TRADE}/alibaba.trade.fastCreateOrder`, params);
      // Judged by the order's number: answers that say "no success" and name an order are known.
      const made = Made.safeParse(answer);
      if (made.success) return made.data.result.orderId;
      const failure = Failure.safeParse(answer);
      // An answer that nobody understands may stand for an order all the same.
      if (!failure.success) throw new Unanswered('1688返回的内容无法识别');
      throw new PlatformRefused(failure.data.errorMsg ?? '1688没有说明原因');
    },
    async findByOwnNumber(outOrderId) {
      return (await orders({ outOrderId, page: '1', pageSize: '20' })).result;
    },
    async changedSince(since, page) {
      const params = { modifyStartTime: stampOf(since), page: String(page), pageSize: String(PAGE) };
      const { result, totalRecord } = await orders(params);
      return { orders: result, more: page * PAGE < totalRecord };
    },
    async trace(orderId) {
      const answer = await call('com.alibaba.logistics/alibaba.trade.getLogisticsTraceInfo.buyerView', {
        orderId,
        webSite: '1688',
      });
      // 500_2: nothing has been sent yet.
      if (Failure.safeParse(answer).data?.errorCode === '500_2') return undefined;
      const [first] = read(Trace, answer).logisticsTrace;
      if (!first) return undefined;
      const steps = first.logisticsSteps.map((one) => ({ at: instantOf(one.acceptTime) ?? '', text: one.remark }));
      return { trackingNo: first.logisticsBillNo, steps };
    },
    async cancel(orderId) {
      const params = { tradeID: orderId, webSite: '1688', cancelReason: 'buyerCancel' };
      read(z.object({ success: z.literal(true) }), await call(`${TRADE}/alibaba.trade.cancel`, params));
    },
    async confirm(orderId) {
      read(z.object({ success: z.literal(true) }), await call(`${TRADE}/trade.receivegoods.confirm`, { orderId }));
    },
    async payUrl(orderId) {
      const answer = await call(`${TRADE}/alibaba.alipay.url.get`, { orderIdList: JSON.stringify([orderId]) });
      return read(z.object({ payUrl: z.url() }), answer).payUrl;
    },
  };
}
