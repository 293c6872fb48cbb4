import type { ApiRefused } from '#modules/marketplace/server/index.ts';

/** Fields as refusals name them, in the words of the form; the first that fits is meant. */
const FIELDS: readonly [RegExp, string][] = [
  [/already exists/i, '履约单号：该店铺已有这个单号'],
  [/not on hold/i, '订单：不在暂存状态，不能放行'],
  [/cannot be cancelled/i, '订单：已开始拣货或已结束，不能取消'],
  [/sellerFulfillmentOrderId/i, '履约单号：亚马逊不接受这个单号'],
  [/displayableOrderId/i, '平台订单号：亚马逊不接受'],
  [/postalCode/i, '邮政编码：亚马逊不接受'],
  [/stateOrRegion/i, '州/省：亚马逊不接受'],
  [/countryCode/i, '国家：亚马逊不接受'],
  [/\bcity\b/i, '城市：日本以外必须填写'],
  [/phone/i, '电话：亚马逊不接受'],
  [/addressLine|address/i, '地址：亚马逊不接受'],
  [/shippingSpeed/i, '配送速度：该站点不支持'],
  [/comment/i, '装箱单留言：亚马逊不接受'],
  [/quantity|units/i, '数量：亚马逊不接受'],
  [/sellerSku|items/i, '商品：亚马逊不接受'],
  [/marketplaceId/i, '站点：该账号不在这个站点销售'],
];

/** What a refusal means: the field first, Amazon's own words behind it. */
export function mcfProblem(error: ApiRefused): string | undefined {
  if (error.status === 404) return `订单：亚马逊没有这个履约单（${error.message}）`;
  if (error.status !== 400) return undefined;
  const known = FIELDS.find(([pattern]) => pattern.test(error.message));
  return known && `${known[1]}（${error.message}）`;
}

const REASONS: Readonly<Record<string, string>> = {
  InvalidDestinationAddress: '收件地址无效',
  DeliverySLAUnavailable: '该速度不能送达这个地址',
  InvalidSKU: '没有 FBA 库存',
  InsufficientInventory: '库存不足',
};

/** A reason of a preview in Chinese; one that is not known as Amazon names it. */
export const reasonWords = (code: string): string => REASONS[code] ?? code;
