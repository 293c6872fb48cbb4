import { describe, expect, it } from 'vitest';
import type { QuoteAnswerRow } from '../../contract/quote-request/answer.ts';
import { compared } from '../../server/quote-request/rules/compare.ts';
import { differs, goodsOf, packedBoxes, shareWeights, specWords } from '../../server/quote-request/rules/goods.ts';
import { totalOf, totalProblem } from '../../server/quote-request/rules/total.ts';
import { questionText } from '../../server/quote-request/text.ts';

const priced = { price: '9.5', quantity: '64', tax: '0', otherFee: '0', currency: 'CNY' };

describe('what an answer comes to', () => {
  it('is price × quantity, half up to cents at the line, and the rest added', () => {
    // Handbook 08, E2: 64.0 kg @ 8.80 and 100.00 for the declaration.
    expect(totalOf({ ...priced, price: '8.80', otherFee: '100' })).toEqual({ freight: '563.20', total: '663.20' });
    // 1.005 × 1 is no 1.00, as a double has it; 0.125 × 0.2 is exactly half a cent above two.
    expect(totalOf({ ...priced, price: '1.005', quantity: '1' }).freight).toBe('1.01');
    expect(totalOf({ ...priced, price: '0.125', quantity: '0.2' }).freight).toBe('0.03');
    expect(totalOf({ ...priced, price: '0.1', quantity: '3', tax: '0.20', otherFee: '0.1' }).total).toBe('0.60');
    expect(totalOf({ ...priced, price: '12.345678', quantity: '1000.001', tax: '99.99' })).toEqual({
      freight: '12345.69',
      total: '12445.68',
    });
    expect(totalOf({ ...priced, price: '99.5', quantity: '3', currency: 'JPY', tax: '10' })).toEqual({
      freight: '299',
      total: '309',
    });
  });

  it('may not be said to be something else', () => {
    expect(totalProblem(priced, null)).toBeUndefined();
    expect(totalProblem(priced, '608.0')).toBeUndefined();
    expect(totalProblem(priced, '608.01')).toMatch('总价 608.01 与计算的 608.00 不同');
    expect(totalProblem({ ...priced, price: '0.001', quantity: '1' }, null)).toMatch('运费须大于0');
    expect(totalProblem({ ...priced, currency: 'JPY', tax: '1.5' }, null)).toMatch('税：JPY 的金额不能有小数');
  });
});

const BOX = { count: 4, length: '60', width: '40', height: '40', weight: '15.2' };

describe('goods', () => {
  it('weigh what their boxes weigh, and what they fill by the divisor', () => {
    const goods = goodsOf([packedBoxes(BOX, 96), packedBoxes({ ...BOX, count: 1, weight: '15.20' }, 4)], 6000);
    expect(goods).toMatchObject({ boxes: 5, pieces: 100, weight: '76.000', volumetric: '80.00', volume: '0.480' });
    expect(specWords(goods.specs)).toBe('5×60×40×40cm 15.2kg');
    expect(goodsOf([packedBoxes(BOX, 96)], 5000).volumetric).toBe('76.80');
  });

  it('are not known where a part is not', () => {
    const open = { ...packedBoxes({ ...BOX, weight: null }, 1), totalWeight: null };
    const goods = goodsOf([packedBoxes(BOX, 96), open], 6000);
    expect(goods).toMatchObject({ boxes: 8, weight: null, volume: '0.768' });
    expect(goodsOf([], 6000)).toEqual({ boxes: 0, pieces: 0, weight: null, volumetric: null, volume: null, specs: [] });
  });

  it('are others once boxes, weight or sizes are', () => {
    const before = goodsOf([packedBoxes(BOX, 96)], 6000);
    const one = packedBoxes({ ...BOX, count: 1, weight: '15.200' }, 24);
    expect(differs(before, goodsOf([one, one, one, one], 6000))).toBe(false);
    expect(differs(before, goodsOf([packedBoxes({ ...BOX, weight: '15.3' }, 96)], 6000))).toBe(true);
    expect(differs(before, goodsOf([packedBoxes({ ...BOX, length: '40', height: '60' }, 96)], 6000))).toBe(true);
    expect(differs(before, goodsOf([packedBoxes(BOX, 95)], 6000))).toBe(true);
  });

  it('count for what the forwarder counts by, else for their boxes', () => {
    const orders = [
      { boxes: 4, weight: '60.8', volumetric: '64', volume: '0.384' },
      { boxes: 1, weight: '20', volumetric: '16', volume: '0.096' },
    ];
    expect(shareWeights(orders, 'KG')).toEqual(['64', '20']);
    expect(shareWeights(orders, 'CBM')).toEqual(['0.384', '0.096']);
    expect(shareWeights(orders, 'BOX')).toEqual(['4', '1']);
    const unknown = { boxes: 3, weight: null, volumetric: null, volume: null };
    expect(shareWeights([unknown, ...orders], 'KG')).toEqual(['3', '4', '1']);
    expect(shareWeights([{ boxes: 0, weight: null, volumetric: null, volume: null }], 'BOX')).toEqual(['1']);
  });
});

