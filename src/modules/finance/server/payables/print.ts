import { formatExactMoney } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { printLines } from '#kit/server/pdf/lines.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import { type Statement, StatementLine } from '../../contract/payables.ts';
import { supplierSettlement } from '../../contract/settlements.ts';
import { settlementDetail } from '../settlements/read.ts';
import { statementOf } from './dealings.ts';

const KEYS = ['day', 'title', 'number', 'debit', 'credit', 'balance'] as const;
const SIGN = '余额为负数是我方欠款，为正数是对方欠款或预付。';

interface Sheet extends Pick<Statement, 'party' | 'from' | 'to' | 'currency' | 'lines'> {
  title: string;
  number: string;
  /** After the party and the period. */
  facts: { title: string; value: string }[];
  figures: Pick<Statement, 'opening' | 'debit' | 'credit' | 'closing'>;
  notes: string[];
}

/** Every change of a period between its two balances, on A4, to be agreed to by both sides. */
async function sheet(ctx: Ctx, { title, number, facts, figures, notes, ...of }: Sheet): Promise<FileReply> {
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const money = (amount: string) => formatExactMoney(amount, of.currency);
  const { columns, rows } = printLines(StatementLine, KEYS, of.lines);
  const opening = ['', of.from, '期初余额', '', '', '', money(figures.opening)];
  const pdf = sheetPdf({
    title,
    company: company?.name ?? '',
    number,
    head: [
      { title: '往来单位', value: of.party },
      { title: '账期', value: `${of.from} 至 ${of.to}` },
      { title: '币种', value: of.currency },
      ...facts,
      { title: '打印日期', value: ctx.clock.today() },
    ],
    columns,
    rows: [opening, ...rows],
    totals: ['', '期末余额', '', '', money(figures.debit), money(figures.credit), money(figures.closing)],
    notes: [...notes, SIGN],
    signatures: ['我方经办', '我方财务', '对方确认（盖章）'],
  });
  return new FileReply(`${title}-${of.party}-${number}.pdf`, 'application/pdf', pdf, true);
}

/** The statement of a party for a period, as a PDF. @throws notFound */
export async function printStatement(
  ctx: Ctx,
  input: { partyId: string; currency: string; from: string; to: string },
): Promise<FileReply> {
  const found = await statementOf(ctx, input);
  // A statement has no number of its own; bars hold neither names nor Chinese.
  const number = `DZ-${found.from.replaceAll('-', '')}-${found.to.replaceAll('-', '')}`;
  return sheet(ctx, { ...found, title: '往来对账单', number, facts: [], figures: found, notes: [] });
}

/** A settlement with a supplier as a PDF: our figures, his, and what lies between them. @throws notFound */
export async function printSettlement(ctx: Ctx, id: string): Promise<FileReply> {
  const { document, lines } = await settlementDetail(ctx, id);
  const { currency, stated, difference, reason } = document;
  const money = (amount: string | null) => (amount === null ? '—' : formatExactMoney(amount, currency));
  return sheet(ctx, {
    title: supplierSettlement.title,
    number: document.number,
    party: document.supplier,
    from: document.from,
    to: document.to,
    currency,
    lines,
    facts: [
      { title: '状态', value: supplierSettlement.states[document.state].title },
      { title: '对方账单', value: money(stated) },
      { title: '差异', value: money(difference) },
      { title: '请款单', value: document.requestNumber ?? '—' },
    ],
    figures: {
      opening: document.opening ?? '0',
      debit: document.paid ?? '0',
      credit: document.raised ?? '0',
      closing: document.closing ?? '0',
    },
    notes: reason ? [`差异原因：${reason}`] : [],
  });
}
