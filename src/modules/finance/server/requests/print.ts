import { capitalYuan } from '#kit/contract/capital.ts';
import { formatExactMoney } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { type PrintColumn, sheetPdf } from '#kit/server/pdf/sheet.ts';
import { Method } from '../../contract/accounts.ts';
import { paymentRequest, RequestKind } from '../../contract/requests.ts';
import { detailOf } from './detail.ts';

const COLUMNS: readonly PrintColumn[] = [
  { title: '#', share: 26, right: true },
  { title: '费用项目', share: 220 },
  { title: '对应应付或收支项', share: 170 },
  { title: '申请金额', share: 100, right: true },
  { title: '备注', share: 130 },
];

const titleOf = (choice: typeof RequestKind | typeof Method, value: string) =>
  choice.meta()?.states?.[value]?.title ?? value;

type Detail = Awaited<ReturnType<typeof detailOf>>;

/** Amount in words where it is yuan, where to pay, and what was paid until now. */
function notesOf({ document, payments, payTo }: Detail): string[] {
  const { amount, currency } = document;
  const money = (value: string, unit = currency) => formatExactMoney(value, unit);
  const words = currency === 'CNY' ? `（大写：${capitalYuan(amount)}）` : '';
  return [
    `合计金额：${money(amount)}${words}，已付 ${money(document.paid)}，待付 ${money(document.open)}。`,
    ...(payTo ? [`收款账户：${payTo.bankName}，${payTo.accountName}，${payTo.account}。`] : []),
    ...payments
      .filter((payment) => !payment.reversed)
      .map((payment) => `${payment.day} 由 ${payment.account} 付款 ${money(payment.amount)}，付款人 ${payment.by}。`),
    ...(document.remark ? [`备注：${document.remark}`] : []),
  ];
}

/** A payment request on paper, A4, to be signed; where a supplier is paid stands on it for those who may pay. @throws notFound */
export async function printRequest(ctx: Ctx, id: string): Promise<FileReply> {
  const detail = await detailOf(ctx, id);
  const { document, lines } = detail;
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const pdf = sheetPdf({
    title: '付款申请单',
    company: company?.name ?? '',
    number: document.number,
    head: [
      { title: '收款方', value: document.payee },
      { title: '类型', value: titleOf(RequestKind, document.kind) },
      { title: '状态', value: paymentRequest.states[document.state].title },
      { title: '关联单号', value: document.subject || '—' },
      { title: '付款方式', value: titleOf(Method, document.method) },
      { title: '预计付款日', value: document.dueOn ?? '—' },
      { title: '申请人', value: document.createdByName },
      { title: '审核人', value: document.approvedByName || '—' },
      { title: '打印日期', value: ctx.clock.today() },
    ],
    columns: COLUMNS,
    rows: lines.map((line) => [
      String(line.lineNo),
      line.title,
      line.payable ?? line.category ?? '',
      formatExactMoney(line.amount, document.currency),
      line.remark,
    ]),
    totals: ['', '合计', '', formatExactMoney(document.amount, document.currency), ''],
    notes: notesOf(detail),
    signatures: ['申请', '审核', '财务', '出纳'],
  });
  return new FileReply(`付款申请单-${document.number}.pdf`, 'application/pdf', pdf, true);
}
