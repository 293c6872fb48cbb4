import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSheet } from '#kit/server/excel/read.ts';
import { productOf, stocked } from '#test/support/house.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { addBox, closeBox, scanIntoBox } from '../../contract/box/calls.ts';
import { shipSteps } from '../../contract/order-calls.ts';
import { shipPaperFile, shipPapers } from '../../contract/papers/papers.ts';
import { approved, createShipper, type Shipper } from '../support.ts';

let world: World;
let shipper: Shipper;
let id: string;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createShipper(world, ['A', 'B'], { 'A-US': [['A', 1]], 'B-US': [['B', 1]] });
  await stocked(world, shipper, 'A', 20, '2');
  await stocked(world, shipper, 'B', 20, '2');
  await world.as(shipper.owner, async (ctx) => {
    const product = { company_id: ctx.companyId, product_id: productOf(shipper, 'A') };
    await ctx.db
      .insertInto('product.customs')
      .values({
        ...product,
        country: '',
        hs_code: '7323930000',
        name_cn: '保温杯',
        name_en: 'Vacuum cup',
        material: '不锈钢',
        purpose: '盛水',
        declared_value: '3.5',
        declared_currency: 'USD',
      })
      .execute();
    await ctx.db
      .insertInto('product.dimension')
      .values({ ...product, role: 'net', weight: '0.4' })
      .execute();
  });
  id = await approved(shipper, [
    ['A-US', 4],
    ['B-US', 2],
  ]);
  await shipper.packer.call(shipSteps.picked, { body: { id } });
  for (const [index, [code, qty, weight]] of (
    [
      ['A-US', 4, '2.5'],
      ['B-US', 2, null],
    ] as const
  ).entries()) {
    const boxNo = index + 1;
    await shipper.packer.call(addBox, { body: { id, clientId: randomUUID() } });
    await shipper.packer.call(scanIntoBox, { body: { id, boxNo, code, qty, clientId: randomUUID() } });
    const measures = { length: '60', width: '40', height: '40', weight, templateId: null };
    await shipper.packer.call(closeBox, { body: { id, boxNo, measures } });
  }
});
afterAll(() => world.close());

const file = async (query: { paper: 'invoice' | 'packing' | 'elements' | 'all'; format: 'xlsx' | 'pdf' }) =>
  (await shipper.seller.send(shipPaperFile, { params: { id }, query })).raw;

/** Names and contents of a ZIP, read by its local headers. */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; zip.readUInt32LE(at) === 0x04034b50; ) {
    const [packed, name] = [zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)];
    const start = at + 30 + name;
    found.set(zip.subarray(at + 30, start).toString('utf8'), inflateRawSync(zip.subarray(start, start + packed)));
    at = start + packed;
  }
  return found;
}

it('lists by SKU what customs want to know, and what is missing', async () => {
  const papers = await shipper.seller.call(shipPapers, { params: { id } });
  expect(papers).toMatchObject({
    boxes: 2,
    pieces: 6,
    net: null,
    gross: null,
    amounts: [{ currency: 'USD', amount: '14.00' }],
  });
  expect(papers.problems).toEqual(['第 2 箱缺少重量', '发货单没有选择发货地址', '没有填写货件编号']);
  const [a, b] = papers.rows;
  expect(a).toMatchObject({ nameCn: '保温杯', net: '1.600', gross: '2.500', boxes: 1, missing: ['品牌', '型号'] });
  expect(b?.missing).toContain('HS编码');
  const stranger = await world.owner();
  await expect(stranger.call(shipPapers, { params: { id } })).rejects.toThrow('发货单不存在');
});

it('makes an invoice and a packing list in English, gaps marked', async () => {
  const invoice = await readSheet(await file({ paper: 'invoice', format: 'xlsx' }));
  expect(invoice[0]?.[0]).toBe('COMMERCIAL INVOICE');
  expect(invoice.find((row) => row[1] === 'A')).toEqual([
    '1',
    'A',
    'Vacuum cup',
    '7323930000',
    '[?]',
    '4',
    '3.5',
    'USD',
    '14',
  ]);
  expect(invoice.find((row) => row[1] === 'B')?.slice(2)).toEqual(['[?]', '[?]', '[?]', '2', '[?]', '[?]', '[?]']);
  expect(invoice.find((row) => row[1] === 'Total')?.at(-1)).toBe('[?]');
  const packing = await readSheet(await file({ paper: 'packing', format: 'xlsx' }));
  expect(packing.find((row) => row[1] === 'A')).toEqual([
    '1',
    'A',
    'Vacuum cup',
    '4',
    '1.6',
    '2.5',
    '60×40×40',
    '0.096',
  ]);
  const elements = await readSheet(await file({ paper: 'elements', format: 'xlsx' }));
  expect(elements.find((row) => row[1] === 'B')?.[2]).toBe('【待补】');
  for (const paper of ['invoice', 'packing', 'elements'] as const) {
    expect((await file({ paper, format: 'pdf' })).toString('latin1')).toMatch(/\/Count 1\b/);
  }
});

it('hands out all papers in both formats together', async () => {
  const files = unzipped(await file({ paper: 'all', format: 'pdf' }));
  expect([...files.keys()].map((name) => name.replace(/-FH\d+/, ''))).toEqual([
    '商业发票.pdf',
    '商业发票.xlsx',
    '装箱单.pdf',
    '装箱单.xlsx',
    '报关要素.pdf',
    '报关要素.xlsx',
  ]);
  for (const [name, bytes] of files) {
    expect(bytes.subarray(0, 2).toString(), name).toBe(name.endsWith('pdf') ? '%P' : 'PK');
  }
});
