import { barWidth, drawCode128, drawQr, type Symbol2d } from './codes.ts';
import { fitted, letters, mm, newPdf, type Page, wrapped } from './paper.ts';

export interface Label {
  /** What a scanner reads. Code 128 takes ASCII only. */
  content: string;
  title: string;
  lines: readonly string[];
  /** What stands in the list of a mark; what does not fit is counted. */
  items?: readonly string[];
  /** A code for machines at the foot of a mark; on a page of its own where it leaves too little of the label. */
  symbol?: { caption: string; code: Symbol2d };
}

export interface LabelPaper {
  /** Millimetres. */
  width: number;
  height: number;
  /** QR on the left with the words beside it, bars above the words, or QR with its head beside and a list below. */
  code: 'qr' | 'code128' | 'mark';
}

/** The common roll of a label printer. */
export const LABEL_60X40: LabelPaper = { width: 60, height: 40, code: 'qr' };
/** The size in which the marketplace wants unit labels. */
export const LABEL_50X30: LabelPaper = { width: 50, height: 30, code: 'code128' };

/** The marks on a carton. */
export const LABEL_100X100: LabelPaper = { width: 100, height: 100, code: 'mark' };
export const LABEL_100X150: LabelPaper = { width: 100, height: 150, code: 'mark' };

// What bars can say.
const ASCII = /^[\x20-\x7e]+$/;

/** Thinner bars run into each other: a label printer of 203 dpi has dots of 0.125 mm. */
export const THINNEST_MM = 0.19;
const THINNEST = mm(THINNEST_MM);

const fitsBars = ({ content }: Label): boolean =>
  ASCII.test(content) && barWidth(content, mm(LABEL_50X30.width)) >= THINNEST;

/**
 * The size with bars, or the one with QR codes where a label's content has signs that bars cannot say, or so many that no
 * scanner would tell them apart.
 */
export function paperFor(labels: readonly Label[]): LabelPaper {
  return labels.every(fitsBars) ? LABEL_50X30 : LABEL_60X40;
}

const EDGE = mm(2.5);

function beside(page: Page, label: Label, width: number, height: number): void {
  const size = height - 2 * EDGE;
  const code = Math.min(size, width * 0.55);
  drawQr(page, label.content, { left: EDGE, top: (height - code) / 2, width: code });
  const left = EDGE + code + mm(2);
  const room = width - left - EDGE;
  letters(page, 11, true);
  page.fillText(fitted(page, label.title, room), left, (height - code) / 2 + 11);
  letters(page, 7.5);
  let top = (height - code) / 2 + 24;
  for (const text of label.lines) {
    for (const line of wrapped(page, text, room)) {
      if (top > height - EDGE) return;
      page.fillText(line, left, top);
      top += 10;
    }
  }
}

/**
 * The words of a label in at most `most` lines: the first, a name, takes what the others (lot, expiry) leave, and is cut
 * with an ellipsis where that is not enough.
 */
function shared(page: Page, lines: readonly string[], room: number, most: number): string[] {
  const [name = '', ...rest] = lines;
  const share = Math.max(1, most - rest.length);
  const broken = wrapped(page, name, room);
  const kept = broken.slice(0, share - 1);
  const last = broken.slice(share - 1).join('');
  return [...kept, fitted(page, last, room), ...rest.map((text) => fitted(page, text, room))].slice(0, most);
}

/** A label with bars above its words, in a field whose corner is where the page's origin is. */
export function below(page: Page, label: Label, width: number, height: number): void {
  const room = width - 2 * EDGE;
  // The paper itself is the white beside the bars.
  drawCode128(page, label.content, { left: 0, top: EDGE, width, height: height * 0.4 });
  let top = EDGE + height * 0.4 + 10;
  letters(page, 8.5, true);
  const title = fitted(page, label.title, room);
  page.fillText(title, (width - page.measureText(title).width) / 2, top);
  letters(page, 6.5);
  const most = Math.floor((height - EDGE / 2 - top) / 9);
  for (const text of shared(page, label.lines, room, most)) {
    top += 9;
    page.fillText(text, (width - page.measureText(text).width) / 2, top);
  }
}

/** Share of a mark that a code for machines may take. */
const SYMBOL_SHARE = 0.36;

function drawSymbol(page: Page, { caption, code }: NonNullable<Label['symbol']>, width: number, top: number): void {
  letters(page, 7);
  page.fillText(fitted(page, caption, width - 2 * EDGE), EDGE * 1.5, top);
  code.draw(page, (width - code.width) / 2, top + 6);
}

function mark(page: Page, label: Label, width: number, full: number): void {
  const edge = EDGE * 1.5;
  const { symbol } = label;
  const foot = symbol && symbol.code.height <= full * SYMBOL_SHARE ? symbol.code.height + edge + 14 : 0;
  const height = full - foot;
  if (symbol && foot > 0) drawSymbol(page, symbol, width, height + 6);
  const code = mm(38);
  drawQr(page, label.content, { left: edge, top: edge, width: code });
  const left = edge + code + mm(4);
  letters(page, 26, true);
  page.fillText(fitted(page, label.title, width - left - edge), left, edge + 24);
  letters(page, 10.5);
  let top = edge + 46;
  for (const text of label.lines.flatMap((line) => wrapped(page, line, width - left - edge))) {
    if (top > edge + code) break;
    page.fillText(text, left, top);
    top += 14;
  }
  const items = label.items ?? [];
  const first = edge + code + 18;
  const room = Math.floor((height - edge - first) / 15) + 1;
  const shown = items.length <= room ? items : items.slice(0, room - 1);
  for (const [place, text] of shown.entries()) {
    page.fillText(fitted(page, text, width - 2 * edge), edge, first + place * 15);
  }
  if (shown.length < items.length) {
    page.fillText(`另有 ${items.length - shown.length} 种，见装箱单`, edge, first + shown.length * 15);
  }
}

/** Labels as a PDF, one a page, each as often as it stands in the list. What does not fit is cut with an ellipsis. */
export function labelsPdf(labels: readonly Label[], paper: LabelPaper = LABEL_60X40): Buffer {
  const pdf = newPdf('标签');
  const [width, height] = [mm(paper.width), mm(paper.height)];
  for (const label of labels) {
    const page = pdf.beginPage(width, height);
    page.fillStyle = '#000';
    if (paper.code === 'qr') beside(page, label, width, height);
    else if (paper.code === 'mark') mark(page, label, width, height);
    else below(page, label, width, height);
    pdf.endPage();
    const { symbol } = label;
    if (paper.code !== 'mark' || !symbol || symbol.code.height <= height * SYMBOL_SHARE) continue;
    const own = pdf.beginPage(width, height);
    own.fillStyle = '#000';
    drawSymbol(own, { ...symbol, caption: `${label.title} · ${symbol.caption}` }, width, EDGE * 3);
    pdf.endPage();
  }
  return pdf.close();
}
