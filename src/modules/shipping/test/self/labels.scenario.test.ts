import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { dropPackage, lockOrders, notePackage } from '#modules/order/server/index.ts';
import { callsOf, orderThere } from '#test/support/order-acts.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { listSelf, putSelfWay } from '../../contract/self/calls.ts';
import { buyLabel, buyLabels, printSelfZpl, voidLabel } from '../../contract/self/label.ts';
import { printSelfLabels } from '../../contract/self/work.ts';
import { itemsOf } from '../../server/self/label/parcel.ts';
import { judged } from '../../server/self/label/rates.ts';
import { locked, type SelfDoc } from '../../server/self/load.ts';
import { obstacle } from '../../server/self/rules.ts';
import { bytesOf, createLabelHouse, type LabelHouse } from './label-support.ts';

let shop: LabelHouse;

beforeAll(async () => {
  shop = await createLabelHouse();
});
afterAll(() => shop.world.close());

const there = () => shop.world.sandbox.world;
const boughtThere = (order: string) => there().merchant.ofOrder(order);
const packagesThere = (order: string) => orderThere(shop.world, order).packages ?? [];

/** A parcel of all pieces of a document, reported by somebody on the order itself. */
async function reportByHand(ctx: Ctx, doc: SelfDoc, write: string, of: string): Promise<void> {
  const [order] = (await lockOrders(ctx, [of])).values();
  if (!order) throw new Error('no order');
  const parcel = { order, carrier: 'UPS', service: '', trackingNumber: '1Z0000000000000001', items: itemsOf(doc) };
  await notePackage(ctx, { ...parcel, write });
}

describe('prices', () => {
  it('are judged by the promise: the cheapest that arrives in time is the best, whatever costs less comes too late', () => {
    const rate = (serviceId: string, amount: string, arrivesAt: string | null, unfit?: string) => ({
      serviceId,
      offerId: '',
      service: serviceId,
      carrier: 'X',
      amount: new Decimal(amount),
      currency: 'USD',
      arrivesAt,
      ...(unfit ? { unfit } : {}),
    });
    const rates = [
      rate('AIR', '18.89', '2026-01-03T00:00:00Z'),
      rate('GROUND', '7.42', '2026-01-06T00:00:00Z'),
      rate('SLOW', '3.98', '2026-01-09T00:00:00Z'),
      rate('ABROAD', '1', '2026-01-02T00:00:00Z', '需要报关资料'),
    ];
    const shown = judged(rates, '2026-01-06T00:00:00Z').map(({ serviceId, inTime, best }) => [serviceId, inTime, best]);
    expect(shown).toEqual([
      ['SLOW', false, false],
      ['GROUND', true, true],
      ['AIR', true, false],
      ['ABROAD', true, false],
    ]);
    expect(judged(rates, '2026-01-01T00:00:00Z').some(({ best }) => best)).toBe(false);
    expect(judged(rates, null).find(({ best }) => best)?.serviceId).toBe('SLOW');
  });

  it('are asked by weight and size, and what is missing is named', async () => {
    const id = await shop.approved(shop.next());
    const { rates, promisedAt, addresses } = await shop.rates(id);
    expect(rates.length).toBeGreaterThan(3);
    expect(promisedAt).not.toBeNull();
    expect(addresses).toMatchObject([{ name: 'Detroit Warehouse' }]);
    expect(rates.filter(({ best }) => best)).toHaveLength(1);
    const body = { ids: [id] };
    await expect(shop.house.owner.call(buyLabels, { body })).rejects.toThrow('请填写包裹的重量、长、宽、高');
  });
});

