import { type SheetRow as Row, sheetTemplate } from '#kit/server/excel/template.ts';

/** Columns of a sheet of orders, with what platforms' own exports call them; those with an asterisk must be there. */
export const COLUMNS = {
  platform: { title: '平台*', also: ['销售平台', '渠道', 'platform'] },
  shop: { title: '店铺*', also: ['店铺名称', 'shop', 'store'] },
  orderNo: { title: '订单号*', also: ['订单编号', '平台订单号', 'order id', 'order no'] },
  lineNo: { title: '行号', also: ['订单行', 'line'] },
  day: { title: '下单日期*', also: ['下单时间', '订单日期', '付款时间', 'order date', 'created at'] },
  country: { title: '国家*', also: ['国家代码', '收货国家', 'country'] },
  sku: { title: '平台SKU*', also: ['sku', '商品编码', 'seller sku'] },
  qty: { title: '数量*', also: ['件数', 'quantity', 'qty'] },
  sales: { title: '销售额*', also: ['金额', '商品金额', 'amount', 'sales'] },
  shipFee: { title: '邮费', also: ['运费', 'shipping fee'] },
  commission: { title: '平台佣金', also: ['佣金', '平台费', 'commission'] },
  currency: { title: '币种*', also: ['货币', 'currency'] },
  warehouse: { title: '发货仓库', also: ['仓库', 'warehouse'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;
export type SheetRow = Row<Key>;

const SAMPLE: Cells = {
  platform: '独立站',
  shop: '店铺名称，首次出现时自动建立',
  orderNo: '平台的订单号',
  lineNo: '可不填：按同一订单在表中的次序',
  day: '2026-01-31',
  country: 'US',
  sku: 'SKU',
  qty: '2；已取消填 0',
  sales: '减去折扣后的商品金额，例如 59.98',
  shipFee: '卖家付的运费，不填为 0',
  commission: '平台收取的费用，不填为 0',
  currency: 'USD',
  warehouse: '可不填',
};

export const { titleOf, templateFile, rowsOf } = sheetTemplate<Key>({
  file: '平台订单导入模板',
  sheet: '订单',
  columns: COLUMNS,
  sample: SAMPLE,
  mark: 'shop',
});
