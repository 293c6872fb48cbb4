import { createRequire } from 'node:module';
import { GlobalFonts, PDFDocument } from '@napi-rs/canvas';
import QRCode from 'qrcode';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';

/** Points of a label of 60 x 40 mm. */
const PAGE = { width: 170, height: 113 };
const CODE = 88;
const FONT = 'LabelSans';

let ready = false;

/** Fonts of the labels: the Latin and the simplified Chinese parts of Noto Sans SC. */
function loadFonts(): void {
  if (ready) return;
  const require = createRequire(import.meta.url);
  for (const part of ['latin', 'chinese-simplified']) {
    GlobalFonts.registerFromPath(
      require.resolve(`@fontsource/noto-sans-sc/files/noto-sans-sc-${part}-500-normal.woff2`),
      FONT,
    );
  }
  ready = true;
}

export interface Label {
  /** What the QR code says. */
  content: string;
  title: string;
  lines: readonly string[];
}

type Page = ReturnType<PDFDocument['beginPage']>;

function drawCode(page: Page, content: string, left: number, top: number): void {
  const { modules } = QRCode.create(content, { errorCorrectionLevel: 'M' });
  const unit = CODE / modules.size;
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      // A hair wider than the module: printers leave no white between two dark ones.
      if (modules.get(row, column)) page.fillRect(left + column * unit, top + row * unit, unit + 0.05, unit + 0.05);
    }
  }
}

function fitted(page: Page, text: string, width: number): string {
  let cut = text;
  while (cut.length > 1 && page.measureText(cut).width > width) cut = `${cut.slice(0, -2)}…`;
  return cut;
}

/** Labels of 60 x 40 mm as a PDF, one a page: the code on the left, words on the right. */
export function labelsPdf(labels: readonly Label[]): Buffer {
  loadFonts();
  const pdf = new PDFDocument({ title: '标签' });
  const left = CODE + 18;
  const room = PAGE.width - left - 6;
  for (const { content, title, lines } of labels) {
    const page = pdf.beginPage(PAGE.width, PAGE.height);
    page.fillStyle = '#000';
    drawCode(page, content, 9, (PAGE.height - CODE) / 2);
    page.font = `500 12px ${FONT}`;
    page.fillText(fitted(page, title, room), left, 36);
    page.font = `500 7.5px ${FONT}`;
    for (const [index, line] of lines.entries()) page.fillText(fitted(page, line, room), left, 54 + index * 12);
    pdf.endPage();
  }
  return pdf.close();
}

/** QR labels of locations; a scanner reads "LOC.<id>". */
export async function locationLabelsPdf(ctx: Ctx, ids: readonly string[]): Promise<FileReply> {
  const rows = await ctx.db
    .selectFrom('warehouse.location as l')
    .innerJoin('warehouse.warehouse as w', (join) =>
      join.onRef('w.company_id', '=', 'l.company_id').onRef('w.id', '=', 'l.warehouse_id'),
    )
    .select(['l.id', 'l.code', 'l.path', 'w.name'])
    .where('l.company_id', '=', ctx.companyId)
    .where('l.id', 'in', ids)
    .orderBy('l.pick_sequence')
    .orderBy('l.path')
    .execute();
  if (rows.length === 0) throw notFound('库位不存在或已删除');
  const labels = rows.map((row) => ({ content: `LOC.${row.id}`, title: row.code, lines: [row.name, row.path] }));
  return new FileReply('库位标签.pdf', 'application/pdf', labelsPdf(labels), true);
}
