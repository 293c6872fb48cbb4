import { capitalYuan } from '#kit/contract/capital.ts';
import { formatExactMoney } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { type PrintColumn, sheetPdf } from '#kit/server/pdf/sheet.ts';
import { ExpenseKind, expenseDocument, Scope } from '../contract/document.ts';
import { detailOf } from './detail.ts';

const COLUMNS: readonly PrintColumn[] = [
  { title: '#', share: 26, right: true },
  { title: '费用类型', share: 160 },
  { title: '金额', share: 110, right: true },
  { title: '其中税额', share: 100, right: true },
  { title: '备注', share: 240 },
];

/** An expense on paper, A4, to be signed and kept with its receipts. @throws notFound */
export async function printExpense(ctx: Ctx, id: string): Promise<FileReply> {
  const { document, lines, shares, schedule } = await detailOf(ctx, id);
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const { currency, amount, months, number } = document;
  const money = (value: string) => formatExactMoney(value, currency);
  const words = currency === 'CNY' ? `（大写：${capitalYuan(amount)}）` : '';
  const bearers = shares.map(
    (share) =>
      `${share.department || [share.store?.name, share.store?.country, share.sku].filter(Boolean).join(' ')} ${money(share.amount)}`,
  );
  const first = schedule[0];
  const pdf = sheetPdf({
    title: ExpenseKind.meta()?.states?.[document.kind]?.title === '报销' ? '费用报销单' : '费用单',
    company: company?.name ?? '',
    number,
    head: [
      { title: '申请人', value: document.createdByName },
      { title: '部门', value: document.department || '—' },
      { title: '状态', value: expenseDocument.states[document.state].title },
      { title: '收款方', value: document.payee },
      { title: '费用日期', value: document.spentOn },
      { title: '归属', value: Scope.meta()?.states?.[document.scope]?.title ?? document.scope },
      { title: '请款单', value: document.request || '—' },
      { title: '审核人', value: document.approvedByName || '—' },
      { title: '打印日期', value: ctx.clock.today() },
    ],
    columns: COLUMNS,
    rows: lines.map((line) => [
      String(line.lineNo),
      line.feeType,
      money(line.amount),
      line.tax === null ? '' : money(line.tax),
      line.remark,
    ]),
    totals: ['', '合计', money(amount), '', ''],
    notes: [
      `合计金额：${money(amount)}${words}。`,
      ...(bearers.length > 0 ? [`归属：${bearers.slice(0, 20).join('；')}${bearers.length > 20 ? ' 等' : ''}。`] : []),
      ...(months > 1 && first ? [`自 ${first.month} 起分 ${months} 个月摊销，首月 ${money(first.amount)}。`] : []),
      ...(document.remark ? [`备注：${document.remark}`] : []),
    ],
    signatures: ['申请', '审核', '财务', '出纳'],
  });
  return new FileReply(`费用单-${number}.pdf`, 'application/pdf', pdf, true);
}
