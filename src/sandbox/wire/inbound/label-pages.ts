/** How labels lie on sheets. */
import { barsOf, type Page } from './pdf.ts';

/** A sheet of labels in points. */
export interface Sheet {
  width: number;
  height: number;
  columns: number;
  rows: number;
}

const LETTER = { width: 612, height: 792 };
const A4 = { width: 595, height: 842 };
/** Four by six inches. */
const THERMAL: Sheet = { width: 288, height: 432, columns: 1, rows: 1 };

/** Sheets of box and pallet labels by the name of their page type. */
export const SHEETS: Readonly<Record<string, Sheet>> = {
  PackageLabel_Letter_2: { ...LETTER, columns: 1, rows: 2 },
  PackageLabel_Letter_4: { ...LETTER, columns: 2, rows: 2 },
  PackageLabel_Letter_6: { ...LETTER, columns: 2, rows: 3 },
  PackageLabel_Letter_6_CarrierLeft: { ...LETTER, columns: 2, rows: 3 },
  PackageLabel_A4_2: { ...A4, columns: 1, rows: 2 },
  PackageLabel_A4_4: { ...A4, columns: 2, rows: 2 },
  PackageLabel_Plain_Paper: { ...LETTER, columns: 1, rows: 1 },
  PackageLabel_Plain_Paper_CarrierBottom: { ...LETTER, columns: 1, rows: 1 },
  PackageLabel_Thermal: THERMAL,
  PackageLabel_Thermal_Unified: THERMAL,
  PackageLabel_Thermal_NonPCP: THERMAL,
  PackageLabel_Thermal_No_Carrier_Rotation: THERMAL,
};

/** Sheets of product labels: the name says how many are on one. */
export function itemSheet(pageType: string): Sheet {
  const [, count = '21'] = /_(\d+)/.exec(pageType) ?? [];
  const columns = ['40', '44'].includes(count) ? 4 : 3;
  const size = pageType.startsWith('Letter') ? LETTER : A4;
  return { ...size, columns, rows: Math.ceil(Number(count) / columns) };
}

/** A label: lines of text, and what its barcode says. */
export interface Label {
  code: string;
  lines: string[];
}

/** Labels on as many sheets as they need. */
export function labelPages({ width, height, columns, rows }: Sheet, labels: readonly Label[]): Page[] {
  const perPage = columns * rows;
  const cell = { width: width / columns, height: height / rows };
  const size = Math.max(5, Math.min(12, cell.height / 14));
  return Array.from({ length: Math.max(1, Math.ceil(labels.length / perPage)) }, (_, sheet) => {
    const page: Page = { width, height, texts: [], bars: [] };
    for (const [index, { code, lines }] of labels.slice(sheet * perPage, (sheet + 1) * perPage).entries()) {
      const x = Math.round((index % columns) * cell.width + size);
      const top = height - Math.floor(index / columns) * cell.height - 2 * size;
      for (const [line, text] of [code, ...lines].entries()) {
        page.texts.push({ x, y: Math.round(top - line * size * 1.3), size, text });
      }
      page.bars.push(...barsOf(code, x, Math.round(top - (lines.length + 1) * size * 1.3 - 2 * size), 2 * size));
    }
    return page;
  });
}
