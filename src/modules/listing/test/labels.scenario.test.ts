import { afterAll, beforeAll, expect, test } from 'vitest';
import { barLength } from '#kit/server/pdf/codes.ts';
import { tooNarrow } from '#kit/server/pdf/unit.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  LABEL_PRINT,
  labelGoods,
  listLabelPrints,
  MAKERS_CODE,
  printLabels,
  reprintLabels,
} from '../contract/labels.ts';
import { conditionWords } from '../server/labels/print.ts';
import { landListings } from '../server/land.ts';
import { parsed } from '../web/labels/pasted.ts';
import { fact, makeAccount, US } from './support.ts';

let world: World;
let owner: Person;
const ids: Record<string, string> = {};

const MUG = 'MUG / RED #1';

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  const account = await makeAccount(world, owner);
  const of = {
    accountId: account.id,
    marketplaceId: US,
    asOf: '2026-03-01T00:00:00Z',
    source: 'api' as const,
    full: true,
  };
  const facts = [
    fact(MUG, { fnsku: 'X001ABCDEF', condition: 'used_very_good' }),
    fact('LAMP', { fnsku: 'X001ABCDEG' }),
    fact('BARE', { fnsku: undefined }),
    fact('MAKER', { fnsku: 'B0MAKERS01', asin: 'B0MAKERS01' }),
  ];
  await world.as(owner, (ctx) => landListings(ctx, of, [facts]));
  const goods = await owner.call(labelGoods, { body: { skus: [MUG, 'LAMP', 'BARE', 'MAKER', 'NOBODY', 'lamp'] } });
  for (const { id, product } of goods) ids[product.code] = id;
});
afterAll(() => world.close());

const item = (sku: string, copies: number) => ({ id: ids[sku] ?? '', copies });
const prints = async () => (await owner.call(listLabelPrints, { body: { filter: {} } })).records;
const refusal = async (body: object) => (await owner.send(printLabels, { body: body as never })).msg;
/** Pages of a PDF, as its tree counts them. */
const pages = (pdf: Buffer) =>
  Math.max(...[...pdf.toString('latin1').matchAll(/\/Count (\d+)/g)].map((found) => Number(found[1])));

test('example 16: the bars of an FNSKU are 145 modules, 41.91 mm with their white at 0.254 mm', () => {
  expect(barLength('X001ABCDEF', 1) - 20).toBe(145);
  expect(barLength('X001ABCDEF', 0.254)).toBeCloseTo(41.91, 2);
  expect(tooNarrow('X001ABCDEF', 'GRID_44')).toBeUndefined();
  // Thirty signs want more than a label of 50 mm has.
  expect(tooNarrow('X'.repeat(30), 'ROLL_50X30')).toBe(74);
});

test('a condition is written as Amazon has it, pasted rows may hold SKUs with blanks', () => {
  expect(['new_new', null, 'new_open_box', 'used_very_good', 'refurbished_refurbished'].map(conditionWords)).toEqual([
    'New',
    'New',
    'New',
    'Used - Very Good',
    'Refurbished',
  ]);
  expect(parsed(`${MUG}\t12\nLAMP 3\nLAMP，4\n\nnothing\nLAMP 0`)).toEqual({
    rows: new Map([
      [MUG, 12],
      ['LAMP', 7],
    ]),
    wrong: [5, 6],
  });
});

test('labels come out one for each piece, and what was printed is written down', async () => {
  expect(Object.keys(ids).sort()).toEqual(['BARE', 'LAMP', 'MAKER', MUG]);
  const { raw } = await owner.send(printLabels, {
    body: { items: [item(MUG, 30), item('LAMP', 20)], layout: 'GRID_24', used: 10 },
  });
  // Ten places of the first sheet are empty: 14, 24 and 12.
  expect(pages(raw)).toBe(3);
  expect(await prints()).toMatchObject([
    { product: { code: 'LAMP' }, fnsku: 'X001ABCDEG', copies: 20, layout: 'GRID_24', reprint: false },
    { product: { code: MUG }, fnsku: 'X001ABCDEF', copies: 30, condition: 'used_very_good', reason: '' },
  ]);
});

test('no label without an FNSKU; the maker’s barcode must be meant; nothing is half done', async () => {
  const before = (await prints()).length;
  expect(await refusal({ items: [item('LAMP', 1), item('BARE', 1)] })).toBe('SKU:[BARE] 没有 FNSKU，无法打印');
  expect(await refusal({ items: [item('LAMP', 0)] })).toContain('打印数量需为 1–10000 的整数');
  expect(await refusal({ items: [item('LAMP', 6000), item(MUG, 4001)] })).toContain('一次最多打印 10000 张');
  expect(await refusal({ items: [item('LAMP', 1)], layout: 'GRID_21', used: 21 })).toContain('首页已用张数');
  const body = { items: [item('MAKER', 2)], layout: 'ROLL_50X30' as const };
  const asked = await owner.send(printLabels, { body });
  expect(asked.data).toMatchObject({ code: MAKERS_CODE });
  expect(asked.msg).toBe('SKU:[MAKER] 使用制造商条码，确认仍要打印？');
  expect(await prints()).toHaveLength(before);
  expect(pages((await owner.send(printLabels, { body: { ...body, confirmed: true } })).raw)).toBe(2);
  expect(await prints()).toHaveLength(before + 1);
});

test('printing again wants its right and a reason, and says what stood there then', async () => {
  const first = (await prints()).find(({ product }) => product.code === MUG);
  const clerk = await world.member(owner, [LABEL_PRINT]);
  const body = { ids: [first?.id ?? ''], reason: '打印机卡纸', layout: 'ROLL_60X40' as const };
  expect((await clerk.send(reprintLabels, { body })).status).toBe(403);
  expect((await owner.send(reprintLabels, { body: { ...body, reason: ' ' } })).msg).toContain('请填写重打原因');
  expect(pages((await owner.send(reprintLabels, { body })).raw)).toBe(30);
  expect((await prints())[0]).toMatchObject({ copies: 30, reprint: true, reason: '打印机卡纸', layout: 'ROLL_60X40' });
  const stranger = await world.owner();
  expect((await stranger.call(listLabelPrints, { body: { filter: {} } })).records).toEqual([]);
  expect((await stranger.send(printLabels, { body: { items: [item('LAMP', 1)] } })).msg).toBe('商品不存在或已删除');
});
