import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scanResolve } from '#modules/warehouse/contract/scan.ts';
import { productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { boxCode } from '../../contract/box/box.ts';
import {
  addBox,
  closeBox,
  deleteBox,
  measureBox,
  openBox,
  packTask,
  putBox,
  scanIntoBox,
  suggestBoxes,
} from '../../contract/box/calls.ts';
import { printCartonLabels, printUnitLabels } from '../../contract/box/labels.ts';
import { boxTemplates, deleteTemplate, putBoxRules, saveTemplate } from '../../contract/box/template.ts';
import { putShipBoxes, putShipWay, shipSteps } from '../../contract/order-calls.ts';
import { contentText } from '../../server/box/content.ts';
import { approved, createShipper, detail, lineOf, type Shipper } from '../support.ts';

let world: World;
let shipper: Shipper;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A', 'B', 'C', 'D'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['B', 2],
      ['C', 1],
    ],
    'D-US': [['D', 1]],
  });
  for (const sku of ['A', 'B', 'C', 'D']) await stocked(world, shipper, sku, 500, '2');
});
afterAll(() => world.close());

/** An order that waits for its packers. */
async function toPack(lines: readonly (readonly [string, number])[], more: object = {}) {
  const id = await approved(shipper, lines, more);
  await shipper.packer.call(shipSteps.picked, { body: { id } });
  return id;
}

const add = (id: string, clientId: string = randomUUID(), templateId: string | null = null) =>
  shipper.packer.call(addBox, { body: { id, clientId, templateId } });
const scan = (id: string, boxNo: number, code: string, qty = 1, clientId: string = randomUUID()) =>
  shipper.packer.call(scanIntoBox, { body: { id, boxNo, code, qty, clientId } });

/** Pages as a PDF's own tree counts them. */
const pagesOf = (pdf: Buffer): number =>
  Math.max(...[...pdf.toString('latin1').matchAll(/\/Count (\d+)/g)].map((found) => Number(found[1])));

/** Sizes of a product as it is packed: cm and kg. */
const sized = (sku: string, side: string, weight: string) =>
  world.as(shipper.owner, (ctx) =>
    ctx.db
      .insertInto('product.dimension')
      .values({
        company_id: ctx.companyId,
        product_id: productOf(shipper, sku),
        role: 'packed',
        length: side,
        width: side,
        height: side,
        weight,
      })
      .execute(),
  );

