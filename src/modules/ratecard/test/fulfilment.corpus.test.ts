import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Decimal, round } from '#kit/contract/decimal.ts';
import { readSheet } from '#kit/server/excel/read.ts';
import { CORPUS } from '#test/support/corpus.ts';
import { CARDS, cardOn } from '../contract/card.ts';
import { fulfilmentCharge } from '../contract/fulfilment.ts';
import type { FeeTier } from '../contract/tiers.ts';

/** Somebody's transcription of the published cards; it may be read where it lies and not be copied. */
const present = existsSync(join(CORPUS, 'fees'));
if (!present) console.error(`published fees are not tested: ${CORPUS} is not there (set CORPUS_DIR)`);

type Sides = readonly [number, number, number];
/** A tier of the files, and sides (inches, cm) that lead into it and weigh next to nothing by volume. */
const US: Record<string, readonly [FeeTier, Sides]> = {
  小号标准尺寸: ['SMALL_STANDARD', [15, 12, 0.75]],
  大号标准尺寸: ['LARGE_STANDARD', [18, 1, 1]],
  小号大件: ['SMALL_BULKY', [20, 2, 2]],
  大号大件: ['LARGE_BULKY', [40, 1, 1]],
  '超大件((0,50]磅)': ['EXTRA_50', [60, 1, 1]],
  '超大件((50,70]磅)': ['EXTRA_70', [60, 1, 1]],
  '超大件((70,150]磅)': ['EXTRA_150', [60, 1, 1]],
  '超大件(>150磅)': ['EXTRA_MORE', [60, 1, 1]],
};
const EU: Record<string, readonly [FeeTier, Sides]> = {
  轻型信封: ['LIGHT_ENVELOPE', [33, 23, 2.5]],
  标准信封: ['STANDARD_ENVELOPE', [33, 23, 2.5]],
  大号信封: ['LARGE_ENVELOPE', [33, 23, 4]],
  超大号信封: ['EXTRA_ENVELOPE', [33, 23, 6]],
  小包裹: ['SMALL_PARCEL', [34, 3, 3]],
  标准包裹: ['STANDARD_PARCEL', [36, 3, 3]],
  小号大件: ['SMALL_OVERSIZE', [46, 3, 3]],
  轻型标准大件: ['LIGHT_OVERSIZE', [62, 3, 3]],
  重型标准大件: ['HEAVY_OVERSIZE', [62, 3, 3]],
  大号标准大件: ['LARGE_OVERSIZE', [102, 3, 3]],
  特大号大件: ['BULKY_OVERSIZE', [121, 3, 3]],
  超重型大件: ['WEIGHTY_OVERSIZE', [121, 3, 3]],
  特殊大件: ['SPECIAL_OVERSIZE', [176, 3, 3]],
};
/** Sides of a piece whose volume, not its weight, takes it beyond 31.5 kg. */
const VOLUMINOUS: Sides = [121, 40, 40];

interface Cell {
  period: string;
  price: string;
  tier: string;
  weight: string;
  fee: string;
}

function cellsOf(name: string): Cell[] {
  const lines = readFileSync(join(CORPUS, 'fees', name), 'utf8')
    .trim()
    .split(/\r?\n/)
    .slice(1);
  return lines.map((line) => {
    const cells = [...line.matchAll(/"([^"]*)"|([^,]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    const [period = '', ...rest] = cells;
    const [price = '', tier = '', weight = '', fee = ''] = rest;
    return { period, price, tier, weight, fee };
  });
}

const dayOf = (period: string): string => {
  const [, year = '', month = '', day = ''] = /(\d{4})年(\d+)月(\d+)日/.exec(period) ?? [];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};

/** A cell's fee at a weight: a number, or "6.15+((发货重量-3)*16/4)*0.08". */
function stated(fee: string, weight: number): string {
  const form = /^([\d.]+)\+\(+发货重量-([\d.]+)\)(?:\*16\/(4)|\/(1000))?\)?\*([\d.]+)$/.exec(fee);
  if (!form) return round(fee, 2);
  const [, base = '', over = '', quarters, grams, add = ''] = form;
  const steps = new Decimal(weight)
    .minus(over)
    .times(quarters ? 4 : 1)
    .div(grams ? 1000 : 1);
  return round(new Decimal(base).plus(steps.times(add)), 2);
}

