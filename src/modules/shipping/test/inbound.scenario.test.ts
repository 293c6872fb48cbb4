import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSheet } from '#kit/server/excel/read.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { balances, stocked } from '#test/support/house.ts';
import { uploadAs } from '#test/support/upload.ts';
import {
  changeContents,
  choosePlacement,
  inboundLabels,
  offerAgain,
  redoInbound,
  refreshInbound,
  retryInbound,
} from '../contract/inbound.ts';
import { shipSteps } from '../contract/order-calls.ts';
import { pickRows, pickShip } from '../contract/picking.ts';
import { importTracking, trackingSheet } from '../contract/tracking-sheet.ts';
import { changeJobs } from '../server/inbound/change.ts';
import { agreed, carried, detail, gone, packed, placed, prepared, turns, viewOf } from './inbound-support.ts';
import { createSender, type Sender } from './stream-support.ts';

let sender: Sender;

beforeAll(async () => {
  sender = await createSender(500);
});
afterAll(() => sender.world.close());

/** Pages of the labels of a shipment, on sheets of four and on a roll. */
async function sheetsOf(id: string, shipmentId: string): Promise<number[]> {
  const pages: number[] = [];
  for (const paper of ['SHEET', 'THERMAL'] as const) {
    const pdf = await sender.house.owner.send(inboundLabels, { params: { id, shipmentId }, query: { paper } });
    expect(pdf.headers['content-type']).toBe('application/pdf');
    pages.push((await PDFDocument.load(pdf.raw)).getPageCount());
  }
  return pages;
}

test('the whole way: plan, boxes, two warehouses, own carrier, labels, tracking', async () => {
  const { house, way, skus } = sender;
  const id = await agreed(sender, [40, 20]);
  const planned = await prepared(sender, id);
  expect(planned).toMatchObject({ state: 'waiting', stage: 'offerPacking', words: '等待完成配货' });
  expect(planned.planId).toHaveLength(38);

  await packed(sender, id);
  const offered = await turns(sender, id);
  expect(offered).toMatchObject({ state: 'waiting', stage: 'takePlacement', words: '请比较并选择配送方案' });
  expect(offered.placement.length).toBeGreaterThan(1);
  const pieces = offered.placement.map(({ shipments }) =>
    shipments.flatMap(({ items }) => items).reduce((sum, { qty }) => sum + qty, 0),
  );
  expect(new Set(pieces)).toEqual(new Set([60]));
  await expect(house.owner.call(shipSteps.ship, { body: { id } })).rejects.toThrow('货件标签未就绪');

  const carriers = await placed(sender, id, 2);
  expect(carriers).toMatchObject({ state: 'waiting', stage: 'takeWindow', placementFixed: true });
  expect(carriers.shipments).toHaveLength(2);
  expect(carriers.shipments.flatMap(({ boxes }) => boxes)).toHaveLength(6);
  await expect(house.owner.call(shipSteps.unpack, { body: { id } })).rejects.toThrow('配送方案已确认');

  const labelled = await carried(sender, id);
  expect(labelled).toMatchObject({ state: 'waiting', stage: 'tellTracking', transportFixed: true });
  for (const shipment of labelled.shipments) {
    expect(shipment.hasLabels).toBe(true);
    expect(shipment.boxes.every(({ amazonBoxId }) => amazonBoxId?.startsWith(shipment.shipmentNo))).toBe(true);
    expect(shipment.hasThermal).toBe(true);
    const count = shipment.boxes.length;
    expect(await sheetsOf(id, shipment.shipmentId)).toEqual([Math.ceil(count / 4), count]);
  }

  const sheet = await readSheet((await house.owner.send(trackingSheet, { params: { id } })).raw);
  expect(sheet).toHaveLength(7);
  const send = async (rows: readonly (readonly string[])[], write: 'no' | 'yes') => {
    const bytes = await writeWorkbook([{ title: '追踪号', rows: rows.map((row) => [...row]) }]);
    return (await uploadAs(sender.world, house.owner, importTracking, { id, write }, { name: '追踪号.xlsx', bytes }))
      .data;
  };
  const filled = sheet.map((row, index) => (index === 0 ? row : [...row.slice(0, 3), `1ZX${index}`]));
  expect(await send([...filled, ['99', '', '', '1ZX']], 'yes')).toMatchObject({
    rows: 7,
    problems: [{ line: 8, column: '箱号', value: '99' }],
    written: false,
  });
  expect(await send(filled.slice(0, 4), 'no')).toMatchObject({ rows: 3, open: 3, problems: [], written: false });
  for (let run = 0; run < 2; run += 1)
    expect(await send(filled, 'yes')).toMatchObject({ rows: 6, open: 0, written: true });
  const tracked = (await viewOf(sender, id)).shipments.flatMap(({ boxes }) => boxes);
  expect(tracked.map(({ trackingNo }) => trackingNo).sort()).toEqual([1, 2, 3, 4, 5, 6].map((no) => `1ZX${no}`));

  const over = await gone(sender, id);
  expect(over).toMatchObject({ state: 'ended' });
  expect((await detail(sender, id)).order.state).toBe('shipped');
  for (const { shipmentNo, items } of over.shipments) {
    const shown = await way.received(shipmentNo);
    expect(Object.fromEntries(items.map(({ msku, qty }) => [msku, [qty, 0]]))).toEqual(shown);
  }
  expect(await balances(sender.world, house, skus[0] ?? '')).toEqual({ AVAILABLE: 460 });
});

