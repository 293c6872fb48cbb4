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

/** Draws Code 128 into the box, the bars as wide as they fit. Scanners want a margin of ten bars on both sides. */
export function drawCode128(page: Page, text: string, box: Box): void {
  // The printer would put bytes of UTF-8 into bars that no scanner reads back.
  if (/[^\x20-\x7e]/.test(text)) throw new Error(`Code 128 holds ASCII only: ${text}`);
  const [code] = bwip.raw({ bcid: 'code128', text });
  if (!code || !('sbs' in code)) throw new Error('no bars');
  const total = code.sbs.reduce((sum, width) => sum + width, 0);
  const unit = box.width / total;
  let left = box.left;
  for (const [index, width] of code.sbs.entries()) {
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
