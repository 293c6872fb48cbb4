import { formatInteger } from '#kit/contract/format.ts';
import type { Ctx } from '#kit/server/context.ts';
import { FileReply } from '#kit/server/http/serve.ts';
import { type PrintColumn, sheetPdf } from '#kit/server/pdf/sheet.ts';
import { exchangeDetail } from './detail.ts';

const COLUMNS: readonly PrintColumn[] = [
  { title: '#', share: 26, right: true },
  { title: '商品', share: 260 },
  { title: '换货数量', share: 70, right: true },
  { title: '已换入', share: 70, right: true },
  { title: '实收', share: 80 },
  { title: '备注', share: 150 },
];

/** An exchange on A4, without prices: it goes along with the bad pieces, and the keeper counts the good ones on it. @throws notFound */
export async function printExchange(ctx: Ctx, id: string): Promise<FileReply> {
  const { exchange, lines } = await exchangeDetail(ctx, id);
  const company = await ctx.db
    .selectFrom('identity.company')
    .select('name')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  const pdf = sheetPdf({
    title: '采购换货单',
    company: company?.name ?? '',
    number: exchange.number,
    head: [
      { title: '采购单', value: exchange.order },
      { title: '供应商', value: exchange.supplier },
      { title: '换出仓', value: exchange.takesStock ? exchange.warehouse : '不锁库存' },
      { title: '换入仓', value: exchange.target },
      { title: '运单号', value: exchange.trackingNo || '—' },
      { title: '打印日期', value: ctx.clock.today() },
    ],
    columns: COLUMNS,
    rows: lines.map((line, index) => [
      String(index + 1),
      `${line.product.code}\n${line.product.name}`,
      formatInteger(line.qty),
      formatInteger(line.received),
      '',
      '',
    ]),
    totals: ['', '合计', formatInteger(exchange.qty), formatInteger(exchange.receivedQty), '', ''],
    notes: [`原因：${exchange.reason}`],
    signatures: ['经办', '供应商', '收货'],
  });
  return new FileReply(`采购换货单-${exchange.number}.pdf`, 'application/pdf', pdf, true);
}