describe('扫码装箱', () => {
  it('fills a box by FNSKU, ASIN, MSKU or local SKU, and says what is wrong', async () => {
    const id = await toPack([
      ['A-US', 6],
      ['SET-US', 2],
    ]);
    const { boxNo } = await add(id);
    expect(boxNo).toBe(1);
    for (const code of ['X00A-US', 'b0a-us0000', 'A-US', 'a']) await scan(id, 1, code);
    // B is only a part of the set.
    await expect(scan(id, 1, 'B')).rejects.toThrow('商品不匹配：【B】不在本单中');
    const { box, message } = await scan(id, 1, 'X00SET-US', 2);
    expect(message).toBe('【SET-US】装入第 1 箱 2 件');
    expect(box?.items.map((item) => item.qty)).toEqual([4, 2]);
    await expect(scan(id, 1, 'X00SET-US')).rejects.toThrow('SKU【SET-US】已全部装箱，共 2 件');
    await expect(scan(id, 1, 'A-US', 3)).rejects.toThrow('SKU【A-US】还可装 2 件');
    await expect(scan(id, 1, 'A-US', -5)).rejects.toThrow('第 1 箱只有 4 件【A-US】');
    await scan(id, 1, 'A-US', -4);
    await expect(scan(id, 2, 'A-US')).rejects.toThrow('第 2 箱不存在');
    const task = await shipper.packer.call(packTask, { params: { id } });
    expect(task).toMatchObject({ goal: '远航旗舰店-US', cases: false, lines: [{ boxed: 0, picked: 6 }, { boxed: 2 }] });
    expect((await detail(shipper, id)).boxes).toMatchObject([{ no: 1, items: [{ qty: 2 }] }]);
  });

  it('counts a scan and a new box once, however often the device sends them', async () => {
    const id = await toPack([['A-US', 5]]);
    const key = randomUUID();
    expect((await add(id, key)).boxNo).toBe(1);
    expect(await add(id, key)).toMatchObject({ boxNo: 1, repeated: true });
    const piece = randomUUID();
    await scan(id, 1, 'A-US', 2, piece);
    expect((await scan(id, 1, 'A-US', 2, piece)).repeated).toBe(true);
    expect((await detail(shipper, id)).boxes).toMatchObject([{ items: [{ qty: 2 }] }]);
  });

  it('is done by twenty packers at once: all of them get through, and never more than was picked', async () => {
    const id = await toPack([
      ['A-US', 30],
      ['D-US', 10],
    ]);
    const packers = Array.from({ length: 20 }, (_, index) => index);
    const boxes = await Promise.all(packers.map(async () => (await add(id)).boxNo));
    expect([...boxes].sort((a, b) => a - b)).toEqual(packers.map((index) => index + 1));
    // Three tries each at 40 pieces.
    const done = await Promise.allSettled(
      packers.flatMap((index) => ['A-US', 'A-US', 'D-US'].map((code) => scan(id, boxes[index] ?? 0, code))),
    );
    const refusals = done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []));
    expect(done.length - refusals.length).toBe(40);
    expect(refusals.filter((words) => !words.includes('已全部装箱'))).toEqual([]);
    expect((await detail(shipper, id)).lines).toMatchObject([
      { pickedQty: 30, boxedQty: 30 },
      { pickedQty: 10, boxedQty: 10 },
    ]);
  });

  it('shuts boxes with one entry in the log; a shut box takes nothing, and numbers come out without a gap', async () => {
    const id = await toPack([['D-US', 4]]);
    for (let no = 1; no <= 3; no += 1) await add(id);
    await expect(shipper.packer.call(closeBox, { body: { id, boxNo: 1 } })).rejects.toThrow('第 1 箱还是空的');
    await scan(id, 1, 'D', 3);
    await scan(id, 3, 'D', 1);
    const measures = { length: '60', width: '40', height: '40', weight: '23', templateId: null };
    const shut = await shipper.packer.call(closeBox, { body: { id, boxNo: 1, measures } });
    expect(shut.message).toBe('第 1 箱已封箱；重量 23 kg，超过美国站上限 22.68 kg');
    expect(shut.box).toMatchObject({ closed: true, weight: '23.000' });
    await expect(scan(id, 1, 'D', -1)).rejects.toThrow('第 1 箱已封箱，请先开箱');
    await shipper.packer.call(openBox, { body: { id, boxNo: 1 } });
    await shipper.packer.call(measureBox, { body: { id, boxNo: 1, ...measures, weight: '12.5' } });
    await expect(shipper.packer.call(shipSteps.packed, { body: { id } })).rejects.toThrow('第 2 箱是空箱');
    await shipper.packer.call(deleteBox, { body: { id, boxNo: 2 } });
    await shipper.packer.call(shipSteps.packed, { body: { id } });
    const { boxes, timeline } = await detail(shipper, id);
    expect(boxes.map((box) => [box.no, box.items[0]?.qty, box.warnings.length])).toEqual([
      [1, 3, 0],
      [2, 1, 0],
    ]);
    expect(timeline.filter((entry) => entry.title.includes('箱')).map((entry) => entry.title)).toEqual([
      '完成装箱',
      '删除第 2 箱',
      '开箱第 1 箱',
      '封箱第 1 箱',
    ]);
    await expect(scan(id, 1, 'D', -1)).rejects.toThrow('单据状态为【待出库】，不能执行【装箱】');
  });

  it('writes one box whole beside others that are being filled', async () => {
    const id = await toPack([['A-US', 5]]);
    const lineId = await lineOf(shipper, id, 'A-US');
    await add(id);
    await add(id);
    await scan(id, 1, 'A-US', 2);
    const sizes = { length: '60', width: '40', height: '40', weight: '9', templateId: null };
    const put = (qty: number, line = lineId) =>
      shipper.packer.call(putBox, { body: { id, boxNo: 2, ...sizes, items: [{ lineId: line, qty }] } });
    await expect(put(4)).rejects.toThrow('SKU【A-US】还可装 3 件');
    await expect(put(1, randomUUID())).rejects.toThrow('明细行不存在');
    await put(1);
    expect((await put(3)).box).toMatchObject({ no: 2, weight: '9.000', items: [{ qty: 3 }] });
    expect((await detail(shipper, id)).boxes.map((box) => box.items[0]?.qty)).toEqual([2, 3]);
  });

  it('keeps one SKU in a case, and opens a box by the code on its carton', async () => {
    const id = await toPack(
      [
        ['A-US', 4],
        ['D-US', 2],
      ],
      {
        packType: 'CASE',
        lines: [
          { msku: 'A-US', qty: 4, boxQty: 2 },
          { msku: 'D-US', qty: 2, boxQty: 2 },
        ],
      },
    );
    const { number } = await add(id);
    await scan(id, 1, 'A-US', 2);
    await expect(scan(id, 1, 'D-US')).rejects.toThrow('商品不匹配：应为 A-US');
    await expect(scan(id, 1, 'NOBODY')).rejects.toThrow('商品不匹配：应为 A-US');
    const body = { code: boxCode(number, 1), warehouseId: shipper.main };
    expect(await shipper.packer.call(scanResolve, { body })).toEqual({
      means: 'page',
      number,
      path: `/shipment_handing/pack?id=${id}&box=1`,
    });
    const stranger = await world.owner();
    expect((await stranger.call(scanResolve, { body })).means).toBe('nothing');
    await expect(stranger.call(packTask, { params: { id } })).rejects.toThrow('发货单不存在');
  });
});

