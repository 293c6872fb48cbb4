import { Image, type SKRSContext2D } from '@napi-rs/canvas';
import { barWidth, drawCode128, QUIET } from './codes.ts';
import { fitted, letters, mm, newPdf, type Page, wrapped } from './paper.ts';

export interface SheetField {
  title: string;
  value: string;
}

export interface PrintColumn {
  title: string;
  /** Share of the width, against the shares of the others. */
  share: number;
  /** Numbers stand right, so that their digits line up. */
  right?: boolean;
}

/** A document as it is printed, filed and signed: head, lines, totals, notes, signatures. */
export interface Sheet {
  /** e.g. 采购单; the largest words on the page. */
  title: string;
  company: string;
  /** A PNG above the company's name. */
  logo?: Buffer;
  /** The document's number, also as bars for a scanner. */
  number: string;
  head: readonly SheetField[];
  /** Who stands opposite whom, side by side below the head: each line as long as a column is wide, else it is cut. */
  parties?: readonly { title: string; lines: readonly string[] }[];
  columns: readonly PrintColumn[];
  rows: readonly (readonly string[])[];
  /** One cell for each column, printed bold after the last row. */
  totals?: readonly string[];
  /** Terms, remarks; wrapped below the table. */
  notes?: readonly string[];
  /** Lines to sign on, e.g. 制单, 审核, 仓库. */
  signatures?: readonly string[];
  landscape?: boolean;
  /** For readers abroad: colon and page numbers as they are written there. */
  english?: boolean;
  /** Words at the foot of a page in another language. */
  foot?: (page: number, pages: number) => string;
}

const EDGE = mm(14);
const FOOT = mm(12);
const SIZE = 8.5;
const LINE = 12;
const PAD = 4;
const LOGO = { width: mm(50), height: 26 };
const RULE = '#999';
const SHADE = '#f0f0f0';

/** What lies on one page: rows already broken into lines, and whether the end of the sheet is here. */
interface Leaf {
  rows: Row[];
  last: boolean;
}

interface Row {
  cells: string[][];
  height: number;
  bold: boolean;
}

interface Frame {
  width: number;
  height: number;
  /** Left edge and width of each column. */
  columns: { left: number; width: number; right: boolean }[];
}

function frameOf(sheet: Sheet): Frame {
  const [width, height] = sheet.landscape ? [mm(297), mm(210)] : [mm(210), mm(297)];
  const total = sheet.columns.reduce((sum, column) => sum + column.share, 0);
  const unit = (width - 2 * EDGE) / total;
  let left = EDGE;
  const columns = sheet.columns.map((column) => {
    const at = left;
    left += column.share * unit;
    return { left: at, width: column.share * unit, right: column.right ?? false };
  });
  return { width, height, columns };
}

function rowOf(page: Page, frame: Frame, cells: readonly string[], bold: boolean): Row {
  letters(page, SIZE, bold);
  const broken = frame.columns.map(({ width }, index) => wrapped(page, cells[index] ?? '', width - 2 * PAD));
  return { cells: broken, bold, height: Math.max(...broken.map((lines) => lines.length)) * LINE + 2 * PAD };
}

/** Height of the parties, whose longest tells. */
function partiesHeight({ parties = [] }: Sheet): number {
  return parties.length === 0 ? 0 : (Math.max(...parties.map(({ lines }) => lines.length)) + 1) * LINE + 10;
}

/** Height of the title, the number, the head fields and the parties, which every page repeats. */
function headHeight(sheet: Sheet): number {
  return 46 + Math.ceil(sheet.head.length / 3) * 15 + 8 + partiesHeight(sheet);
}

function drawParties(page: Page, { parties = [] }: Sheet, frame: Frame, from: number): void {
  const share = (frame.width - 2 * EDGE) / Math.max(1, parties.length);
  for (const [index, { title, lines }] of parties.entries()) {
    for (const [at, line] of [title, ...lines].entries()) {
      letters(page, SIZE, at === 0);
      page.fillText(fitted(page, line, share - 10), EDGE + index * share, from + (at + 1) * LINE);
    }
  }
}

const titled = (sheet: Sheet, title: string): string => (sheet.english ? `${title}: ` : `${title}：`);

/** A picture of points at 72 to the inch or smaller, never wider or higher than its place. */
function drawLogo(page: Page, bytes: Buffer): void {
  const picture = new Image();
  // Bytes are decoded at once; only addresses come later.
  picture.src = bytes;
  const scale = Math.min(1, LOGO.width / picture.width, LOGO.height / picture.height);
  // A page is what draws everywhere else too; the package types it by the browser's words, which are not known here.
  (page as SKRSContext2D).drawImage(picture, EDGE, EDGE, picture.width * scale, picture.height * scale);
}

