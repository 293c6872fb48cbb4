import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimDetail, listClaims } from '../../contract/claim/calls.ts';
import { shipOrderDetail, shipSteps } from '../../contract/order-calls.ts';
import { boxReceipts, markBox } from '../../contract/receipt/calls.ts';
import { agreed, carried, detail, gone, packed, placed, prepared, turns, viewOf } from '../inbound-support.ts';
import { createSender, DAY, HOUR, type Sender } from '../stream-support.ts';

let sender: Sender;

beforeAll(async () => {
  sender = await createSender(200);
});
afterAll(() => sender.world.close());

const receipts = (id: string) => sender.house.owner.call(boxReceipts, { params: { id } });
const mark = (body: Parameters<typeof sender.house.owner.call<typeof markBox>>[1]['body']) =>
  sender.house.owner.call(markBox, { body });
const boxOf = async (id: string, no: number) => (await receipts(id)).boxes.find((box) => box.no === no);

/** An order of boxes of at most ten pieces that has left; the numbers of its shipments. */
async function sent(quantities: readonly number[], count = 1): Promise<{ id: string; numbers: string[] }> {
  const id = await agreed(sender, quantities);
  await prepared(sender, id);
  await packed(sender, id);
  await placed(sender, id, count);
  await carried(sender, id);
  const { shipments } = await gone(sender, id);
  return { id, numbers: shipments.map(({ shipmentNo }) => shipmentNo) };
}

/** For each SKU what is in boxes and beside them, held against what the sandbox's Amazon counted itself. */
async function requireSums(id: string, numbers: readonly string[]): Promise<void> {
  const { skus, boxes } = await receipts(id);
  for (const number of numbers) {
    const amazon = await sender.way.received(number);
    const mine = skus.filter(({ shipmentNo }) => shipmentNo === number);
    expect(Object.fromEntries(mine.map(({ msku, packed: out, received }) => [msku, [out, received]]))).toEqual(amazon);
    for (const { msku, inBoxes, beyond, received, missing, packed: out } of mine) {
      const pieces = boxes
        .filter(({ shipmentNo }) => shipmentNo === number)
        .flatMap(({ items }) => items.filter((item) => item.msku === msku));
      expect(pieces.reduce((sum, item) => sum + item.received, 0)).toBe(inBoxes);
      expect([inBoxes + beyond, inBoxes + missing]).toEqual([received, out]);
    }
  }
}

