import { columnsOf } from '#kit/contract/columns.ts';
import { formatExactMoney } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply, type OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { sheetPdf } from '#kit/server/pdf/sheet.ts';
import { AMOUNTS, LINES, STATEMENTS, type StatementAsked, type StatementLine } from '../../contract/statements.ts';
import { statementOf } from './read.ts';

/** The number of the form in the standard. */
const FORMS = { balance: '01', income: '02', cash: '03' } as const;

const indented = ({ indent, title }: StatementLine) => `${'　'.repeat(indent)}${title}`;

/** A statement as a file, one line after the other. @throws as statementOf() */
export function exportFile(open: OpenCtx, asked: StatementAsked): Promise<FileReply> {
  return download(open, async (ctx) => {
    const { lines } = await statementOf(ctx, asked);
    const title = STATEMENTS[asked.statement];
    return {
      name: `${title}-${asked.month}`,
      sheet: title,
      format: 'xlsx',
      columns: columnsOf(LINES[asked.statement]).filter(({ hidden }) => !hidden),
      rows: (async function* () {
        for (const line of lines) yield { ...line, title: indented(line) };
      })(),
      audit: { action: '导出财务报表', resource: 'accounting.statement', filter: asked },
    };
  });
}

/** A statement on A4, to be signed and filed. @throws as statementOf() */
export async function printFile(ctx: Ctx, asked: StatementAsked): Promise<FileReply> {
  const { lines } = await statementOf(ctx, asked);
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const { statement, month } = asked;
  const title = STATEMENTS[statement];
  const money = (amount: string | null) => (amount === null ? '' : formatExactMoney(amount, 'CNY'));
  const pdf = sheetPdf({
    title,
    company: company?.name ?? '',
    // Bars hold no Chinese: the form of the standard (会小企) and the month.
    number: `${FORMS[statement]}-${month.replace('-', '')}`,
    head: [
      { title: '会计期间', value: month },
      { title: '表号', value: `会小企 ${FORMS[statement]} 表` },
      { title: '打印日期', value: ctx.clock.today() },
    ],
    columns: [
      { title: '项目', share: 320 },
      { title: '行次', share: 50, right: true },
      ...AMOUNTS[statement].map((each) => ({ title: each, share: 130, right: true })),
    ],
    rows: lines.map((line) => [indented(line), line.no, money(line.first), money(line.second)]),
    signatures: ['单位负责人', '会计机构负责人', '制表人'],
  });
  return new FileReply(`${title}-${month}.pdf`, 'application/pdf', pdf, true);
}