function drawHead(page: Page, sheet: Sheet, frame: Frame): number {
  page.fillStyle = '#000';
  letters(page, 9);
  page.fillText(sheet.company, EDGE, EDGE + (sheet.logo ? LOGO.height + 12 : 8));
  if (sheet.logo) drawLogo(page, sheet.logo);
  letters(page, 17, true);
  page.fillText(sheet.title, (frame.width - page.measureText(sheet.title).width) / 2, EDGE + 24);
  // The bars end where the table does; the white beside them lies in the margin.
  const code = mm(60);
  const left = frame.width - EDGE - code + QUIET * barWidth(sheet.number, code);
  drawCode128(page, sheet.number, { left, top: EDGE, width: code, height: 20 });
  letters(page, 8);
  page.fillText(sheet.number, frame.width - EDGE - page.measureText(sheet.number).width, EDGE + 31);
  const third = (frame.width - 2 * EDGE) / 3;
  for (const [index, { title, value }] of sheet.head.entries()) {
    const left = EDGE + (index % 3) * third;
    const top = EDGE + 54 + Math.floor(index / 3) * 15;
    letters(page, SIZE, true);
    const word = titled(sheet, title);
    page.fillText(word, left, top);
    const label = page.measureText(word).width;
    letters(page, SIZE);
    page.fillText(fitted(page, value, third - label - 6), left + label, top);
  }
  drawParties(page, sheet, frame, EDGE + headHeight(sheet) - partiesHeight(sheet) - 6);
  return EDGE + headHeight(sheet);
}

function drawRow(page: Page, frame: Frame, row: Row, top: number, shaded: boolean): void {
  const right = frame.width - EDGE;
  if (shaded) {
    page.fillStyle = SHADE;
    page.fillRect(EDGE, top, right - EDGE, row.height);
  }
  page.fillStyle = '#000';
  letters(page, SIZE, row.bold);
  for (const [index, column] of frame.columns.entries()) {
    for (const [number, line] of (row.cells[index] ?? []).entries()) {
      const shift = column.right ? column.width - 2 * PAD - page.measureText(line).width : 0;
      page.fillText(line, column.left + PAD + shift, top + PAD + SIZE + number * LINE);
    }
  }
  page.strokeStyle = RULE;
  page.lineWidth = 0.5;
  for (const column of frame.columns) page.strokeRect(column.left, top, column.width, row.height);
}

/** Height of notes and signatures, which stay together behind the last row. */
function endHeight(sheet: Sheet, notes: readonly string[]): number {
  return (notes.length > 0 ? notes.length * LINE + 14 : 0) + (sheet.signatures?.length ? 44 : 0);
}

function drawEnd(page: Page, sheet: Sheet, frame: Frame, notes: readonly string[], from: number): void {
  let top = from;
  letters(page, SIZE);
  if (notes.length > 0) {
    top += 14;
    for (const line of notes) {
      page.fillText(line, EDGE, top);
      top += LINE;
    }
  }
  const signatures = sheet.signatures ?? [];
  const share = (frame.width - 2 * EDGE) / Math.max(1, signatures.length);
  for (const [index, name] of signatures.entries()) {
    const left = EDGE + index * share;
    const word = titled(sheet, name);
    page.fillText(word, left, top + 32);
    const from = left + page.measureText(word).width;
    page.fillRect(from, top + 34, Math.max(0, left + share - 14 - from), 0.5);
  }
}

/** Deals rows out to pages; notes and signatures go with at least the last row. */
function leavesOf(sheet: Sheet, frame: Frame, rows: Row[], titles: Row, end: number): Leaf[] {
  const room = frame.height - EDGE - headHeight(sheet) - titles.height - FOOT;
  const leaves: Leaf[] = [{ rows: [], last: false }];
  let used = 0;
  for (const [index, row] of rows.entries()) {
    const need = row.height + (index === rows.length - 1 ? end : 0);
    if (used > 0 && used + need > room) {
      leaves.push({ rows: [], last: false });
      used = 0;
    }
    leaves.at(-1)?.rows.push(row);
    used += row.height;
  }
  const last = leaves.at(-1);
  if (last) last.last = true;
  return leaves;
}

/**
 * A document as an A4 PDF: head and column titles on every page, long text wrapped within its cell, pages counted, notes
 * and signatures never alone on the last page.
 */
export function sheetPdf(sheet: Sheet): Buffer {
  const pdf = newPdf(`${sheet.title} ${sheet.number}`);
  const frame = frameOf(sheet);
  let leaves: Leaf[] | undefined;
  let notes: string[] = [];
  let titles: Row | undefined;
  for (let index = 0; index < (leaves?.length ?? 1); index += 1) {
    const page = pdf.beginPage(frame.width, frame.height);
    if (!leaves || !titles) {
      // Only a page can measure letters, so the first one tells how many there will be.
      titles = rowOf(
        page,
        frame,
        sheet.columns.map((column) => column.title),
        true,
      );
      const rows = sheet.rows.map((cells) => rowOf(page, frame, cells, false));
      if (sheet.totals) rows.push(rowOf(page, frame, sheet.totals, true));
      letters(page, SIZE);
      notes = (sheet.notes ?? []).flatMap((text) => wrapped(page, text, frame.width - 2 * EDGE));
      leaves = leavesOf(sheet, frame, rows, titles, endHeight(sheet, notes));
    }
    const leaf = leaves[index];
    let top = drawHead(page, sheet, frame);
    drawRow(page, frame, titles, top, true);
    top += titles.height;
    for (const row of leaf?.rows ?? []) {
      drawRow(page, frame, row, top, false);
      top += row.height;
    }
    if (leaf?.last) drawEnd(page, sheet, frame, notes, top);
    letters(page, 7.5);
    const usual = sheet.english ? 'Page {n} of {all}' : '第 {n} 页 / 共 {all} 页';
    const foot =
      sheet.foot?.(index + 1, leaves.length) ??
      usual.replace('{n}', String(index + 1)).replace('{all}', String(leaves.length));
    page.fillText(foot, (frame.width - page.measureText(foot).width) / 2, frame.height - mm(7));
    pdf.endPage();
  }
  return pdf.close();
}
