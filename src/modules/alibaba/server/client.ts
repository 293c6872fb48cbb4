import { z } from 'zod';
import type { Runtime } from '#kit/server/runtime.ts';
import { Address, Failure, Made, Offer, Orders, Preview, Trace } from './answers.ts';
import { noteCall } from './log.ts';
import { type Cargo, ConsentLost, keyOf, type Platform, PlatformRefused, Unanswered } from './port.ts';
import { sign } from './sign.ts';
import { instantOf, stampOf } from './times.ts';
import { accessToken, type BuyerRef, configOf, patience } from './tokens.ts';

const TRADE = 'com.alibaba.trade';
const PAGE = 50;
const parcelOf = (cargo: readonly Cargo[]) =>
  JSON.stringify(cargo.map(({ offerId, specId, quantity }) => ({ offerId, specId, quantity })));
const addressOf = (addressId: string) => JSON.stringify({ addressId });

interface Answer {
  /** Null where none came. */
  status: number | null;
  body: unknown;
  problem: string | null;
}

/** What one request brings, whatever it is. */
async function post(runtime: Runtime, url: string, body: URLSearchParams): Promise<Answer> {
  let status: number | null = null;
  try {
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(patience(runtime)) });
    status = response.status;
    return { status, body: await response.json(), problem: status < 400 ? null : `HTTP ${status}` };
  } catch (error) {
    return { status, body: undefined, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** One signed call; a token that the platform no longer knows is renewed once. */
async function ask(runtime: Runtime, buyer: BuyerRef, api: string, params: Record<string, string>): Promise<unknown> {
  const config = configOf(runtime);
  const path = `param2/1/${api}/${config.appKey}`;
  let token = await accessToken(runtime, buyer);
  for (let attempt = 1; ; attempt += 1) {
    const form = { ...params, access_token: token };
    const body = new URLSearchParams({ ...form, _aop_signature: sign(path, form, config.appSecret) });
    const begun = performance.now();
    const { status, body: answer, problem } = await post(runtime, `${config.apiBase}/${path}`, body);
    const refused = z.object({ error_message: z.string() }).safeParse(answer).data?.error_message;
    const ms = performance.now() - begun;
    await noteCall(runtime, buyer, { api, path, params, status, ms, attempt, answer, problem: refused ?? problem });
    if (status === null || status >= 500 || answer === undefined) throw new Unanswered(problem ?? `HTTP ${status}`);
    if (status < 400) return answer;
    if (status !== 401) throw new PlatformRefused(refused ?? `HTTP ${status}`);
    if (attempt > 1) throw new ConsentLost('1688授权已失效');
    token = await accessToken(runtime, buyer, token);
  }
}

/** Refusals that have words of ours, by the platform's code. */
const WORDS: Record<string, string> = { CLOSE_ORDER_TOO_FAST: '下单10秒后方可取消' };

function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const failure = Failure.safeParse(answer);
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const { errorCode = '', errorMsg = '1688返回的内容无法识别' } = failure.data ?? {};
  throw new PlatformRefused(WORDS[errorCode] ?? errorMsg);
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
      return orderPreviewResuslt.map((part) => ({
        goods: part.sumPaymentNoCarriage,
        freight: part.sumCarriage,
        total: part.sumPayment,
        amounts: new Map(part.cargoList.map((line) => [keyOf(line), line.amount])),
        flow: part.tradeModeNameList[0] ?? 'general',
      }));
    },
    async create(addressId, cargo, flow, outOrderId) {
      const params = { addressParam: addressOf(addressId), cargoParamList: parcelOf(cargo), flow, outOrderId };
      const answer = await call(`${TRADE}/alibaba.trade.fastCreateOrder`, params);
      // Judged by the order's number: answers that say "no success" and name an order are known.
      const made = Made.safeParse(answer);
      if (made.success && made.data.length > 0) return made.data;
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
      const parcels = read(Trace, answer).logisticsTrace;
      if (parcels.length === 0) return undefined;
      const steps = parcels.flatMap(({ logisticsBillNo, logisticsSteps }) =>
        logisticsSteps.map((one) => ({
          at: instantOf(one.acceptTime) ?? '',
          text: parcels.length > 1 ? `${logisticsBillNo} ${one.remark}` : one.remark,
        })),
      );
      steps.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
      return { trackingNo: parcels.map((one) => one.logisticsBillNo).join('、'), steps };
    },
    async cancel(orderId) {
      const params = { tradeID: orderId, webSite: '1688', cancelReason: 'buyerCancel' };
      read(z.object({ success: z.literal(true) }), await call(`${TRADE}/alibaba.trade.cancel`, params));
    },
    async confirm(orderId) {
      read(z.object({ success: z.literal(true) }), await call(`${TRADE}/trade.receivegoods.confirm`, { orderId }));
    },
    async payUrl(orderIds) {
      const answer = await call(`${TRADE}/alibaba.alipay.url.get`, { orderIdList: JSON.stringify(orderIds) });
      return read(z.object({ payUrl: z.url() }), answer).payUrl;
    },
  };
}