describe('箱唛与FNSKU标签', () => {
  it('prints a label for each carton, notes it, and takes the note back when the box changes', async () => {
    const id = await toPack([
      ['A-US', 4],
      ['D-US', 1],
    ]);
    await expect(shipper.packer.call(printCartonLabels, { body: { id } })).rejects.toThrow('还没有装箱数据');
    for (const no of [1, 2]) {
      await add(id);
      await scan(id, no, 'A-US', 2);
    }
    const print = async (more: object = {}) => {
      const file = await shipper.packer.send(printCartonLabels, { body: { id, ...more } });
      return pagesOf(file.raw);
    };
    expect(await print()).toBe(2);
    expect(await print({ boxNos: [2] })).toBe(1);
    await expect(shipper.packer.call(printCartonLabels, { body: { id, boxNos: [3] } })).rejects.toThrow('箱子不存在');
    await expect(shipper.packer.call(printCartonLabels, { body: { id, content: 'QR' } })).rejects.toThrow(
      '请先在物流信息填写货件编号',
    );
    await shipper.packer.call(putShipWay, { body: { id, shipmentNo: 'FBA15ABC', carrier: '', trackingNo: '' } });
    expect(await print({ content: 'PDF417' })).toBe(2);
    const marks = async () => (await detail(shipper, id)).boxes.map((box) => box.labelPrintedAt !== null);
    expect(await marks()).toEqual([true, true]);
    await scan(id, 2, 'D-US');
    expect(await marks()).toEqual([true, false]);
    // Saved as they are, the first keeps its label.
    const { boxes } = await detail(shipper, id);
    await shipper.packer.call(putShipBoxes, { body: { id, boxes } });
    expect(await marks()).toEqual([true, false]);
    await expect(shipper.seller.call(printCartonLabels, { body: { id } })).rejects.toThrow();
  });

  it('prints a unit label for each piece, on sheets that were begun or on a roll', async () => {
    const id = await toPack([['A-US', 26]]);
    const print = async (more: object = {}) =>
      pagesOf((await shipper.seller.send(printUnitLabels, { body: { id, ...more } })).raw);
    expect(await print()).toBe(2);
    expect(await print({ layout: 'GRID_30' })).toBe(1);
    expect(await print({ layout: 'GRID_30', used: 5 })).toBe(2);
    expect(await print({ layout: 'ROLL_60X30' })).toBe(26);
    const lineId = await lineOf(shipper, id, 'A-US');
    expect(await print({ layout: 'ROLL_50X30', lines: [{ lineId, copies: 3 }] })).toBe(3);
    await add(id);
    await scan(id, 1, 'A-US', 2);
    expect(await print({ layout: 'ROLL_60X30', boxNo: 1 })).toBe(2);
    const stranger = { id, lines: [{ lineId: randomUUID(), copies: 1 }] };
    await expect(shipper.seller.call(printUnitLabels, { body: stranger })).rejects.toThrow('明细行不存在');
  });

  it('says what lies in a box as Amazon reads it', () => {
    const lines = [
      { id: 'a', msku: 'A', fnsku: 'X001AAA', asin: null, expiresOn: '2027-05-01' },
      { id: 'b', msku: 'B', fnsku: null, asin: 'B0BBB', expiresOn: null },
      { id: 'c', msku: 'C', fnsku: null, asin: null, expiresOn: null },
    ] as never;
    const items = (...ids: string[]) => ({ items: ids.map((lineId, index) => ({ lineId, qty: index + 1 })) });
    expect(contentText({ shipmentNo: 'FBA15ABC', lines }, items('a', 'b'))).toBe(
      'AMZN,PO:FBA15ABC,FNSKU:X001AAA,QTY:1,EXP:270501,ASIN:B0BBB,QTY:2',
    );
    expect(() => contentText({ shipmentNo: 'FBA15ABC', lines }, items('c'))).toThrow('SKU【C】没有FNSKU');
  });
});