test('picked fewer than planned: the plan at Amazon is called off and made anew', async () => {
  const { house } = sender;
  const id = await agreed(sender, [30, 10]);
  const before = await prepared(sender, id);
  const { lines } = await detail(sender, id);
  const rows = await house.owner.call(pickRows, { params: { id } });
  await house.owner.call(pickShip, {
    body: { id, lines: rows.map(({ lineId, want }, index) => ({ lineId, qty: index === 0 ? want - 5 : want })) },
  });
  await packed(sender, id);
  const after = await turns(sender, id);
  expect(after).toMatchObject({ state: 'waiting', stage: 'takePlacement', attempt: 2 });
  expect(after.planId).not.toBe(before.planId);
  const total = lines.reduce((sum, { qty }) => sum + qty, 0) - 5;
  const [offer] = after.placement;
  expect(offer?.shipments.flatMap(({ items }) => items).reduce((sum, { qty }) => sum + qty, 0)).toBe(total);
  await house.owner.call(shipSteps.cancel, { body: { id, reason: '不发了' } });
  expect(await turns(sender, id)).toMatchObject({ state: 'cancelled' });
});

test('a plan that somebody cancels in Seller Central is noticed, and made anew by a press', async () => {
  const { house, way } = sender;
  const id = await agreed(sender, [12]);
  const { planId } = await prepared(sender, id);
  await way.control({ action: 'cancelPlan', inboundPlanId: planId });
  await house.owner.call(refreshInbound, { body: { id } });
  expect(await turns(sender, id)).toMatchObject({ state: 'trouble', words: expect.stringContaining('卖家后台取消') });
  await house.owner.call(redoInbound, { body: { id, reason: '后台误取消' } });
  const again = await turns(sender, id);
  expect(again).toMatchObject({ state: 'waiting', attempt: 2 });
  expect(again.planId).not.toBe(planId);
});

test('offers that have expired are made anew, and whoever chooses an old one is told', async () => {
  const { house, way } = sender;
  const id = await agreed(sender, [12]);
  await prepared(sender, id);
  await packed(sender, id);
  const first = await turns(sender, id);
  await way.control({ action: 'expire', inboundPlanId: first.planId });
  expect((await viewOf(sender, id)).placement.every(({ expired }) => expired)).toBe(false);
  const [offer] = first.placement;
  // The product does not know yet: Amazon refuses, and what is offered instead waits for another choice.
  await house.owner.call(choosePlacement, {
    body: { id, optionId: offer?.optionId ?? '', fee: offer?.fee?.amount ?? '0' },
  });
  const again = await turns(sender, id);
  expect(again).toMatchObject({ state: 'waiting', stage: 'takePlacement', placementFixed: false });
  expect(again.placement.map(({ optionId }) => optionId)).not.toContain(offer?.optionId);
  expect(again.placement.some(({ chosen }) => chosen)).toBe(false);
  await house.owner.call(offerAgain, { body: { id, stage: 'offerPlacement' } });
  await turns(sender, id);
  expect(await placed(sender, id)).toMatchObject({ stage: 'takeWindow' });
  expect((await viewOf(sender, id)).shipments).toHaveLength(1);
});

test('what goes wrong at Amazon is told in Chinese, mended by itself where it can be, and tried again by a press', async () => {
  const { house, world } = sender;
  const { faults } = world.sandbox.world;
  const id = await agreed(sender, [12]);
  await prepared(sender, id);
  await packed(sender, id);
  faults.add({ kind: 'inboundFailed', operation: 'setPackingInformation', count: 1, code: 'InternalServerError' });
  const troubled = await turns(sender, id);
  expect(troubled).toMatchObject({ state: 'trouble', stage: 'tellBoxes', may: { retry: true } });
  expect(troubled.words).toBe('亚马逊内部错误，可稍后重试（InternalServerError）');
  // Whoever sends goods hears of it: he has long left the page.
  const told = await world.as(house.owner, (ctx) =>
    ctx.db.selectFrom('message.message').select('title').where('document_id', '=', id).execute(),
  );
  expect(told.map(({ title }) => title)).toEqual([`发货单 ${troubled.order.number} 的货件处理出错`]);
  await house.owner.call(retryInbound, { body: { id } });

  // An offer that is expired at birth is refused when it is taken, an empty one is asked for again; a slow one is waited for.
  faults.add({ kind: 'transportationEmpty', operation: 'generateTransportationOptions', count: 1 });
  faults.add({ kind: 'inboundStuck', operation: 'confirmPlacementOption', count: 1, ms: 300 });
  expect((await turns(sender, id)).stage).toBe('takePlacement');
  const carriers = await placed(sender, id);
  expect(carriers).toMatchObject({ state: 'waiting', stage: 'takeWindow' });
  expect(carriers.transport.length).toBeGreaterThan(0);
  expect(carriers.steps.find(({ key }) => key === 'offerTransport')?.tries).toBe(2);
  expect((await carried(sender, id)).stage).toBe('tellTracking');
});

