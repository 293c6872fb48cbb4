import { formatExactMoney, formatInteger } from '#kit/contract/format.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { type PrintColumn, sheetPdf } from '#kit/server/pdf/sheet.ts';
import { PRICE } from '../../contract/fields.ts';
import { ProcessKind } from '../../contract/process.ts';
import { processDetail } from './detail.ts';

const COLUMNS: readonly PrintColumn[] = [
  { title: '#', share: 26, right: true },
  { title: '子件', share: 280 },
  { title: '需用', share: 70, right: true },
  { title: '实发', share: 80 },
  { title: '退回', share: 80 },
  { title: '备注', share: 110 },
];

/**
 * A process order on paper, A4: what is to be made and the parts for it; out of house with the processor and, for those who
 * may see prices, the fee in CNY. @throws notFound
 */
export async function printProcess(ctx: Ctx, id: string): Promise<FileReply> {
  const { order, parts } = await processDetail(ctx, id);
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const outside = order.supplier !== null;
  const title = outside ? '委外加工单' : '加工配料单';
  const fee =
    outside && can(ctx, PRICE) ? [{ title: '加工费单价', value: formatExactMoney(order.feePrice ?? '0', 'CNY') }] : [];
  const pdf = sheetPdf({
    title,
    company: company?.name ?? '',
    number: order.number,
    head: [
      { title: '主产品', value: `${order.product.code} ${order.product.name}` },
      { title: '加工数', value: formatInteger(order.qty) },
      { title: '加工方式', value: ProcessKind.meta()?.states?.[order.kind]?.title ?? order.kind },
      ...(outside ? [{ title: '加工商', value: order.supplier ?? '' }] : []),
      { title: '发料仓', value: order.warehouse },
      { title: '计划完工', value: order.plannedOn ?? '—' },
      { title: '打印日期', value: ctx.clock.today() },
      ...fee,
    ],
    columns: COLUMNS,
    rows: parts.map((part, index) => [
      String(index + 1),
      `${part.product.code}\n${part.product.name}`,
      formatInteger(part.qty),
      '',
      '',
      '',
    ]),
    totals: ['', '合计', formatInteger(parts.reduce((total, part) => total + part.qty, 0)), '', '', ''],
    notes: order.remark ? [`备注：${order.remark}`] : [],
    signatures: outside ? ['发料', '加工商', '验收'] : ['发料', '领料', '验收'],
  });
  return new FileReply(`${title}-${order.number}.pdf`, 'application/pdf', pdf, true);
}
