import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { publishRates } from '#test/support/rates.ts';
import { US } from '#test/support/seller.ts';
import { choosePlacement } from '../../contract/inbound.ts';
import { putShipWay } from '../../contract/order-calls.ts';
import { placementCosts } from '../../contract/placement.ts';
import { addCard, carrierDetail, saveCarrier } from '../../contract/transport/calls.ts';
import { agreed, packed, prepared, turns } from '../inbound-support.ts';
import { createSender, type Sender } from '../stream-support.ts';

let sender: Sender;

beforeAll(async () => {
  sender = await createSender(500);
  await publishRates(sender.world, { USD: '7.2' });
});
afterAll(() => sender.world.close());

/** A channel to a zone: 10 CNY for each kilogram. */
async function channelTo(zone: string): Promise<string> {
  const { owner } = sender.house;
  const channels = [{ name: `渠道${zone}`, mode: 'SEA' as const, country: 'US', zone }];
  const { id } = await owner.call(saveCarrier, { body: { name: `货代${zone}`, channels } as never });
  const { channels: saved } = await owner.call(carrierDetail, { params: { id } });
  const channelId = saved[0]?.id ?? '';
  const validFrom = sender.world.clock.today();
  const tiers = [{ from: '0', price: '10' }];
  await owner.call(addCard, { body: { channelId, currency: 'CNY', validFrom, tiers } as never });
  return channelId;
}

/** Shipments to a centre that were on the shelf so many days after the door. */
async function shelved(center: string, days: readonly number[]): Promise<void> {
  const { world, house, accountId } = sender;
  await world.as(house.owner, async (ctx) => {
    for (const [index, day] of days.entries()) {
      await sql`
        INSERT INTO shipping.fba_shipment (company_id, account_id, marketplace_id, shipment_no, name, center, status, shipped,
                                           received, delivered_at, first_received_at)
        VALUES (${ctx.companyId}, ${accountId}, ${US}, ${`FBA${center}${index}`}, '', ${center}, 'CLOSED', 1, 1,
                kit.now() - interval '40 days', kit.now() - interval '40 days' + ${day}::int * interval '1 day')`.execute(
        ctx.db,
      );
    }
  });
}

test('beside what Amazon asks for each placement stands what our own way costs and how long each centre takes', async () => {
  const { house } = sender;
  const { owner } = house;
  const id = await agreed(sender, [40, 20]);
  await prepared(sender, id);
  await packed(sender, id);
  const { placement } = await turns(sender, id);
  const costs = () => owner.call(placementCosts, { params: { id } });
  const bare = await costs();
  expect(bare.options.map(({ optionId }) => optionId)).toEqual(placement.map(({ optionId }) => optionId));
  for (const { legs, totalCny } of bare.options) {
    expect(totalCny).toBeNull();
    expect(new Set(legs.map(({ freight, why, days }) => [freight, why, days].join()))).toEqual(
      new Set([',发货单未选择渠道,']),
    );
  }

  await shelved('ONT8', [2, 3, 4, 5, 9]);
  await shelved('FTW1', [1, 1]);
  const book = async (zone: string) =>
    owner.call(putShipWay, { body: { id, channelId: await channelTo(zone) } as never });
  await book('');
  const { channel, options } = await costs();
  expect(channel).toBe('货代 渠道');
  // Six boxes of 12 kg, which are larger than heavy by nothing: 720 CNY wherever they go, and Amazon's fee at 7.2.
  const fees = placement.map(({ fee }) => new Decimal(fee?.amount ?? 0));
  for (const [index, { feeCny, freightCny, totalCny, eachCny }] of options.entries()) {
    const fee = new Decimal(fees[index] ?? 0).times('7.2');
    expect([feeCny, freightCny, totalCny]).toEqual([fee.toFixed(2), '720.00', fee.plus(720).toFixed(2)]);
    expect(new Decimal(eachCny ?? 0).toFixed(3)).toBe(fee.plus(720).div(60).toFixed(3));
  }
  const least = Decimal.min(...fees);
  expect(options.map(({ cheapest }) => cheapest)).toEqual(fees.map((fee) => fee.equals(least)));
  const legs = options.flatMap((one) => one.legs);
  expect(legs.filter(({ center }) => center === 'ONT8').map(({ days }) => days)).toContain(9);
  expect(legs.find(({ center }) => center === 'FTW1')).toMatchObject({
    days: null,
    daysWhy: '近180天 2 个货件，不足 5 个',
  });

  await book('美西');
  const west = (await costs()).options.flatMap((one) => one.legs);
  expect(west.find(({ center }) => center === 'ONT8')?.freight).not.toBeNull();
  expect(west.find(({ center }) => center === 'FTW1')).toMatchObject({
    freight: null,
    why: '渠道「渠道美西」的分区「美西」不含该仓',
  });

  const stranger = await sender.world.member(owner, ['amz:ship:view']);
  await expect(stranger.call(placementCosts, { params: { id } })).rejects.toThrow();
  const [offer] = placement;
  await expect(
    owner.call(choosePlacement, { body: { id, optionId: offer?.optionId ?? '', fee: '0.01' } }),
  ).rejects.toThrow('费用已变化');
  await owner.call(choosePlacement, {
    body: { id, optionId: offer?.optionId ?? '', fee: `${offer?.fee?.amount ?? '0.0'}` },
  });
  await turns(sender, id);
  expect((await costs()).options).toEqual([]);
});