test('the box that did not come is found by what is missing, checked by people, and stands in the claim', async () => {
  const { house, way, skus, turn, world } = sender;
  const { owner } = house;
  const id = await agreed(sender, [24, 10]);
  expect(await receipts(id)).toEqual({ skus: [], boxes: [] });
  await prepared(sender, id);
  await packed(sender, id);
  await placed(sender, id);
  await carried(sender, id);
  await expect(mark({ id, boxNo: 1, mark: 'MISSING' })).rejects.toThrow('货物出库后才能标记按箱收货');
  await gone(sender, id);
  const [number = ''] = (await viewOf(sender, id)).shipments.map(({ shipmentNo }) => shipmentNo);
  await turn(id);
  expect((await receipts(id)).boxes.map(({ state, received }) => [state, received])).toEqual(
    Array.from({ length: 4 }, () => ['WAITING', 0]),
  );

  // The last box of the first SKU holds four of its 24 pieces.
  await way.control({ action: 'found', shipment: number, lines: [{ msku: skus[0], missing: 4 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  await requireSums(id, [number]);
  expect((await receipts(id)).boxes).toMatchObject([
    { no: 1, state: 'RECEIVED', received: 10, score: null, trackingNo: '1Z1', weight: '12' },
    { no: 2, state: 'RECEIVED', received: 10, score: null },
    { no: 3, state: 'MISSING', received: 0, score: 85, suspect: '整箱内容正好等于缺收数量' },
    { no: 4, state: 'RECEIVED', received: 10, score: null },
  ]);

  // The carrier can show who signed for the others.
  for (const boxNo of [1, 2, 4]) {
    const deliveredOn = await world.as(owner, async ({ clock }) => clock.today());
    await mark({ id, boxNo, version: 0, mark: 'AUTO', deliveredOn, remark: '签收单 POD-7' });
  }
  expect(await boxOf(id, 3)).toMatchObject({
    score: 100,
    suspect: '整箱内容正好等于缺收数量；同货件其他箱已签收，本箱没有',
  });
  const claimOf = async () => {
    const { records } = await owner.call(listClaims, { body: { filter: { keyword: number } } });
    expect(records).toMatchObject([{ qty: 4, msku: skus[0] }]);
    return owner.call(claimDetail, { params: { id: records[0]?.id ?? '' } });
  };
  const box = (await viewOf(sender, id)).shipments[0]?.boxes.find(({ no }) => no === 3);
  expect((await claimOf()).text).toContain(
    `- Box 3: ${box?.amazonBoxId}, tracking 1Z3, 12 kg, 50 × 40 × 30 cm, content ${skus[0]} × 4 - 4 of 4 units missing, suspected missing: its content equals the missing units; other boxes of the shipment were signed for, this one was not (match 100 of 100)`,
  );
  expect((await claimOf()).text).not.toContain('- Box 1:');

  // Somebody finds out that it was the fourth's neighbour: two boxes came in part.
  const lines = (await detail(sender, id)).lines;
  const lineId = lines.find(({ msku }) => msku === skus[0])?.id ?? '';
  const partly = { id, boxNo: 1, mark: 'PARTLY' as const, items: [{ lineId, qty: 6 }] };
  const first = await boxOf(id, 1);
  const saved = await mark({ ...partly, version: first?.version ?? 0, remark: '破损，客服确认' });
  expect(saved).toMatchObject({ version: 2, message: '第 1 箱：部分，已保存' });
  expect((await receipts(id)).boxes).toMatchObject([
    { received: 6, state: 'PARTLY', mark: 'PARTLY', remark: '破损，客服确认', conflict: false },
    { received: 10 },
    { received: 4, state: 'RECEIVED', score: null },
    { received: 10 },
  ]);
  await requireSums(id, [number]);
  expect((await claimOf()).text).toContain('4 of 10 units missing, received in part');
  await expect(mark({ ...partly, version: 1 })).rejects.toThrow('单据已被');
  const { timeline } = await owner.call(shipOrderDetail, { params: { id } });
  expect(timeline.find(({ title }) => title === '按箱收货 第 1 箱：部分')?.body).toBe('破损，客服确认');
  const audits = await world.as(owner, async (ctx) => {
    const { rows } = await sql<{ after: { box: number; mark: string } }>`
      SELECT after FROM kit.audit
       WHERE company_id = ${ctx.companyId} AND action = '发货单·按箱收货标记' AND resource_id = ${id}
       ORDER BY at, id`.execute(ctx.db);
    return rows.map(({ after }) => [after.box, after.mark]);
  });
  expect(audits).toEqual([
    [1, 'AUTO'],
    [2, 'AUTO'],
    [4, 'AUTO'],
    [1, 'PARTLY'],
  ]);
});

test('a mark fits the box and what Amazon counted, or is refused by the name of its field', async () => {
  const { house, way, skus, turn, world } = sender;
  const { id, numbers } = await sent([20, 10]);
  const [number = ''] = numbers;
  await turn(id);
  const lineOf = async (msku: string | undefined) =>
    (await detail(sender, id)).lines.find((line) => line.msku === msku)?.id ?? '';
  const [mine, theirs] = [await lineOf(skus[0]), await lineOf(skus[1])];
  await expect(mark({ id, boxNo: 1, mark: 'RECEIVED' })).rejects.toThrow(
    `第 1 箱【${skus[0]}】实收数 10 超过可标记的 0：亚马逊已接收 0，其他箱已标记 0`,
  );
  await way.control({ action: 'found', shipment: number, lines: [{ msku: skus[0], missing: 5 }] });
  await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  const partly = (boxNo: number, items: { lineId: string; qty: number }[]) =>
    mark({ id, boxNo, mark: 'PARTLY', items });
  await expect(partly(1, [{ lineId: mine, qty: 11 }])).rejects.toThrow('实收数 11 超过装箱数 10');
  await expect(partly(1, [{ lineId: theirs, qty: 1 }])).rejects.toThrow('【实收明细】中有不在本箱的SKU');
  await expect(partly(1, [{ lineId: mine, qty: 0 }])).rejects.toThrow('【收货标记】为「部分」时');
  await expect(partly(1, [{ lineId: mine, qty: 4 }])).rejects.toThrow('实收数 4 过少：亚马逊已接收 15，其他箱最多 10');
  await expect(mark({ id, boxNo: 1, mark: 'MISSING', items: [{ lineId: mine, qty: 1 }] })).rejects.toThrow(
    '只有标记为「部分」时填写【实收明细】',
  );
  await expect(mark({ id, boxNo: 9, mark: 'MISSING' })).rejects.toThrow('【箱号】第 9 箱不存在');
  await expect(mark({ id, boxNo: 1, mark: 'AUTO', deliveredOn: '2999-01-01' })).rejects.toThrow(
    '【签收日】不能晚于今天',
  );
  await mark({ id, boxNo: 2, version: 0, mark: 'RECEIVED' });
  await expect(mark({ id, boxNo: 1, version: 0, mark: 'RECEIVED' })).rejects.toThrow('超过可标记的 5');
  expect((await receipts(id)).boxes).toMatchObject([{ received: 5 }, { received: 10 }, { received: 10 }]);

  // Two at once: one of them saw what is no more.
  const both = await Promise.allSettled([
    mark({ id, boxNo: 2, version: 1, mark: 'AUTO' }),
    mark({ id, boxNo: 2, version: 1, mark: 'AUTO' }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);

  const stranger = await world.owner();
  await expect(stranger.call(boxReceipts, { params: { id } })).rejects.toThrow('发货单不存在');
  await expect(stranger.call(markBox, { body: { id, boxNo: 1, mark: 'MISSING' } })).rejects.toThrow('发货单不存在');
  const clerk = await world.member(house.owner, ['amz:ship:view']);
  expect((await clerk.call(boxReceipts, { params: { id } })).boxes).toHaveLength(3);
  await expect(clerk.call(markBox, { body: { id, boxNo: 1, mark: 'MISSING' } })).rejects.toThrow('无操作权限');
});

test('of several shipments each is shared out by itself; what turns up later fills the box and clears it', async () => {
  const { way, skus, turn } = sender;
  const { id, numbers } = await sent([40, 20], 2);
  const [lost = '', whole = ''] = numbers;
  await turn(id);
  const box = (await receipts(id)).boxes.find(
    ({ shipmentNo, items }) => shipmentNo === lost && items.length === 1 && items[0]?.msku === skus[0],
  );
  await way.control({ action: 'found', shipment: lost, lines: [{ msku: skus[0], missing: box?.packed ?? 0 }] });
  for (const number of numbers) await way.control({ action: 'move', shipment: number, status: 'RECEIVING' });
  await turn(id);
  await requireSums(id, numbers);
  const counting = (await receipts(id)).boxes;
  expect(counting.some(({ received, packed: out }) => received > 0 && received < out)).toBe(true);
  expect(counting.every(({ state }) => state !== 'MISSING')).toBe(true);
  // The rounds of counting go on for days.
  await sender.pass(6 * DAY);
  for (const number of numbers) await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
  await turn(id);
  await requireSums(id, numbers);
  const { boxes } = await receipts(id);
  expect(boxes.filter(({ score }) => score !== null).every(({ shipmentNo }) => shipmentNo === lost)).toBe(true);
  const missing = boxes.filter(({ state }) => state === 'MISSING');
  expect(missing).toMatchObject([{ shipmentNo: lost, packed: box?.packed }]);
  expect(boxes.filter(({ shipmentNo }) => shipmentNo === whole).every(({ state }) => state === 'RECEIVED')).toBe(true);
  await mark({ id, boxNo: missing[0]?.no ?? 0, version: 0, mark: 'MISSING', remark: '承运商确认丢失' });

  await way.control({ action: 'found', shipment: lost, lines: [{ msku: skus[0], missing: 0 }] });
  await sender.pass(DAY + HOUR);
  await turn(id);
  await requireSums(id, numbers);
  // It did come: what somebody wrote does not hold against Amazon's count, and is told apart.
  const found = await boxOf(id, missing[0]?.no ?? 0);
  expect(found).toMatchObject({ state: 'RECEIVED', mark: 'MISSING', conflict: true, score: null });
  expect((await turns(sender, id)).state).toBe('ended');
  expect((await detail(sender, id)).order.state).toBe('done');
  await expect(sender.house.owner.call(shipSteps.cancel, { body: { id, reason: 'x' } })).rejects.toThrow('不能执行');
});