const row = (id: string, totalCny: string | null, more: Partial<QuoteAnswerRow> = {}): QuoteAnswerRow => ({
  id,
  kind: 'ANSWER',
  carrierId: null,
  carrier: id,
  channelId: null,
  channel: '',
  mode: 'SEA',
  round: 1,
  unit: 'KG',
  price: '1',
  quantity: '1',
  freight: '1',
  tax: '0',
  otherFee: '0',
  total: totalCny ?? '1',
  currency: 'CNY',
  totalCny,
  above: null,
  days: '',
  validUntil: null,
  cheapest: false,
  fastest: false,
  late: false,
  expired: false,
  superseded: false,
  chosen: false,
  why: '',
  remark: '',
  at: null,
  byName: '',
  ...more,
});

describe('answers beside each other', () => {
  it('are told apart by what they cost, what holds and what is only a card', () => {
    const sorted = compared([
      row('old', '500', { superseded: true, days: '1' }),
      row('card', '550', { kind: 'CARD', days: '16–22' }),
      row('slow', '600', { days: '30' }),
      row('over', '400', { expired: true }),
      row('fast', '660', { days: '12' }),
      row('rate', null),
      row('dear', '800', { days: '12' }),
    ]);
    expect(sorted.map((one) => [one.id, one.above, one.cheapest, one.fastest])).toEqual([
      ['slow', '0', true, false],
      ['fast', '0.1', false, true],
      ['dear', '0.3333', false, true],
      ['card', '-0.0833', false, false],
      ['rate', null, false, false],
      ['over', '-0.3333', false, false],
      ['old', '-0.1667', false, false],
    ]);
  });
});

describe('the question', () => {
  it('names goods, goal and day, and nothing else', () => {
    const goods = goodsOf([packedBoxes(BOX, 96)], 6000);
    const text = questionText({
      number: 'WX2611180001',
      carrier: '远航',
      contact: '',
      from: '深圳仓',
      country: 'US',
      postalCode: '92557',
      mode: 'SEA',
      divisor: 6000,
      readyOn: null,
      until: '2026-11-20',
      remark: '不带电',
      estimated: true,
      ...goods,
      goods: [{ ...goods, center: 'ONT8', shipmentNos: 'FBA15A', specs: specWords(goods.specs) }],
    });
    expect(text).toBe(
      [
        '【询价 WX2611180001】远航 您好，请报以下货物的运费：',
        '起运：深圳仓',
        '目的地：亚马逊仓库，US 邮编 92557',
        '运输方式：海运',
        '合计：4 箱 96 件，实重 60.800 kg，材积重 64.00 kg（÷6000），体积 0.384 m³（预估，以装箱为准）',
        '明细：',
        '1. 仓库 ONT8，货件 FBA15A，4 箱，60.800 kg，0.384 m³',
        '   4×60×40×40cm 15.2kg',
        '备注：不带电',
        '请在 2026-11-20 前回复：单价和计费单位、计费量、税、其它费、币种、时效、报价有效期。',
      ].join('\n'),
    );
  });
});
