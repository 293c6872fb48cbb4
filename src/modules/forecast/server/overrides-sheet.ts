import { type SheetRow as Row, sheetTemplate } from '#kit/server/excel/template.ts';

/** Columns of the sheet; those with an asterisk must be there. */
const COLUMNS = {
  store: { title: '店铺*', also: ['店铺名称', '店铺名'] },
  site: { title: '站点*', also: ['国家', '站点国家'] },
  sku: { title: 'MSKU*', also: ['平台SKU', 'SKU', '商品'] },
  from: { title: '开始*', also: ['开始日期', '月份', '日期'] },
  to: { title: '结束', also: ['结束日期'] },
  mode: { title: '方式', also: ['干预方式', '类型'] },
  value: { title: '数值*', also: ['预测量', '数量', '销量'] },
  reason: { title: '原因*', also: ['备注', '说明'] },
} as const;
export type Key = keyof typeof COLUMNS;

export type SheetRow = Row<Key>;
export const { titleOf, templateFile, rowsOf } = sheetTemplate<Key>({
  file: '预测干预导入模板',
  sheet: '预测干预',
  columns: COLUMNS,
  sample: {
    store: '示例店铺',
    site: 'US',
    sku: 'MSKU-示例',
    from: '2026-12',
    to: '开始为月份时可不填',
    mode: '区间总量（或 每天销量、按比例）',
    value: '300',
    reason: '圣诞备货',
  },
  mark: 'sku',
});
