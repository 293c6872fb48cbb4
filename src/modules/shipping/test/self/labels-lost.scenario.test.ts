import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listWrites, retryWrite } from '#modules/marketplace/contract/writes.ts';
import { callsOf, orderThere } from '#test/support/order-acts.ts';
import { selfBatches } from '../../contract/self/calls.ts';
import { lookLabel, resolveLabel } from '../../contract/self/label.ts';
import { printSelfLabels } from '../../contract/self/work.ts';
import { bytesOf, createLabelHouse, type LabelHouse } from './label-support.ts';

let shop: LabelHouse;

beforeAll(async () => {
  shop = await createLabelHouse();
});
afterAll(() => shop.world.close());

/** Orders that a label was bought for. */
const made: string[] = [];

const there = () => shop.world.sandbox.world;
const boughtThere = (order: string) => there().merchant.ofOrder(order);

describe('a label', () => {
  it('goes back with the document that is called off', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    await shop.buy(id);
    await shop.settled(id).toBe('bought');
    await shop.house.owner.call(selfBatches.cancel, { body: { ids: [id], reason: '客户不要了' } });
    await shop.settled(id).toBe('voided');
    expect((await shop.documentOf(id)).state).toBe('cancelled');
    expect(boughtThere(row.amazonOrderId)[0]?.cancelledAt).toBeDefined();
  });

  it('that Amazon refuses says why, and may be asked for again', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    await expect(shop.buy(id, { amount: '0.01' })).rejects.toThrow('运费已变为');
    await expect(shop.buy(id, { serviceId: 'NOBODY' })).rejects.toThrow('已不提供');
    // Somebody sends it in Seller Central meanwhile.
    const { sellingPartnerId, region, at, items } = saidThere(row.amazonOrderId);
    const { faults } = there();
    const { id: storm } = faults.add({ kind: 'throttleStorm', operation: 'createShipment' });
    await shop.buy(id);
    const said = { reference: '1', carrier: 'USPS', trackingNumber: '9400', shippedAt: at, items };
    there().command({ type: 'packageConfirmed', sellingPartnerId, region, orderId: row.amazonOrderId, at, said });
    faults.clear(storm);
    await shop.settled(id).toBe('failed');
    expect((await shop.labels(id))[0]?.problem).toContain('发货数量超过订单还可发货的数量');
    expect(boughtThere(row.amazonOrderId)).toEqual([]);
  });

  it('is blocked while the buyer asked to cancel or where the address moved', async () => {
    const change = (order: string, set: ReturnType<typeof sql>) =>
      shop.world.as(shop.house.owner, (ctx) =>
        sql`UPDATE "order".amazon_order SET ${set} WHERE company_id = ${ctx.companyId}
           AND amazon_order_id = ${order}`.execute(ctx.db),
      );
    const [asked, moved, learnt] = [shop.next(), shop.next(), shop.next()];
    await change(moved.amazonOrderId, sql`postal_prefix = '481'`);
    await change(learnt.amazonOrderId, sql`postal_prefix = NULL`);
    const [first, second, third] = [
      await shop.approved(asked),
      await shop.approved(moved),
      await shop.approved(learnt),
    ];
    await change(asked.amazonOrderId, sql`buyer_cancel_requested = true`);
    await expect(shop.buy(first)).rejects.toThrow('买家申请取消');
    await change(moved.amazonOrderId, sql`postal_prefix = '000'`);
    await expect(shop.buy(second)).rejects.toThrow('收件地址已变更');
    expect(boughtThere(asked.amazonOrderId)).toEqual([]);
    expect(boughtThere(moved.amazonOrderId)).toEqual([]);
    // The report of all orders tells where a parcel goes after the order itself is known.
    await change(learnt.amazonOrderId, sql`postal_prefix = '482'`);
    expect((await shop.buy(third)).repeated).toBe(false);
    await shop.settled(third).toBe('bought');
  });
});

