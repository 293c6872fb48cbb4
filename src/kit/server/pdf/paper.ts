import { createRequire } from 'node:module';
import { GlobalFonts, PDFDocument } from '@napi-rs/canvas';

// Letters with accents first: a font without them would put the accent beside the letter.
const FAMILY = 'Paper-latin-ext, Paper-chinese-simplified, Paper-latin';
const WEIGHTS = [400, 700] as const;

let ready = false;

/**
 * The Latin and the simplified Chinese parts of Noto Sans SC, and for what those lack (Polish, Czech, Turkish) Inter, so that a
 * printed page needs no font of the machine.
 */
function loadFonts(): void {
  if (ready) return;
  const require = createRequire(import.meta.url);
  for (const weight of WEIGHTS) {
    for (const part of ['latin', 'chinese-simplified']) {
      const file = require.resolve(`@fontsource/noto-sans-sc/files/noto-sans-sc-${part}-${weight}-normal.woff2`);
      GlobalFonts.registerFromPath(file, `Paper-${part}`);
    }
  }
  const more = require.resolve('@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2');
  GlobalFonts.registerFromPath(more, 'Paper-latin-ext');
  ready = true;
}

/** A page to draw on; all measures are points (1/72 inch). */
export type Page = ReturnType<PDFDocument['beginPage']>;

/** Points of so many millimetres. */
export const mm = (length: number) => (length * 72) / 25.4;

/** An empty PDF with the fonts in place. */
export function newPdf(title: string): PDFDocument {
  loadFonts();
  return new PDFDocument({ title });
}

/** Sets the letters of what is written next. */
export function letters(page: Page, size: number, bold = false): void {
  page.font = `${bold ? 700 : 400} ${size}px ${FAMILY}`;
}

/** `text` cut to `width` points, with an ellipsis where something is missing. */
export function fitted(page: Page, text: string, width: number): string {
  if (page.measureText(text).width <= width) return text;
  const signs = [...text];
  while (signs.length > 1 && page.measureText(`${signs.join('')}…`).width > width) signs.pop();
  return `${signs.join('')}…`;
}

/** Words in Latin letters stay whole, Chinese breaks anywhere. */
const PIECES = /[\p{Script=Latin}\p{N}._/#-]+\s*|\s+|./gu;

/** `text` in lines of at most `width` points; a word that is longer than a line is broken. Line feeds are kept. */
export function wrapped(page: Page, text: string, width: number): string[] {
  const fits = (line: string) => page.measureText(line.trimEnd()).width <= width;
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const piece of paragraph.match(PIECES) ?? []) {
      if (fits(line + piece)) {
        line += piece;
        continue;
      }
      if (line.trim()) lines.push(line.trimEnd());
      line = '';
      for (const sign of piece.trimStart()) {
        if (line && !fits(line + sign)) {
          lines.push(line);
          line = '';
        }
        line += sign;
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}
