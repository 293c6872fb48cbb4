import { capitalYuan } from '#kit/contract/capital.ts';
import { formatExactMoney, formatInteger, formatPercent } from '#kit/contract/format.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { type PrintColumn, type SheetField, sheetPdf } from '#kit/server/pdf/sheet.ts';
import { InvoiceType, PRICE } from '../../contract/fields.ts';
import type { OrderHead, OrderLineRow } from '../../contract/order.ts';
import { partiesOf } from '../clause/fill.ts';
import { orderDetail } from './detail.ts';
import { requireOversea } from './oversea.ts';

export type Paper = 'contract' | 'sheet';

const COLUMNS: Record<Paper, readonly PrintColumn[]> = {
  contract: [
    { title: '#', share: 26, right: true },
    { title: '品名及型号', share: 220 },
    { title: '数量', share: 60, right: true },
    { title: '含税单价', share: 80, right: true },
    { title: '税率', share: 50, right: true },
    { title: '金额', share: 90, right: true },
    { title: '交货日期', share: 76 },
    { title: '备注', share: 90 },
  ],
  sheet: [
    { title: '#', share: 26, right: true },
    { title: '商品', share: 240 },
    { title: '订购', share: 60, right: true },
    { title: '待到货', share: 60, right: true },
    { title: '实收', share: 80 },
    { title: '次品', share: 80 },
    { title: '备注', share: 110 },
  ],
};

const named = (line: OrderLineRow) => `${line.product.code}${line.gift ? '（赠品）' : ''}\n${line.product.name}`;

function contractRow(line: OrderLineRow, order: OrderHead): string[] {
  const price = line.gift ? '赠送' : formatExactMoney(line.unitPrice ?? '0', order.currency);
  return [
    String(line.lineNo),
    named(line),
    formatInteger(line.qty),
    price,
    formatPercent(line.taxRate, 0),
    formatExactMoney(line.amount ?? '0', order.currency),
    line.expectedOn ?? order.expectedOn ?? '',
    line.remark,
  ];
}

const sheetRow = (line: OrderLineRow): string[] => [
  String(line.lineNo),
  named(line),
  formatInteger(line.qty),
  formatInteger(line.openQty),
  '',
  '',
  line.remark,
];

/** 一 to 九十九, as contracts count their clauses. */
function counted(n: number): string {
  const digits = '零一二三四五六七八九';
  const tens = Math.floor(n / 10);
  const head = tens === 0 ? '' : `${tens === 1 ? '' : digits[tens]}十`;
  return `${head}${n % 10 === 0 ? '' : digits[n % 10]}`;
}

/** What both sides agree on: the order's own clauses, else what any order says. */
function clausesOf(order: OrderHead): string[] {
  const own = order.clauses.filled.map((text, index) => `${counted(index + 1)}、${text}`);
  const remark = order.remark ? [`备注：${order.remark}`] : [];
  return [...(own.length > 0 ? own : usualClauses(order)), ...remark];
}

/** What orders agree on that have no clauses of their own, as far as the order says it. */
function usualClauses(order: OrderHead): string[] {
  const total = order.amount ?? '0';
  const words = order.currency === 'CNY' ? `（大写：${capitalYuan(total)}）` : '';
  const invoice = InvoiceType.meta()?.states?.[order.invoiceType]?.title ?? '';
  return [
    `一、合同总额（含税）：${formatExactMoney(total, order.currency)}${words}，其中运费及其他费用、优惠已计入。`,
    `二、付款方式：${order.termsText}。`,
    `三、发票：${invoice}。`,
    `四、交货地点：${order.warehouse}。交货日期以明细为准，分批交货的数量累计计算。`,
    '五、质量：按封样或双方确认的规格验收；不合格品由乙方退换，相应货款从应付款中扣除。',
    '六、本合同一式两份，双方签章后生效；变更须经双方书面确认。',
  ];
}

function headOf(
  ctx: Ctx,
  paper: Paper,
  order: OrderHead,
  parties: { company: string; supplier: string },
): SheetField[] {
  if (paper === 'sheet') {
    return [
      { title: '供应商', value: order.supplier },
      { title: '入库仓', value: order.warehouse },
      { title: '采购员', value: order.createdByName },
      { title: '要求到货', value: order.expectedOn ?? '—' },
      { title: '打印日期', value: ctx.clock.today() },
    ];
  }
  return [
    { title: '甲方（采购方）', value: parties.company },
    { title: '乙方（供应方）', value: parties.supplier },
    { title: '签订日期', value: ctx.clock.dayOf(new Date(order.placedAt ?? order.createdAt)) },
    { title: '版本', value: String(order.revision + 1) },
    { title: '币种', value: order.currency },
    ...(order.incoterm ? [{ title: '贸易术语', value: `${order.incoterm}（Incoterms 2020）` }] : []),
    { title: '采购员', value: order.createdByName },
  ];
}

/**
 * An order on paper, A4: the contract with parties, lines, the amount in words and terms; or the sheet that a keeper writes
 * on when the goods come, without prices. @throws notFound, refused B1012 a contract of what nobody has approved, B1003
 * one with terms that the caller may not see
 */
export async function printOrder(ctx: Ctx, id: string, paper: Paper): Promise<FileReply> {
  const { order, lines } = await orderDetail(ctx, id);
  const contract = paper === 'contract';
  if (contract && !['approved', 'ordered', 'closed'].includes(order.state)) {
    throw refused('审核通过后才能打印合同', 'B1012');
  }
  // A contract without prices is none.
  if (contract && !can(ctx, PRICE)) throw forbidden(PRICE);
  // Nor is one without the terms of delivery.
  if (contract && order.incoterm) requireOversea(ctx);
  const parties = await partiesOf(ctx, order.supplierId);
  const pieces = formatInteger(lines.reduce((total, line) => total + line.qty, 0));
  const title = contract ? '采购合同' : '采购到货单';
  const pdf = sheetPdf({
    title,
    company: parties.company,
    number: order.number,
    head: headOf(ctx, paper, order, parties),
    columns: COLUMNS[paper],
    rows: lines.map((line) => (contract ? contractRow(line, order) : sheetRow(line))),
    totals: contract
      ? ['', '合计', pieces, '', '', formatExactMoney(order.goodsAmount ?? '0', order.currency), '', '']
      : ['', '合计', pieces, '', '', '', ''],
    notes: contract ? clausesOf(order) : order.remark ? [`备注：${order.remark}`] : [],
    signatures: contract ? ['甲方（签章）', '乙方（签章）', '日期'] : ['收货', '质检', '审核'],
  });
  return new FileReply(`${title}-${order.number}.pdf`, 'application/pdf', pdf, true);
}