describe.skipIf(!present)('every cell of the published cards', () => {
  it('of the United States, at the end of its band and of its prices', () => {
    const cells = cellsOf('us-fba-fulfilment-2025-2026.csv');
    expect(cells).toHaveLength(243);
    for (const { period, price, tier, weight, fee } of cells) {
      const [code, sides] = US[tier] ?? ['SPECIAL_OVERSIZE', [0, 0, 0]];
      const day = dayOf(period);
      const end = Number(/([\d.]+)\]?磅$/.exec(weight)?.[1]);
      const isOpen = weight.startsWith('>');
      const pounds = isOpen ? [151, 160] : fee.includes('发货') ? [end, end - 2] : [end];
      const prices = price === '<10' ? ['1', '9.99'] : price === '>50' ? ['50.01', '999'] : ['10', '50'];
      for (const pound of pounds) {
        for (const each of prices) {
          const charge = fulfilmentCharge('US', day, each, {
            sides: sides.map((side) => new Decimal(side).times('2.54').toFixed()) as [string, string, string],
            weight: new Decimal(pound).times('0.45359237').toFixed(),
          });
          // Bulky goods were one tier until 2026.
          const expected = code === 'SMALL_BULKY' && day < '2026' ? 'LARGE_BULKY' : code;
          expect({ day, tier, weight, price: each, charge }).toMatchObject({
            charge: { tier: expected, fee: stated(fee, pound), currency: 'USD' },
          });
        }
      }
    }
  });

  it('of the United Kingdom and Germany, at the end of its band', () => {
    const cells = cellsOf('uk-de-fba-fulfilment-2025.csv').map((cell) => ({
      period: cell.period,
      country: cell.price === '英国' ? 'UK' : 'DE',
      tier: cell.tier,
      weight: cell.weight,
      fee: cell.fee,
    }));
    expect(cells).toHaveLength(168);
    for (const { period, country, tier, weight, fee } of cells) {
      const [code, usual] = EU[tier] ?? ['SMALL_STANDARD', [0, 0, 0]];
      const limit = Number(/\d+/.exec(weight)?.[0]);
      const isOpen = weight.startsWith('>');
      const heaviest =
        { SMALL_OVERSIZE: 1_760, LIGHT_OVERSIZE: 14_760, HEAVY_OVERSIZE: 22_760 }[code as string] ?? 22_760;
      const grams = isOpen
        ? code === 'SPECIAL_OVERSIZE'
          ? limit + 5_000
          : heaviest
        : ({ HEAVY_OVERSIZE: 15_760, WEIGHTY_OVERSIZE: 31_500 }[code as string] ?? limit);
      const isByVolume = isOpen && code === 'WEIGHTY_OVERSIZE';
      const sides = isByVolume ? VOLUMINOUS : usual;
      const charge = fulfilmentCharge(country, dayOf(period), null, {
        sides: sides.map(String) as [string, string, string],
        weight: String((isByVolume ? 30_000 : grams) / 1000),
      });
      const billed = isByVolume ? 31_500 + Math.ceil((121 * 1600) / 5 / 1000 - 31.5) * 1000 : grams;
      expect({ country, tier, weight, charge }).toMatchObject({ charge: { tier: code, fee: stated(fee, billed) } });
    }
  });

  it('of the size tiers of Europe, in each of its cards and on both sides of each border', async () => {
    const lines = await readSheet(readFileSync(join(CORPUS, 'fees', 'eu-size-tiers-and-fees.xlsx')));
    const definitions = lines.slice(1).filter(([name]) => name && name !== '特殊大件');
    expect(definitions).toHaveLength(12);
    const number = (cell = '') => (cell === '' ? null : Number(/[\d.]+/.exec(cell)?.[0]));
    const cards = CARDS.filter(({ country }) => ['UK', 'DE', 'FR', 'IT', 'ES'].includes(country));
    expect(cards.length).toBeGreaterThan(16);
    let cells = 0;
    for (const [name = '', weight, dimensional, ...sides] of definitions) {
      const [code, usual] = EU[name] ?? ['SMALL_STANDARD', [0, 0, 0]];
      const stated = { weight: number(weight), dimensional: number(dimensional), sides: sides.slice(0, 3).map(number) };
      cells += [stated.weight, stated.dimensional, ...stated.sides].filter((one) => one !== null).length;
      for (const card of cards) {
        const tier = card.tiers.find((one) => one.code === code);
        expect({ code, weight: tier?.weight, dimensional: tier?.dimensional }).toEqual({
          code,
          weight: stated.weight,
          dimensional: stated.dimensional,
        });
        if (stated.sides.every((one) => one !== null)) expect(tier?.sides).toEqual(stated.sides);
        const at = (grams: number) =>
          fulfilmentCharge(card.country, card.from, '100', {
            sides: usual.map(String) as [string, string, string],
            weight: String(grams / 1000),
          });
        expect(at(stated.weight ?? 0)).toMatchObject({ tier: code });
        expect(at((stated.weight ?? 0) + 1)).not.toMatchObject({ tier: code });
      }
    }
    expect(cells).toBe(50);
    expect(cardOn('FR', '2025-06-01')?.tiers.at(-1)?.code).toBe('SPECIAL_OVERSIZE');
  });
});
