import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import {
  expectedLead,
  gradeOf,
  leadTime,
  pricePoints,
  qualityPoints,
  type ScoredLine,
  score,
  totalOf,
} from '../server/scorecard.ts';

const line = (more: Partial<ScoredLine> = {}): ScoredLine => ({
  qty: 100,
  acceptedInTime: 100,
  received: 100,
  defective: 0,
  unitPrice: '10',
  comparedPrice: '10',
  receipts: [{ qty: 100, days: 20 }],
  ...more,
});

describe('scorecard of a supplier', () => {
  it('E15: 34 of 40 in time, 1.2 % bad, 3 % dearer, service 90 make 79.35, a B', () => {
    const delivery = new Decimal(34).div(40).times(100);
    const quality = qualityPoints(12_500, 150);
    const price = pricePoints('0.03');
    expect([delivery.toFixed(), quality?.toFixed(), price.toFixed()]).toEqual(['85', '76', '70']);
    const total = totalOf({ delivery, quality, price, service: new Decimal(90) });
    expect(total?.toFixed(2)).toBe('79.35');
    expect(total && gradeOf(total)).toBe('B');
  });

  it('E15, from the lines themselves', () => {
    // 40 lines of 312 or 313 pieces, 12,500 in all; six are late; 150 pieces are bad; each costs three percent more.
    const lines = Array.from({ length: 40 }, (_, index) => {
      const qty = index % 2 === 0 ? 312 : 313;
      const acceptedInTime = index < 6 ? 0 : qty;
      return line({ qty, received: qty, acceptedInTime, defective: index < 30 ? 5 : 0, unitPrice: '10.30' });
    });
    expect(lines.reduce((sum, one) => sum + one.received, 0)).toBe(12_500);
    const card = score(lines, '90');
    expect([card.total?.toFixed(2), card.grade, card.lines]).toEqual(['79.35', 'B', 40]);
  });

  it('E15: 600 pieces on day 20 and 400 on day 35 take 26.0 days', () => {
    const receipts = [
      { qty: 600, days: 20 },
      { qty: 400, days: 35 },
    ];
    expect(leadTime(receipts)?.toFixed(1)).toBe('26.0');
    expect(leadTime([])).toBeNull();
    expect(expectedLead(26, 5, 30).toFixed()).toBe('28');
    expect(expectedLead(26, 0, 30).toFixed()).toBe('30');
  });

  it('a line counts as delivered from 95 % accepted in time on', () => {
    const at = (acceptedInTime: number) => score([line({ acceptedInTime })], null).delivery?.toFixed();
    expect([at(95), at(94)]).toEqual(['100', '0']);
  });

  it('fewer than five lines make no total, grades change at 90, 75 and 60', () => {
    expect(
      score(
        Array.from({ length: 4 }, () => line()),
        '100',
      ).total,
    ).toBeNull();
    expect(
      score(
        Array.from({ length: 5 }, () => line()),
        '100',
      ).grade,
    ).toBe('A');
    expect(['90', '89.99', '75', '74.99', '60', '59.99'].map((n) => gradeOf(new Decimal(n)))).toEqual([
      'A',
      'B',
      'B',
      'C',
      'C',
      'D',
    ]);
    expect(score([], null)).toMatchObject({ delivery: null, quality: null, total: null, grade: null });
  });

  it('points stay between 0 and 100, and a defect more never makes them more', () => {
    const lines = fc.array(
      fc.record({
        qty: fc.integer({ min: 1, max: 500 }),
        bad: fc.integer({ min: 0, max: 500 }),
        cents: fc.integer({ min: 1, max: 9999 }),
      }),
      { minLength: 5, maxLength: 20 },
    );
    fc.assert(
      fc.property(lines, fc.integer({ min: 0, max: 100 }), (rows, service) => {
        const made = rows.map(({ qty, bad, cents }) =>
          line({
            qty,
            received: qty,
            acceptedInTime: qty,
            defective: Math.min(bad, qty),
            unitPrice: (cents / 100).toFixed(2),
          }),
        );
        const card = score(made, String(service));
        for (const points of [card.delivery, card.quality, card.price, card.total]) {
          expect(points?.gte(0) && points.lte(100)).toBe(true);
        }
        const [first, ...rest] = made;
        if (!first || first.defective === first.received) return;
        const worse = score([{ ...first, defective: first.defective + 1 }, ...rest], String(service));
        expect(worse.total?.lte(card.total ?? 0)).toBe(true);
      }),
    );
  });
});
