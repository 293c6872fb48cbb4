import bwip from 'bwip-js/node';
import QRCode from 'qrcode';
import { mm, type Page } from './paper.ts';

/** A hair wider than a module: printers leave no white between two dark ones. */
const OVERLAP = 0.05;

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** White that scanners want on each side of the bars, in widths of the thinnest bar. */
export const QUIET = 10;

/** Widths of bars and spaces in turn, in thinnest bars. */
function barsOf(text: string): readonly number[] {
  // The printer would put bytes of UTF-8 into bars that no scanner reads back.
  if (/[^\x20-\x7e]/.test(text)) throw new Error(`Code 128 holds ASCII only: ${text}`);
  const [code] = bwip.raw({ bcid: 'code128', text });
  if (!code || !('sbs' in code)) throw new Error('no bars');
  return code.sbs;
}

/** Width in points of the thinnest bar where `text` with the white beside it fills `width`. */
export function barWidth(text: string, width: number): number {
  return width / barLength(text, 1);
}

/** Length of Code 128 in the unit of `thinnest`, the width of its thinnest bar, with the white beside it. */
export function barLength(text: string, thinnest: number): number {
  return (barsOf(text).reduce((sum, bar) => sum + bar, 0) + 2 * QUIET) * thinnest;
}

/** Draws Code 128 into the box, the bars as wide as they fit with the white that belongs on both sides of them. */
export function drawCode128(page: Page, text: string, box: Box): void {
  const unit = barWidth(text, box.width);
  let left = box.left + QUIET * unit;
  for (const [index, width] of barsOf(text).entries()) {
    // Bars and spaces take turns.
    if (index % 2 === 0) page.fillRect(left, box.top, width * unit, box.height);
    left += width * unit;
  }
}

/** Draws a QR code of error correction M into a square. */
export function drawQr(page: Page, text: string, box: Omit<Box, 'height'>): void {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
  const unit = box.width / modules.size;
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (!modules.get(row, column)) continue;
      page.fillRect(box.left + column * unit, box.top + row * unit, unit + OVERLAP, unit + OVERLAP);
    }
  }
}

/** A square or stacked code that is drawn in modules of a fixed size; points. */
export interface Symbol2d {
  width: number;
  height: number;
  draw: (page: Page, left: number, top: number) => void;
}

/** Sizes of a module that every scanner in a fulfilment centre reads, in millimetres. */
const PDF417_MODULE = 0.508;
const QR_MODULE = 1.016;
/** Columns of a PDF417: 171 modules, 87 mm, fit on a label of 100 mm. */
const PDF417_COLUMNS = 6;
const PDF417_ROW = 3;

type Dark = (row: number, column: number) => boolean;

function symbol(rows: number, columns: number, [across, down]: readonly [number, number], dark: Dark): Symbol2d {
  return {
    width: columns * across,
    height: rows * down,
    draw: (page, left, top) => {
      for (let row = 0; row < rows; row += 1) {
        for (let column = 0; column < columns; column += 1) {
          if (dark(row, column)) {
            page.fillRect(left + column * across, top + row * down, across + OVERLAP, down + OVERLAP);
          }
        }
      }
    },
  };
}

/** PDF417 of ASCII, modules of 0.508 mm, rows of three, error correction level 6; undefined for more than it holds. */
export function pdf417(text: string): Symbol2d | undefined {
  const unit = mm(PDF417_MODULE);
  try {
    const options = { bcid: 'pdf417', text, columns: PDF417_COLUMNS, eclevel: 6, rowmult: PDF417_ROW };
    const [code] = bwip.raw(options);
    if (!code || !('pixs' in code)) return undefined;
    const { pixs, pixx } = code;
    const size = [unit, PDF417_ROW * unit] as const;
    return symbol(pixs.length / pixx, pixx, size, (row, column) => pixs[row * pixx + column] === 1);
  } catch {
    return undefined;
  }
}

/** QR code of error correction H, modules of 1.016 mm; undefined for more than it holds. */
export function qrOfModules(text: string): Symbol2d | undefined {
  try {
    const { modules } = QRCode.create(text, { errorCorrectionLevel: 'H' });
    const unit = mm(QR_MODULE);
    return symbol(modules.size, modules.size, [unit, unit], (row, column) => Boolean(modules.get(row, column)));
  } catch {
    return undefined;
  }
}
