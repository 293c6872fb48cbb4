import { plainDecimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { shipFromOf } from '#modules/marketplace/server/index.ts';
import { nowThere } from '#modules/order/server/index.ts';
import type { Parcel } from '../../../contract/self/label.ts';
import type { SelfDoc } from '../load.ts';
import type { CarrierParcel } from './carrier.ts';
import { requireKind } from './guards.ts';

const WORDS = { weightG: '重量', length: '长', width: '宽', height: '高' } as const;

/** What the caller says of a parcel, and of what he does not say, what the document says. */
export function measuresOf(doc: SelfDoc, given: Partial<Parcel>) {
  const side = (name: 'length' | 'width' | 'height') =>
    given[name] ?? (doc[name] === null ? null : plainDecimal(doc[name]));
  return {
    weightG: given.weightG ?? doc.weightG,
    length: side('length'),
    width: side('width'),
    height: side('height'),
  };
}

/** A carrier wants to reach whoever sends it. */
const NEEDED = { email: '邮箱', phoneNumber: '电话', addressLine1: '详细地址', city: '城市', postalCode: '邮政编码' };

async function senderOf(ctx: Ctx, doc: SelfDoc, addressId: string | null): Promise<Record<string, string>> {
  const from = await shipFromOf(ctx, doc.account ?? '', doc.marketplaceId ?? '', addressId);
  if (!from) throw refused('店铺没有发货地址，请在「发货地址」中添加', 'B1420');
  const missing = Object.entries(NEEDED).flatMap(([key, words]) => (from[key] ? [] : [words]));
  if (missing.length > 0) throw refused(`发货地址【${from.name}】缺少${missing.join('、')}`, 'B1420');
  return from;
}

/** The parcel of a document for whoever would carry it. @throws refused B1420 for what is missing, B1421 for its kind */
export async function parcelFor(ctx: Ctx, doc: SelfDoc, given: Partial<Parcel>): Promise<CarrierParcel> {
  requireKind(doc);
  const measures = measuresOf(doc, given);
  const missing = Object.entries(WORDS).flatMap(([key, words]) =>
    measures[key as keyof typeof WORDS] === null ? [words] : [],
  );
  if (missing.length > 0) throw refused(`请填写包裹的${missing.join('、')}`, 'B1420');
  const { weightG, length, width, height } = measures;
  return {
    docId: doc.id,
    number: doc.number,
    account: doc.account ?? '',
    marketplaceId: doc.marketplaceId ?? '',
    orderId: doc.orders[0]?.orderId ?? '',
    items: itemsOf(doc),
    weightG: weightG ?? 0,
    sides: [length ?? '0', width ?? '0', height ?? '0'],
    from: await senderOf(ctx, doc, given.addressId ?? null),
    askedAt: (await nowThere(ctx.runtime)).toISOString(),
  };
}

/** The pieces of a document as its order counts them. */
export const itemsOf = (doc: SelfDoc): { orderItemId: string; quantity: number }[] =>
  doc.lines.flatMap(({ orderItemId, qty }) => (orderItemId === null ? [] : [{ orderItemId, quantity: qty }]));
