import type { Ctx } from '#kit/server/context.ts';
import { writeWorkbook } from '#kit/server/excel/workbook.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { MEDIA_TYPES } from '#kit/server/list/export.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import { zip } from '#kit/server/zip.ts';
import type { PaperKind } from '../../contract/papers/papers.ts';
import { elements, invoice, type Paper, packingList } from './papers.ts';
import { type PaperFacts, paperFacts } from './read.ts';

const MAKERS = { invoice, packing: packingList, elements };

const NUMBER = /^\d{1,15}(\.\d+)?$/;

/** Numbers of columns that are numbers; everything else, codes with leading zeros above all, stays text. */
function workbookOf(paper: Paper): Promise<Buffer> {
  const cells = (row: readonly string[]) =>
    row.map((text, index) => (paper.columns[index]?.right && NUMBER.test(text) ? Number(text) : text));
  const head = paper.head.map(({ title, value }) => [title, value]);
  const rows = [
    [paper.title],
    ...head,
    [],
    paper.columns.map((column) => column.title),
    ...paper.rows.map(cells),
    cells(paper.totals),
    [],
    ...paper.notes.map((text) => [text]),
  ];
  return writeWorkbook([{ title: paper.name, rows }]);
}

function pdfOf(facts: PaperFacts, paper: Paper): Buffer {
  const { title, english, head, columns, rows, totals, notes } = paper;
  const signatures = english ? ['Signed by', 'Date'] : ['制单', '复核'];
  return sheetPdf({
    title,
    company: facts.company,
    number: facts.order.number,
    head,
    columns,
    rows,
    totals,
    notes,
    signatures,
    english,
    landscape: true,
  });
}

/** A paper of an order as a file, or all of them in both formats as a ZIP. @throws notFound */
export async function paperFile(ctx: Ctx, id: string, kind: PaperKind, format: 'xlsx' | 'pdf'): Promise<FileReply> {
  const facts = await paperFacts(ctx, id);
  const { number } = facts.order;
  if (kind !== 'all') {
    const paper = MAKERS[kind](facts);
    const bytes = format === 'pdf' ? pdfOf(facts, paper) : await workbookOf(paper);
    const media = format === 'pdf' ? 'application/pdf' : MEDIA_TYPES.xlsx;
    return new FileReply(`${paper.name}-${number}.${format}`, media, bytes);
  }
  const files = [];
  for (const make of Object.values(MAKERS)) {
    const paper = make(facts);
    files.push({ name: `${paper.name}-${number}.pdf`, data: pdfOf(facts, paper) });
    files.push({ name: `${paper.name}-${number}.xlsx`, data: await workbookOf(paper) });
  }
  return new FileReply(`报关资料-${number}.zip`, 'application/zip', zip(files, ctx.runtime.clock.now()));
}