test('two pieces too few at the ramp: Amazon agrees to fewer, boxes and stock follow, and the rest leaves', async () => {
  const { house, way, world, skus } = sender;
  const [first = ''] = skus;
  const before = await balances(world, house, first);
  const id = await agreed(sender, [30, 10]);
  await prepared(sender, id);
  await packed(sender, id);
  await placed(sender, id);
  const [shipment] = (await carried(sender, id)).shipments;
  const { shipmentId = '', shipmentNo = '', boxes = [] } = shipment ?? {};
  const box = boxes.find(({ items }) => items.some(({ msku }) => msku === first));
  const wish = (qty: number) =>
    house.owner.call(changeContents, {
      body: { id, shipmentId, boxes: [{ no: box?.no ?? 0, items: [{ msku: first, qty }] }] },
    });
  await expect(wish(11)).rejects.toThrow('只能改少');
  await expect(wish(0)).rejects.toThrow('至少保留一件');
  await expect(wish(3)).rejects.toThrow('最多可改少 6 件');
  await wish(8);
  await expect(house.owner.call(shipSteps.ship, { body: { id } })).rejects.toThrow('数量修改还在处理');
  expect((await turns(sender, id)).stage).toBe('tellTracking');
  const follow = changeJobs[0]?.run as (runtime: unknown, payload: object) => Promise<void>;
  // At least once: a second run finds nothing to follow.
  for (let run = 0; run < 2; run += 1) await follow(world.runtime, { companyId: house.owner.companyId, orderId: id });
  const { lines } = await detail(sender, id);
  expect(lines.find(({ msku }) => msku === first)).toMatchObject({ pickedQty: 28, boxedQty: 28 });
  expect(await balances(world, house, first)).toEqual({
    AVAILABLE: (before.AVAILABLE ?? 0) - 28,
    RESERVED: (before.RESERVED ?? 0) + 28,
  });
  const view = await turns(sender, id);
  expect(view.shipments[0]).toMatchObject({ changing: false });
  expect(view.shipments[0]?.boxes.map(({ amazonBoxId }) => amazonBoxId)).toEqual(boxes.map((one) => one.amazonBoxId));
  expect((await way.received(shipmentNo))[first]).toEqual([28, 0]);
  expect(await gone(sender, id)).toMatchObject({ state: 'ended' });
  expect((await detail(sender, id)).order).toMatchObject({ state: 'shipped', shippedQty: 38 });
});

test('labels of more boxes than one answer holds come in parts, one file of each kind', async () => {
  const { house, world, skus } = sender;
  await stocked(world, house, skus[0], 1_100, '2');
  const id = await agreed(sender, [1_030]);
  await prepared(sender, id);
  await packed(sender, id, 1);
  await placed(sender, id);
  const [shipment] = (await carried(sender, id)).shipments;
  expect(shipment?.boxes).toHaveLength(1_030);
  // 1000 labels are 250 sheets, 30 more are 8.
  expect(await sheetsOf(id, shipment?.shipmentId ?? '')).toEqual([258, 1_030]);
});

test('a plan that cannot be called off yet is tried again by a press', async () => {
  const { house, world } = sender;
  const id = await agreed(sender, [12]);
  await prepared(sender, id);
  world.sandbox.world.faults.add({
    kind: 'inboundFailed',
    operation: 'cancelInboundPlan',
    count: 1,
    code: 'BadRequest',
  });
  await house.owner.call(shipSteps.cancel, { body: { id, reason: '不发了' } });
  expect(await turns(sender, id)).toMatchObject({ state: 'trouble', stage: 'cancelPlan', may: { retry: true } });
  await house.owner.call(retryInbound, { body: { id } });
  expect((await turns(sender, id)).state).toBe('cancelled');
});

test('a plan is called off together with its order, and of an answer that is lost nothing is asked twice', async () => {
  const { house, world, way } = sender;
  world.sandbox.world.faults.add({ kind: 'timeoutAfter', operation: 'createInboundPlan', count: 1, ms: 50 });
  const id = await agreed(sender, [12]);
  const { planId, order } = await prepared(sender, id);
  const mine = () =>
    world.sandbox.world.inbound.plansOf(way.account).filter(({ name }) => name.startsWith(order.number));
  expect(mine().map((plan) => plan.planId)).toEqual([planId]);
  await house.owner.call(shipSteps.cancel, { body: { id, reason: '不发了' } });
  expect((await turns(sender, id)).state).toBe('cancelled');
  expect(mine().map(({ status }) => status)).toEqual(['VOIDED']);
  await expect(house.owner.call(retryInbound, { body: { id } })).rejects.toThrow('入库计划已取消');
});
