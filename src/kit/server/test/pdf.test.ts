import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { barWidth, pdf417, qrOfModules } from '../pdf/codes.ts';
import { GRID_24, GRID_44, gridPdf } from '../pdf/grid.ts';
import { LABEL_50X30, LABEL_60X40, LABEL_100X100, LABEL_100X150, labelsPdf, paperFor } from '../pdf/label.ts';
import { printLines } from '../pdf/lines.ts';
import { letters, newPdf, wrapped } from '../pdf/paper.ts';
import { type Sheet, sheetPdf } from '../pdf/sheet.ts';

/** Pages as the file's own tree counts them. */
function pagesOf(pdf: Buffer): number {
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  return Math.max(...[...pdf.toString('latin1').matchAll(/\/Count (\d+)/g)].map((found) => Number(found[1])));
}

const Line = z.object({
  sku: z.string().meta({ title: 'SKU', width: 120 }),
  qty: z.number().meta({ title: '数量', kind: 'integer' }),
  price: z.string().nullable().meta({ title: '单价', kind: 'money', currency: 'currency' }),
  state: z.string().meta({ title: '状态', states: { open: { title: '待到货', tone: 'waiting' } } }),
  currency: z.string(),
});

function sheetOf(lines: number): Sheet {
  const rows = Array.from({ length: lines }, (_, index) => ({
    sku: `SKU-${index}`,
    qty: 1200,
    price: '3.25050',
    state: 'open',
    currency: 'USD',
  }));
  return {
    title: '采购单',
    company: '演示公司',
    number: 'PO2611210001',
    head: [{ title: '供应商', value: '宁波某塑料制品有限公司' }],
    ...printLines(Line, ['sku', 'qty', 'price', 'state'], rows),
    totals: ['', '合计', '1,200'],
    notes: ['一、质量要求：按封样验收。'],
    signatures: ['制单', '审核'],
  };
}

describe('printed sheets', () => {
  test('columns and cells come from the contract: titles, currency, states, numbers to the right', () => {
    const { columns, rows } = sheetOf(1);
    expect(columns).toEqual([
      { title: '#', share: 30, right: true },
      { title: 'SKU', share: 120, right: false },
      { title: '数量', share: 100, right: true },
      { title: '单价', share: 100, right: true },
      { title: '状态', share: 100, right: false },
    ]);
    expect(rows).toEqual([['1', 'SKU-0', '1,200', '$3.2505', '待到货']]);
  });

  test('one page for a few lines, more for many, and none is left out', () => {
    expect(pagesOf(sheetPdf(sheetOf(0)))).toBe(1);
    expect(pagesOf(sheetPdf(sheetOf(20)))).toBe(1);
    expect(pagesOf(sheetPdf(sheetOf(40)))).toBe(2);
    expect(pagesOf(sheetPdf(sheetOf(400)))).toBe(13);
  });

  test('notes and signatures never stand alone on the last page', () => {
    // With each further line the end moves down until it takes the last line along to a page of its own.
    const counts = Array.from({ length: 12 }, (_, more) => pagesOf(sheetPdf(sheetOf(22 + more))));
    expect(counts[0]).toBe(1);
    expect(counts.at(-1)).toBe(2);
    expect(counts).toEqual([...counts].sort());
  });

  test('text wraps at words and Chinese signs, no sign is lost, and no line is too long', () => {
    const page = newPdf('x').beginPage(200, 200);
    letters(page, 8.5);
    const text = '硅胶折叠水杯（含盖）Collapsible Silicone Cup 550ml AVERYLONGWORDTHATNOLINEHOLDS';
    const lines = wrapped(page, text, 70);
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    for (const line of lines) expect(page.measureText(line).width).toBeLessThanOrEqual(70);
    expect(wrapped(page, '一\n二', 70)).toEqual(['一', '二']);
  });
});

describe('labels', () => {
  test('one a page, with bars or a square code', () => {
    const label = { content: 'X001ABC123', title: 'X001ABC123', lines: ['水杯'] };
    expect(pagesOf(labelsPdf([label, label, label]))).toBe(3);
    expect(pagesOf(labelsPdf([label], LABEL_50X30))).toBe(1);
    const items = Array.from({ length: 40 }, (_, n) => `SKU-${n} ×1`);
    expect(pagesOf(labelsPdf([{ ...label, items }, label], LABEL_100X100))).toBe(2);
  });

  test('bars stand where a scanner can tell them apart and has white beside them, else the label has a square code', () => {
    const label = (content: string) => [{ content, title: content, lines: [] }];
    expect(paperFor(label('X001ABC123'))).toBe(LABEL_50X30);
    expect(paperFor(label('AN-INTERNAL-SKU-OF-MANY-SIGNS-2026'))).toBe(LABEL_60X40);
    expect(paperFor(label('水杯'))).toBe(LABEL_60X40);
    // One sign: start, sign, check sign and stop are 46 bars wide, and 10 on each side are white.
    expect(barWidth('A', 66)).toBe(1);
  });

  test('sheets of labels: a page for each sheet, places that are used already left empty', () => {
    const labels = Array.from({ length: 24 }, () => ({
      content: 'X001ABC123',
      title: 'X001ABC123',
      lines: ['Cup', 'New'],
    }));
    expect(pagesOf(gridPdf(labels, GRID_24))).toBe(1);
    expect(pagesOf(gridPdf(labels, GRID_24, 1))).toBe(2);
    expect(pagesOf(gridPdf(labels, GRID_44, 20))).toBe(1);
  });

  test('a code for machines stands at the foot of a mark, or on a page of its own; too much of it is none', () => {
    const text = (items: number) => `AMZN,PO:FBA15ABC${',FNSKU:X001ABC123,QTY:12'.repeat(items)}`;
    const pages = (items: number) => {
      const code = pdf417(text(items));
      if (!code) return 0;
      // Modules of 0.508 mm: 171 across, rows of three.
      expect(code.width).toBeCloseTo((171 * 0.508 * 72) / 25.4, 6);
      const label = { content: 'BX.1', title: '1 / 2', lines: [], symbol: { caption: '', code } };
      return pagesOf(labelsPdf([label], LABEL_100X150));
    };
    expect([1, 3, 20, 80].map(pages)).toEqual([1, 1, 2, 0]);
    expect(qrOfModules(text(1))?.height).toBeCloseTo((37 * 1.016 * 72) / 25.4, 6);
    expect(qrOfModules(text(200))).toBeUndefined();
  });

  test('bars cannot say what is not ASCII', () => {
    expect(() => labelsPdf([{ content: '水杯', title: '', lines: [] }], LABEL_50X30)).toThrow('ASCII');
  });
});
