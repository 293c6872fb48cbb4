import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { findingOf } from '../server/invoice/judge.ts';

const line = (more: object = {}) => ({
  lineNo: 1,
  qty: 100,
  unitPrice: '10',
  agreed: '10',
  accepted: 100,
  invoiced: 100,
  ...more,
});

it.each([
  ['as agreed and accepted', {}, '1', ''],
  ['a price one percent above', { unitPrice: '10.10' }, '1', ''],
  ['a price one percent below', { unitPrice: '9.90' }, '1', ''],
  ['a price a little more than one percent above', { unitPrice: '10.1001' }, '1', '第1行单价10.1001，订单10'],
  ['within one percent, and fifty in all', { unitPrice: '10.05', qty: 1000, invoiced: 1000, accepted: 1000 }, '1', ''],
  [
    'within one percent, and a cent more than fifty',
    { unitPrice: '10.05001', qty: 1000, invoiced: 1000, accepted: 1000 },
    '1',
    '价差合计¥50.01，超过¥50',
  ],
  ['dollars count as CNY', { unitPrice: '10.1' }, '7.1', '价差合计¥71.00，超过¥50'],
  ['a piece more than was accepted', { invoiced: 101, qty: 101 }, '1', '第1行累计开票101，验收100'],
  ['fewer than were accepted: the rest is billed later', { invoiced: 40, qty: 40 }, '1', ''],
  ['free of charge where a price was agreed', { unitPrice: '0' }, '1', '第1行单价0，订单10；价差合计¥1000.00，超过¥50'],
])('%s', (_name, more, rate, finding) => {
  expect(findingOf([line(more)], rate)).toBe(finding);
});

it('differences of all lines count together, whichever way they point', () => {
  const lines = [line({ unitPrice: '10.1', qty: 300 }), line({ lineNo: 2, unitPrice: '9.9', qty: 300 })].map((one) => ({
    ...one,
    accepted: 300,
    invoiced: 300,
  }));
  expect(findingOf(lines, '1')).toBe('价差合计¥60.00，超过¥50');
});

it('nothing beyond the tolerances ever fits, and nothing within them ever waits', () => {
  const cents = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(
      cents,
      cents,
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 500 }),
      (a, b, qty, accepted) => {
        const [agreed, unitPrice] = [a, b].map((n) => new Decimal(n).div(100));
        if (!agreed || !unitPrice) return;
        const by = unitPrice.minus(agreed).abs();
        const fits = by.times(100).lte(agreed) && by.times(qty).lte(50) && qty <= accepted;
        const one = {
          ...line({ qty, accepted, invoiced: qty }),
          agreed: agreed.toFixed(),
          unitPrice: unitPrice.toFixed(),
        };
        expect(findingOf([one], '1') === '').toBe(fits);
      },
    ),
  );
});