describe('a purchase whose answer is lost', () => {
  it('is found by the package on its order, and not bought again', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    const { faults } = there();
    const { id: cut } = faults.add({ kind: 'timeoutAfter', operation: 'createShipment', ms: 1, count: 1 });
    await shop.buy(id);
    await shop.settled(id).toBe('bought');
    faults.clear(cut);
    made.push(row.amazonOrderId);
    const [label, ...others] = boughtThere(row.amazonOrderId);
    expect(others).toEqual([]);
    expect((await shop.documentOf(id)).trackingNo).toBe(label?.tracking);
    // The order knows no number of the label: its file is fetched by people.
    expect((await shop.labels(id))[0]).toMatchObject({ hasFile: false, problem: expect.stringContaining('卖家后台') });
    await expect(bytesOf(shop, printSelfLabels, [id])).rejects.toThrow('没有文件');
  });

  it('that does not show is 结果未知: nothing sends it again, and people or a later look settle it', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    const cut = there().faults.add({ kind: 'timeoutBefore', operation: 'createShipment', ms: 1, count: 1 });
    const before = callsOf(shop.world, 'createShipment');
    await shop.buy(id);
    await shop.settled(id).toBe('unknown');
    there().faults.clear(cut.id);
    // What never arrived is counted by nobody, and no second call came behind it.
    expect(callsOf(shop.world, 'createShipment') - before).toBe(0);
    await expect(shop.buy(id)).rejects.toThrow('面单结果未知，不能重复申请');
    await expect(shop.step('ship', id)).rejects.toThrow('运单结果未知');
    const { records } = await shop.house.owner.call(listWrites, { body: { filter: { subject: row.amazonOrderId } } });
    await expect(shop.house.owner.call(retryWrite, { params: { id: records[0]?.id ?? '' } })).rejects.toThrow(
      '请在自发货单上重新申请',
    );
    await expect(shop.house.owner.call(lookLabel, { body: { id } })).rejects.toThrow('还没有这个包裹');
    await shop.house.owner.call(resolveLabel, { body: { id, verdict: 'failed' } });
    await shop.settled(id).toBe('failed');
    expect(boughtThere(row.amazonOrderId)).toEqual([]);
    await shop.buy(id);
    await shop.settled(id).toBe('bought');
    expect(boughtThere(row.amazonOrderId)).toHaveLength(1);
  });

  it('that a person finds in Seller Central is taken over with its file', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    const cut = there().faults.add({ kind: 'timeoutBefore', operation: 'createShipment', ms: 1, count: 1 });
    await shop.buy(id);
    await shop.settled(id).toBe('unknown');
    there().faults.clear(cut.id);
    const label = madeLate(row.amazonOrderId);
    const body = {
      id,
      verdict: 'bought' as const,
      trackingNo: label.tracking,
      shipmentNo: label.shipmentId,
    };
    await expect(shop.house.owner.call(resolveLabel, { body: { ...body, trackingNo: '' } })).rejects.toThrow(
      '请填写运单号',
    );
    await shop.house.owner.call(resolveLabel, { body });
    expect((await shop.labels(id))[0]?.hasFile).toBe(false);
    await shop.house.owner.call(lookLabel, { body: { id } });
    expect((await shop.labels(id))[0]).toMatchObject({ state: 'bought', hasFile: true, problem: '' });
    expect((await bytesOf(shop, printSelfLabels, [id])).subarray(0, 4).toString()).toBe('%PDF');
  });
});

/** What the marketplace is told of an order that somebody sends. */
function saidThere(orderId: string) {
  const order = orderThere(shop.world, orderId);
  const { sellingPartnerId, region } = order.account;
  const items = order.items.map(({ orderItemId, quantityOrdered }) => ({ orderItemId, quantity: quantityOrdered }));
  return { sellingPartnerId, region, at: there().now(), items };
}

/** A purchase that the marketplace made in the end, like one of another order. */
function madeLate(orderId: string) {
  const { sellingPartnerId, region, at, items } = saidThere(orderId);
  const [like] = made.flatMap(boughtThere);
  if (!like) throw new Error('no label was bought yet');
  const shipmentId = like.shipmentId.replace(/^.{8}/, 'feedbeef');
  const label = {
    ...like,
    sellingPartnerId,
    region,
    at,
    items,
    orderId,
    shipmentId,
    tracking: '94009',
    reference: '1',
  };
  const said = { reference: '1', carrier: 'USPS', trackingNumber: label.tracking, shippedAt: at, items };
  there().command({ type: 'labelBought', label, said });
  return label;
}
