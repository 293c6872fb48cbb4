import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { approvedInbound, createHouse, type House, productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { inboundCalls } from '../../contract/documents/inbound.ts';
import { outboundCalls } from '../../contract/documents/outbound.ts';
import { stocktakeCalls } from '../../contract/documents/stocktake.ts';

let world: World;
let house: House;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['KD-BWB-500', '保温杯-蓝']);
});
afterAll(() => world.close());

const pages = (raw: Buffer) => raw.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
/** Writes a page for the eye, where somebody asked for it. */
const show = (name: string, raw: Buffer) => {
  const folder = process.env.SHOW_PDF;
  if (folder) writeFileSync(`${folder}/${name}.pdf`, raw);
};

it('prints a receipt, its labels one for each piece, and a picking list', async () => {
  const { id } = await approvedInbound(house, [{ sku: 'KD-BWB-500', qty: 3 }]);
  const sheet = await house.keeper.send(inboundCalls.print, { params: { id } });
  expect(sheet.headers['content-type']).toBe('application/pdf');
  expect(pages(sheet.raw)).toBe(1);
  const labels = await house.keeper.send(inboundCalls.labels, { params: { id } });
  expect(pages(labels.raw)).toBe(3);
  await stocked(world, house, '保温杯-蓝', 50, '1');
  const lines = Array.from({ length: 2 }, (_, n) => ({
    productId: productOf(house, '保温杯-蓝'),
    qty: n + 1,
    reason: `第${n + 1}行`,
  }));
  const out = await house.clerk.call(outboundCalls.save, {
    body: { warehouseId: house.main, partner: '客户甲', remark: '轻放', lines: lines.slice(0, 1) },
  });
  const picking = await house.keeper.send(outboundCalls.print, { params: { id: out.id } });
  expect(pages(picking.raw)).toBe(1);
  // Bars cannot say Chinese: these labels have a QR code.
  const qr = await house.keeper.send(outboundCalls.labels, { params: { id: out.id } });
  expect(pages(qr.raw)).toBe(1);
  for (const [name, raw] of Object.entries({
    sheet: sheet.raw,
    labels: labels.raw,
    picking: picking.raw,
    qr: qr.raw,
  })) {
    show(name, raw);
  }
});

it('prints a count sheet', async () => {
  const count = await house.clerk.call(stocktakeCalls.save, { body: { warehouseId: house.main, blind: true } });
  const labels = () => house.keeper.send(stocktakeCalls.labels, { params: { id: count.id } });
  expect((await labels()).msg).toBe('单据还没有产品，不能打印标签');
  await house.keeper.call(stocktakeCalls.start, { body: { id: count.id } });
  // Nobody knows the pieces before they are counted: one label for each line.
  const { lines } = await house.keeper.call(stocktakeCalls.data, { params: { id: count.id } });
  expect(pages((await labels()).raw)).toBe(lines.length);
  const sheet = await house.keeper.send(stocktakeCalls.print, { params: { id: count.id } });
  expect(pages(sheet.raw)).toBe(1);
  show('count', sheet.raw);
  const nobody = await house.keeper.send(stocktakeCalls.print, { params: { id: house.main } });
  expect(nobody.code).toBe(404);
});
