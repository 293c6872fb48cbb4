import { drawCode128, drawQr } from './codes.ts';
import { fitted, letters, mm, newPdf, type Page, wrapped } from './paper.ts';

export interface Label {
  /** What a scanner reads. Code 128 takes ASCII only. */
  content: string;
  title: string;
  lines: readonly string[];
}

export interface LabelPaper {
  /** Millimetres. */
  width: number;
  height: number;
  /** QR on the left with the words beside it, or bars above the words. */
  code: 'qr' | 'code128';
}

/** The common roll of a label printer. */
export const LABEL_60X40: LabelPaper = { width: 60, height: 40, code: 'qr' };
/** The size in which the marketplace wants unit labels. */
export const LABEL_50X30: LabelPaper = { width: 50, height: 30, code: 'code128' };

// What bars can say.
const ASCII = /^[\x20-\x7e]+$/;

/** The size with bars, or the one with QR codes where a label's content has signs that bars cannot say. */
export function paperFor(labels: readonly Label[]): LabelPaper {
  return labels.every((label) => ASCII.test(label.content)) ? LABEL_50X30 : LABEL_60X40;
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

function below(page: Page, label: Label, width: number, height: number): void {
  const room = width - 2 * EDGE;
  drawCode128(page, label.content, { left: EDGE * 1.5, top: EDGE, width: width - 3 * EDGE, height: height * 0.4 });
  let top = EDGE + height * 0.4 + 10;
  letters(page, 8.5, true);
  const title = fitted(page, label.title, room);
  page.fillText(title, (width - page.measureText(title).width) / 2, top);
  letters(page, 6.5);
  for (const text of label.lines) {
    top += 9;
    if (top > height - EDGE / 2) return;
    page.fillText(fitted(page, text, room), EDGE, top);
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
    else below(page, label, width, height);
    pdf.endPage();
  }
  return pdf.close();
}
