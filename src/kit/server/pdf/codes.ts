import bwip from 'bwip-js/node';
import QRCode from 'qrcode';
import type { Page } from './paper.ts';

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
  return width / (barsOf(text).reduce((sum, bar) => sum + bar, 0) + 2 * QUIET);
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
