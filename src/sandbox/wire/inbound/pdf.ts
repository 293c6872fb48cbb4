/** Small PDF files: pages of text and bars, nothing more. */

/** A page in points, its origin at the lower left. */
export interface Page {
  width: number;
  height: number;
  texts: { x: number; y: number; size: number; text: string }[];
  /** Filled rectangles. */
  bars: { x: number; y: number; width: number; height: number }[];
}

/** The fonts that every reader has know no other letters. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, '\\$&');

function contentOf({ texts, bars }: Page): string {
  return [
    ...bars.map(({ x, y, width, height }) => `${x} ${y} ${width} ${height} re f`),
    ...texts.map(({ x, y, size, text }) => `BT /F1 ${size} Tf ${x} ${y} Td (${plain(text)}) Tj ET`),
  ].join('\n');
}

/** The pages as one file. */
export function pdfOf(pages: readonly Page[]): Buffer {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((page, index) => {
      const content = contentOf(page);
      const box = `[0 0 ${page.width} ${page.height}]`;
      const resources = '<< /Font << /F1 3 0 R >> >>';
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Resources ${resources} /Contents ${5 + 2 * index} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const offsets = bodies.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const head = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${table}`;
  const tail = `trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + head + tail, 'latin1');
}

/** Bars that stand for a text: something to look at, no scanner reads it. */
export function barsOf(text: string, x: number, y: number, height: number): Page['bars'] {
  let at = x;
  return [...text].flatMap((letter) =>
    [0, 2, 4, 6].map((shift) => {
      const width = 0.8 + ((letter.charCodeAt(0) >> shift) & 3) * 0.6;
      const bar = { x: Number(at.toFixed(2)), y, width: Number(width.toFixed(2)), height };
      at += width + 0.9;
      return bar;
    }),
  );
}