describe('a label', () => {
  it('is bought once however many press, fills the document in, is printed, and nobody confirms the order again', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    const before = callsOf(shop.world, 'createShipment');
    const [{ serviceId = '', amount = '' } = {}] = (await shop.rates(id)).rates;
    const body = { id, weightG: 500, length: '20', width: '15', height: '10', serviceId, amount };
    const pressed = await Promise.all(Array.from({ length: 10 }, () => shop.house.owner.send(buyLabel, { body })));
    expect(pressed.filter(({ code, data }) => code === 201 && !data.repeated)).toHaveLength(1);
    for (const { code, msg } of pressed) if (code !== 201) expect(msg).toContain('不能重复申请');
    await shop.settled(id).toBe('bought');
    expect(callsOf(shop.world, 'createShipment') - before).toBe(1);
    const [label] = boughtThere(row.amazonOrderId);
    const [line] = await shop.labels(id);
    const document = await shop.documentOf(id);
    expect(document).toMatchObject({ trackingNo: label?.tracking, weightG: 500, size: '20×15×10', currency: 'USD' });
    expect(new Decimal(document.actualFee ?? 0).times(100).toNumber()).toBe(label?.cents);
    expect(document.estimatedFee).toBe(document.actualFee);
    expect(line).toMatchObject({ state: 'bought', hasFile: true, problem: '', trackingNo: label?.tracking });
    const own = { id, carrier: 'DHL', trackingNo: '1' };
    await expect(shop.house.owner.call(putSelfWay, { body: own })).rejects.toThrow('以面单为准');
    await expect(shop.step('unapprove', id, { reason: '改' })).rejects.toThrow('请先作废面单');
    await shop.step('print', id);
    const shipped = await shop.step('ship', id);
    expect(shipped.message).not.toContain('已提交标记发货');
    await expect.poll(async () => (await shop.documentOf(id)).state, { timeout: PATIENCE_MS }).toBe('shipped');
    expect(packagesThere(row.amazonOrderId)).toMatchObject([{ trackingNumber: label?.tracking }]);
    expect(callsOf(shop.world, 'confirmShipment')).toBe(0);
  });

  it('never leaves an address of the buyer in what is kept of the call', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    await shop.buy(id);
    await shop.settled(id).toBe('bought');
    const { shipTo } = orderThere(shop.world, row.amazonOrderId);
    const kept = await shop.world.as(shop.house.owner, async (ctx) => {
      const { rows } = await sql<{ text: string }>`
        SELECT w::text AS text FROM marketplace.write AS w WHERE w.company_id = ${ctx.companyId}
           AND w.subject = ${row.amazonOrderId}`.execute(ctx.db);
      return rows.map(({ text }) => text).join();
    });
    expect(kept).toContain('trackingNo');
    expect(kept).not.toContain(shipTo.line1);
    expect(kept).not.toContain(shipTo.name);
    expect(kept).not.toContain('Contents');
  });

  it('is bought for a selection by the cheapest in time; one that cannot be is named; all print as one file', async () => {
    const ids: string[] = [];
    for (const row of [shop.next(), shop.next()]) {
      const id = await shop.approved(row);
      const parcel = { weightG: 800, length: '30', width: '20', height: '10' };
      await shop.house.owner.call(putSelfWay, { body: { id, ...parcel } });
      ids.push(id);
    }
    const bare = await shop.approved(shop.next());
    const { done, left } = await shop.house.owner.call(buyLabels, { body: { ids: [...ids, bare] } });
    expect(done).toBe(2);
    expect(left).toMatchObject([{ number: (await shop.documentOf(bare)).number }]);
    for (const id of ids) await shop.settled(id).toBe('bought');
    const filter = { labelState: 'bought' as const };
    const { records } = await shop.house.owner.call(listSelf, { body: { filter, pagesize: 100 } });
    expect(records.map((row) => row.id)).toEqual(expect.arrayContaining(ids));
    const printed = await bytesOf(shop, printSelfLabels, [...ids, bare]);
    expect((await PDFDocument.load(printed)).getPageCount()).toBe(3);
    await expect(bytesOf(shop, printSelfZpl, ids)).rejects.toThrow('没有ZPL格式的面单');
  });

  it('for a label printer is what Amazon sent', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    await shop.buy(id, { format: 'ZPL' });
    await shop.settled(id).toBe('bought');
    const [label] = boughtThere(row.amazonOrderId);
    expect((await bytesOf(shop, printSelfZpl, [id])).toString()).toContain(label?.tracking);
    await expect(bytesOf(shop, printSelfLabels, [id])).rejects.toThrow('ZPL格式');
  });

  it('that is called back is paid back; the next one takes its place on the order', async () => {
    const row = shop.next();
    const id = await shop.approved(row);
    await shop.buy(id);
    await shop.settled(id).toBe('bought');
    const [first] = boughtThere(row.amazonOrderId);
    await shop.house.owner.call(voidLabel, { body: { id } });
    await shop.settled(id).toBe('voided');
    expect(boughtThere(row.amazonOrderId)[0]?.cancelledAt).toBeDefined();
    expect(await shop.documentOf(id)).toMatchObject({ carrier: '', trackingNo: '', actualFee: null });
    // What somebody reports on the order before it was followed is sent; the parcel that the platform shows without a label is not.
    await shop.world.as(shop.house.owner, async (ctx) => {
      const doc: SelfDoc = { ...(await locked(ctx, id)), state: 'ready' };
      expect(await obstacle(ctx, doc)).toBeUndefined();
      const byHand = randomUUID();
      await reportByHand(ctx, doc, byHand, row.id);
      expect(await obstacle(ctx, doc)).toContain('还可发货 0 件');
      await dropPackage(ctx, byHand);
    });
    await shop.buy(id);
    await shop.settled(id).toBe('bought');
    const [, second] = boughtThere(row.amazonOrderId);
    expect(second?.tracking).not.toBe(first?.tracking);
    expect(packagesThere(row.amazonOrderId)).toMatchObject([{ trackingNumber: second?.tracking }]);
    expect((await shop.labels(id)).map(({ state }) => state)).toEqual(['bought', 'voided']);
    await shop.step('ship', id);
    await expect.poll(async () => (await shop.documentOf(id)).state, { timeout: PATIENCE_MS }).toBe('shipped');
  });
});
