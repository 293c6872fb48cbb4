import { plainDecimal, round, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import type { invoiceDetail } from '../../contract/invoices.ts';
import { total } from '../rules/amounts.ts';
import type { Treatment } from '../rules/treat.ts';
import { openBuyer } from './buyer.ts';
import { creditedOf } from './credit.ts';
import { readyOf, settingsOf } from './generate.ts';
import { invoiceRow } from './list.ts';
import { notesOf } from './pdf.ts';
import { type Invoice, invoiceOf, type Line, linesOf } from './row.ts';
import { readPdf } from './store.ts';
import type { Language } from './words.ts';

type Detail = Reply<typeof invoiceDetail>;

async function rowOf(ctx: Ctx, id: string): Promise<Invoice> {
  const row = await invoiceOf(ctx, id);
  if (!row) throw notFound('发票不存在或已删除');
  return row;
}

function shownLine(line: Line, currency: string, left: string | null): Detail['lines'][number] {
  return {
    id: String(line.line_no),
    lineNo: line.line_no,
    kind: line.kind as Detail['lines'][number]['kind'],
    sku: line.sku,
    title: line.title,
    quantity: line.quantity,
    net: line.net && round(line.net, 2),
    rate: line.rate === null ? null : plainDecimal(line.rate),
    tax: line.tax && round(line.tax, 2),
    gross: round(line.gross, 2),
    currency,
    left,
  };
}

async function leftOf(ctx: Ctx, row: Invoice): Promise<(line: Line) => string | null> {
  if (row.type !== 'INVOICE' || row.number === null) return () => null;
  const before = await creditedOf(ctx, row.id);
  return (line) => round(sum([line.gross, before.get(`${line.item_id} ${line.kind}`)?.gross ?? '0']), 2);
}

async function creditsOf(ctx: Ctx, id: string): Promise<Detail['credits']> {
  const rows = await ctx.db
    .selectFrom('vat.invoice')
    .select(['id', 'number', 'state', 'gross'])
    .where('company_id', '=', ctx.companyId)
    .where('original_id', '=', id)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, gross: round(row.gross, 2) })) as Detail['credits'];
}

interface Shown {
  lines: readonly Line[];
  seller: Detail['seller'];
  notes: string[];
  totals?: { net: string; tax: string };
  problem?: string;
}

async function entityName(ctx: Ctx, id: string | null): Promise<string> {
  if (id === null) return '';
  const row = await ctx.db
    .selectFrom('vat.entity')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.name ?? '';
}

const citationOf = (row: Invoice, language: string): string =>
  (row.citations as unknown as Record<string, string>)[language] ?? '';

/** What is issued as it is; what waits as it would be issued now, with what stands in its way. */
async function shown(ctx: Ctx, row: Invoice): Promise<Shown> {
  if (row.number !== null) {
    const language = (row.language ?? 'en') as Language;
    return {
      lines: await linesOf(ctx, row.id),
      seller: { name: await entityName(ctx, row.entity_id), vatNumber: row.seller_vat },
      notes: notesOf({
        treatment: row.treatment as Treatment,
        taxCountry: row.tax_country ?? '',
        citation: citationOf(row, language),
        language,
      }),
    };
  }
  const ready = await readyOf(ctx, await settingsOf(ctx), row, false);
  if ('problem' in ready) return { lines: await linesOf(ctx, row.id), seller: null, notes: [], problem: ready.problem };
  const { planned, profile } = ready;
  return {
    lines: planned.lines,
    seller: { name: profile.name, vatNumber: planned.sellerVat },
    notes: notesOf({ ...planned, citation: citationOf(row, planned.language) }),
    totals: total(planned.lines),
  };
}

/** One document with its lines, its buyer and its credit notes. @throws 404 */
export async function invoiceDetailOf(ctx: Ctx, id: string): Promise<Detail> {
  const listed = await invoiceRow(ctx, id);
  if (!listed) throw notFound('发票不存在或已删除');
  const row = await rowOf(ctx, id);
  const { lines, seller, notes, totals, problem } = await shown(ctx, row);
  const left = await leftOf(ctx, row);
  return {
    invoice: { ...listed, ...totals, ...(problem === undefined ? {} : { problem }) },
    lines: lines.map((line) => shownLine(line, row.currency, left(line))),
    buyer: openBuyer(ctx, row.buyer),
    seller,
    notes,
    credits: await creditsOf(ctx, id),
  };
}

/** The stored document. @throws 404; refused B1463 for what has none */
export async function pdfOf(ctx: Ctx, id: string): Promise<FileReply> {
  const row = await rowOf(ctx, id);
  if (row.file_id === null) throw refused('发票尚未生成', 'B1463');
  return new FileReply(
    `${row.number?.replace(/[\\/]/g, '-')}.pdf`,
    'application/pdf',
    await readPdf(ctx, row.file_id),
    true,
  );
}