describe('箱型与装箱建议', () => {
  const carton = { name: '五层 40', length: '40', width: '40', height: '40', tare: '0.8', maxWeight: '15' };
  const save = (more: object = {}) => shipper.packer.call(saveTemplate, { body: { ...carton, ...more } });

  it('proposes even boxes for what is picked, leaves out what was not measured, and packs them as proposed', async () => {
    await expect(save({ maxWeight: '0.5' })).rejects.toThrow('最大毛重须大于空箱重');
    const { id: templateId } = await save();
    await expect(save({ name: '五层 40' })).rejects.toThrow('箱型【五层 40】已存在');
    await sized('A', '10', '1');
    const id = await toPack([
      ['A-US', 30],
      ['SET-US', 1],
    ]);
    const ask = () => shipper.packer.call(suggestBoxes, { body: { id, templateId } });
    const found = await ask();
    // 14 go in by weight; 30 pieces take three boxes of ten.
    expect(found.problems).toEqual(['SKU【SET-US】缺少尺寸或重量，无法计算材积']);
    expect(found.boxes.map((box) => [box.items[0]?.qty, box.weight])).toEqual([
      [10, '10.800'],
      [10, '10.800'],
      [10, '10.800'],
    ]);
    expect(found).toMatchObject({ heaviest: '10.800', lightest: '10.800' });
    await shipper.packer.call(putShipBoxes, { body: { id, boxes: found.boxes } });
    expect((await ask()).boxes).toEqual([]);
    expect((await detail(shipper, id)).lines).toMatchObject([{ boxedQty: 30 }, { boxedQty: 0 }]);

    const other = await toPack([['A-US', 1]]);
    const { box } = await add(other, randomUUID(), templateId);
    expect(box).toMatchObject({ templateId, length: '40.00', weight: null });
    await shipper.packer.call(deleteTemplate, { body: { id: templateId } });
    expect((await detail(shipper, other)).boxes).toMatchObject([{ templateId: null, length: '40.00' }]);
  });

  it('warns of a box that the site does not take, or forbids it where the company wants that', async () => {
    const id = await toPack([['D-US', 2]]);
    const lineId = await lineOf(shipper, id, 'D-US');
    const heavy = { length: '70', width: '40', height: '40', weight: '20', items: [{ lineId, qty: 2 }] };
    const saved = await shipper.packer.call(putShipBoxes, { body: { id, boxes: [heavy] } });
    expect(saved.message).toBe('已保存 1 箱；第 1 箱超出站点限制，请查看提示');
    expect((await detail(shipper, id)).boxes[0]?.warnings).toEqual([
      { level: 'LIMIT', text: '最长边 70 cm，超过美国站上限 63.5 cm' },
    ]);
    await expect(shipper.packer.call(putBoxRules, { body: { rules: 'BLOCK' } })).rejects.toThrow();
    await shipper.lead.call(putBoxRules, { body: { rules: 'BLOCK' } });
    expect((await shipper.packer.call(boxTemplates, {})).rules).toBe('BLOCK');
    await expect(shipper.packer.call(shipSteps.packed, { body: { id } })).rejects.toThrow(
      '第 1 箱最长边 70 cm，超过美国站上限 63.5 cm',
    );
    await shipper.lead.call(putBoxRules, { body: { rules: 'WARN' } });
    await shipper.packer.call(shipSteps.packed, { body: { id } });
  });
});
