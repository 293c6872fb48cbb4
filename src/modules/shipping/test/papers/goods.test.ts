import { describe, expect, test } from 'vitest';
import type { CustomsFacts, Declared } from '#modules/product/server/index.ts';
import { amountsOf, type Goods, paperRows, whole } from '../../server/papers/goods.ts';

const said = (more: Partial<Declared> = {}): Declared => ({
  hsCode: '7323930000',
  nameCn: '保温杯',
  nameEn: 'Vacuum cup',
  elements: null,
  material: '不锈钢',
  purpose: '盛水',
  unit: '个',
  value: '3.5',
  currency: 'USD',
  ...more,
});

const facts = (id: string, more: Partial<CustomsFacts> = {}): [string, CustomsFacts] => [
  id,
  {
    id,
    sku: id.toUpperCase(),
    name: `产品${id}`,
    brand: 'NQ',
    model: 'M1',
    unit: '件',
    netWeight: '0.4',
    leaving: said(),
    entering: null,
    ...more,
  },
];

const line = (id: string, picked: number) => ({ id, qty: 10, picked, shipped: 0 });

/** A line of one product, and one of a set of two of it and one of another. */
function goods(more: Partial<Goods> = {}): Goods {
  return {
    order: {
      state: 'ready',
      lines: [line('one', 3), line('set', 2)] as never,
      parts: [
        { id: '1', line: 'one', product: 'a', qtyPer: 1 },
        { id: '2', line: 'set', product: 'a', qtyPer: 2 },
        { id: '3', line: 'set', product: 'b', qtyPer: 1 },
      ],
    },
    boxes: [
      { no: 1, weight: '2', items: [{ lineId: 'one', qty: 3 }] },
      { no: 2, weight: '4', items: [{ lineId: 'set', qty: 2 }] },
    ],
    facts: new Map([facts('a'), facts('b')]),
    packed: new Map([
      ['a', '0.5'],
      ['b', '1'],
    ]),
    ...more,
  };
}

describe('customs papers', () => {
  test('a row for each local product: pieces of all lines, boxes, weights, value', () => {
    const [a, b] = paperRows(goods());
    // Box 2: four of a weigh 2 kg, two of b 2 kg; its 4 kg fall in halves.
    expect(a).toMatchObject({ pieces: 7, boxes: 2, net: '2.800', gross: '4.000', amount: '24.50', missing: [] });
    expect(b).toMatchObject({ pieces: 2, boxes: 1, net: '0.800', gross: '2.000', amount: '7.00' });
    expect(amountsOf(paperRows(goods()))).toEqual([{ currency: 'USD', amount: '31.50' }]);
  });

  test('weights that are not known stay open, and whatever depends on them', () => {
    const packed = new Map([['a', '0.5']]);
    const [a, b] = paperRows(goods({ packed }));
    // Box 1 holds one product only: its weight needs no share.
    expect([a?.gross, b?.gross]).toEqual([null, null]);
    const boxes = [{ no: 1, weight: '2', items: [{ lineId: 'one', qty: 3 }] }];
    expect(paperRows(goods({ packed, boxes }))[0]?.gross).toBe('2.000');
    expect(paperRows(goods({ boxes: [] }))[0]).toMatchObject({ gross: null, missing: ['毛重'] });
    expect(whole(['1.2', null])).toBeNull();
    expect(whole(['1.2', '3'])).toBe('4.200');
  });

  test('the import declaration comes first on the invoice; what nobody filled in is named, not made up', () => {
    const entering = said({ value: '5', currency: 'EUR', nameEn: 'Bottle', hsCode: '96170000' });
    const bare = facts('b', { brand: null, model: null, netWeight: null, leaving: null });
    const [a, b] = paperRows(goods({ facts: new Map([facts('a', { entering }), bare]) }));
    expect(a).toMatchObject({
      value: '5',
      currency: 'EUR',
      nameEn: 'Bottle',
      importHs: '96170000',
      hsCode: '7323930000',
    });
    expect(b).toMatchObject({ value: null, amount: null, unit: '件', net: null });
    expect(b?.missing).toEqual(['品名', '英文品名', 'HS编码', '申报价', '材质', '用途', '品牌', '型号', '净重']);
  });

  test('before picking the plan counts, afterwards what was picked, then what left', () => {
    const pieces = (state: string) => paperRows(goods({ order: { ...goods().order, state } })).map((row) => row.pieces);
    expect(pieces('pending')).toEqual([30, 10]);
    expect(pieces('packing')).toEqual([7, 2]);
    expect(pieces('shipped')).toEqual([]);
  });
});

describe('a price that no product says', () => {
  const silent = (id: string) => facts(id, { leaving: said({ value: null, currency: null }) });
  const priced = (declared: string, low = false) => ({ declared, currency: 'GBP', low });
  const single = (id: string, msku: string, picked: number) => ({ ...line(id, picked), msku });
  const two = (declared: Goods['declared']) =>
    paperRows(
      goods({
        order: {
          state: 'ready',
          lines: [single('one', 'A-1', 3), single('three', 'A-3', 1)] as never,
          parts: [
            { id: '1', line: 'one', product: 'a', qtyPer: 1 },
            { id: '2', line: 'three', product: 'a', qtyPer: 3 },
          ],
        },
        boxes: [],
        facts: new Map([silent('a')]),
        ...(declared ? { declared } : {}),
      }),
    )[0];

  test('is what its listings are declared with, weighed by pieces', () => {
    // 3 × 4.00 and 1 × 9.00 in 6 pieces
    const declared = new Map([
      ['A-1', priced('4.00')],
      ['A-3', priced('9.00')],
    ]);
    expect(two(declared)).toMatchObject({ pieces: 6, value: '3.50', amount: '21.00', currency: 'GBP' });
  });

  test('stays open where one is below cost without agreement, or nothing is declared', () => {
    const low = new Map([
      ['A-1', priced('4.00')],
      ['A-3', priced('9.00', true)],
    ]);
    expect(two(low)).toMatchObject({ value: null });
    expect(two(new Map([['A-1', priced('4.00')]]))).toMatchObject({ value: null });
    expect(two(undefined)?.missing).toContain('申报价');
  });
});
