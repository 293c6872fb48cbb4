import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { requestQuota, saveQuota } from '../contract/quota/calls.ts';
import type { StorageType } from '../contract/quota/fields.ts';
import { demoGoods } from './demo.ts';
import { decide, request } from './quota/request.ts';
import { saveQuotaOf } from './quota/save.ts';
import { roomKey, usageOf } from './quota/usage.ts';
import { toFt3 } from './quota/volume.ts';

/** A room in cubic feet that leaves a little of it: what is taken is `share` of it. */
function roomFor(used: Decimal | undefined, share: string): string {
  const taken = toFt3(used ?? new Decimal(0));
  return taken.isZero() ? '500' : taken.dividedBy(share).toFixed(1);
}

/** Rooms that Amazon gives the demo's store: one that is nearly full and for which more was asked, another one, and last month's. */
export async function demoQuotas(ctx: Ctx): Promise<void> {
  const place = await demoGoods(ctx);
  if (!place) return;
  const [{ account, marketplaceId }] = place.goods;
  const usage = await usageOf(ctx, [account]);
  const usedOf = (type: StorageType) => {
    const taken = usage.get(roomKey(account, stockOf(marketplaceId), type));
    return taken?.onHand.plus(taken.transit).plus(taken.waiting);
  };
  const month = ctx.clock.today().slice(0, 7);
  const room = (storageType: StorageType, share: string, of = month) => {
    const form = {
      authid: account,
      marketplaceId,
      storageType,
      month: of,
      unit: 'FT3',
      room: roomFor(usedOf(storageType), share),
    };
    return saveQuotaOf(ctx, saveQuota.body.parse({ ...form, remark: '' }));
  };
  const before = new Date(`${month}-01T00:00:00Z`);
  before.setUTCMonth(before.getUTCMonth() - 1);
  await room('STANDARD', '0.8', before.toISOString().slice(0, 7));
  await room('OVERSIZE', '0.6');
  const { id } = await room('STANDARD', '0.97');
  const ask = (wanted: string, fee: string, remark: string) =>
    request(ctx, requestQuota.body.parse({ id, wanted, fee, remark }));
  const granted = await ask('2', '12.5', '旺季备货');
  await decide(ctx, { id: granted.id, version: granted.version, state: 'approved', granted: '1.5' });
  await ask('5', '30', '黑五追加');
}
