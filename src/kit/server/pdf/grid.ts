import { below, type Label } from './label.ts';
import { mm, newPdf } from './paper.ts';

/** A sheet of labels that stick on it in rows and columns; millimetres. */
export interface LabelGrid {
  page: readonly [width: number, height: number];
  columns: number;
  rows: number;
  label: readonly [width: number, height: number];
  /** White between two columns. */
  gap: number;
}

const A4 = [210, 297] as const;

/** Sheets as offices buy them, by how many labels are on one; the white around is the same on both sides. */
export const GRID_21: LabelGrid = { page: A4, columns: 3, rows: 7, label: [63.5, 38.1], gap: 2.5 };
export const GRID_24: LabelGrid = { page: A4, columns: 3, rows: 8, label: [63.5, 33.9], gap: 2.5 };
export const GRID_27: LabelGrid = { page: A4, columns: 3, rows: 9, label: [63.5, 29.6], gap: 2.5 };
export const GRID_30: LabelGrid = { page: A4, columns: 3, rows: 10, label: [70, 29.7], gap: 0 };
export const GRID_40: LabelGrid = { page: A4, columns: 4, rows: 10, label: [52.5, 29.7], gap: 0 };
export const GRID_44: LabelGrid = { page: A4, columns: 4, rows: 11, label: [48.5, 25.4], gap: 0 };
export const LETTER_30: LabelGrid = { page: [215.9, 279.4], columns: 3, rows: 10, label: [66.7, 25.4], gap: 3.2 };

/**
 * Labels with bars on sheets, row by row; `used` places of the first sheet stay empty, because a sheet that was begun is not
 * thrown away.
 */
export function gridPdf(labels: readonly Label[], grid: LabelGrid, used = 0): Buffer {
  const pdf = newPdf('标签');
  const [pageWidth, pageHeight] = grid.page;
  const [width, height] = grid.label;
  const left = (pageWidth - grid.columns * width - (grid.columns - 1) * grid.gap) / 2;
  const top = (pageHeight - grid.rows * height) / 2;
  const each = grid.columns * grid.rows;
  for (let first = 0; first < used + labels.length; first += each) {
    const page = pdf.beginPage(mm(pageWidth), mm(pageHeight));
    page.fillStyle = '#000';
    for (let place = 0; place < each; place += 1) {
      const label = labels[first + place - used];
      if (!label || first + place < used) continue;
      page.save();
      page.translate(
        mm(left + (place % grid.columns) * (width + grid.gap)),
        mm(top + Math.floor(place / grid.columns) * height),
      );
      below(page, label, mm(width), mm(height));
      page.restore();
    }
    pdf.endPage();
  }
  return pdf.close();
}
