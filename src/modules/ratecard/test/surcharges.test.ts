import { describe, expect, it } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { COUNTRIES } from '../contract/calculator.ts';
import { CARDS } from '../contract/card.ts';
import { surchargeRows } from '../contract/fee-rows.ts';
import { fulfilmentCharge } from '../contract/fulfilment.ts';
import { SURCHARGES } from '../contract/surcharges.ts';

const of = (country: string, day: string, kind: string) =>
  surchargeRows(country, day).filter((row) => row.kind === kind);

describe('surcharges', () => {
  it('of fuel are those that the cards reckon with, by day', () => {
    expect(of('US', '2026-04-16', 'FUEL')).toEqual([]);
    expect(of('US', '2026-04-17', 'FUEL')).toMatchObject([
      { fee: '配送费 × 3.5%', reckoned: '已计入', from: '2026-04-17' },
    ]);
    expect(of('FR', '2026-04-17', 'FUEL')).toMatchObject([{ fee: '配送费 × 1.5%', to: '2026-10-14' }]);
    expect(of('CA', '2026-05-01', 'FUEL')).toMatchObject([{ fee: '配送费 × 3.5%' }]);
    expect(SURCHARGES.filter(({ kind }) => kind === 'FUEL')).toHaveLength(
      CARDS.filter(({ surcharge }) => surcharge !== null).length,
    );
  });

  it('of the peak are what the same piece costs more by the card of that day', () => {
    const piece = { sides: ['34', '3', '3'], weight: '0.15' } as const;
    const fee = (day: string) => {
      const charge = fulfilmentCharge('DE', day, '30', piece);
      return 'gap' in charge ? 'none' : charge.fee;
    };
    const more = new Decimal(fee('2025-10-15')).minus(fee('2025-10-14')).toFixed(2);
    const [row] = of('DE', '2025-12-01', 'PEAK').filter(({ scope }) => scope === '小包裹');
    expect(more).toBe('0.15');
    expect(row?.fee).toBe('每件加 0.15 – 0.26 EUR，已在旺季费率卡中');
    // Envelopes of Germany cost the same all the year.
    expect(of('DE', '2025-12-01', 'PEAK').map(({ scope }) => scope)).toEqual(['小包裹', '标准包裹']);
    expect(of('DE', '2025-10-14', 'PEAK')).toEqual([]);
  });

  it('of digital services are those of where the seller is', () => {
    const abroad = (country: string) =>
      of(country, '2026-06-01', 'DSF')
        .filter(({ reckoned }) => reckoned === '已计入')
        .map(({ fee }) => fee);
    expect(abroad('UK')).toEqual(['2% × （佣金 + 配送费）']);
    expect(abroad('IT')).toEqual(['2% × 佣金']);
    expect(abroad('DE')).toEqual([]);
    expect(of('DE', '2026-06-01', 'DSF')).toHaveLength(4);
    expect(of('UK', '2024-09-30', 'DSF')).toEqual([]);
  });

  it('have one name each, a source, and no words for what is not told', () => {
    for (const { country } of COUNTRIES) {
      const rows = surchargeRows(country);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      for (const row of rows) expect([row.source, row.fee, row.scope].every((word) => word !== '')).toBe(true);
    }
    expect(of('US', '2026-06-01', 'LOW_INVENTORY').every(({ verified }) => verified === 'UNVERIFIED')).toBe(true);
    expect(of('US', '2025-06-01', 'LOW_INVENTORY').every(({ verified }) => verified === 'SECONDARY')).toBe(true);
  });
});
