import { type SheetRow as Row, sheetTemplate } from '#kit/server/excel/template.ts';

/** Columns of the sheet, with the headings that other systems give them; those with an asterisk must be there. */
const COLUMNS = {
  supplier: { title: '供应商*', also: ['供应商简称', '供应商编码', '供应商名称'] },
  warehouse: { title: '入库仓*', also: ['仓库', '收货仓'] },
  sku: { title: 'SKU*', also: ['本地SKU', '商品SKU'] },
  qty: { title: '采购数量*', also: ['数量'] },
  price: { title: '含税单价', also: ['单价', '采购单价'] },
  currency: { title: '币种', also: [] },
  gift: { title: '赠品', also: [] },
  expected: { title: '要求到货', also: ['预计到货', '期望到货'] },
  remark: { title: '备注', also: ['明细备注'] },
  mark: { title: '分单标识', also: ['单据标识'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;

const SAMPLE: Cells = {
  supplier: '供应商简称或编码',
  warehouse: '仓库名称',
  sku: 'SKU-001',
  qty: '100',
  price: '留空取供应商报价',
  currency: 'CNY',
  gift: '否',
  expected: '2026-01-31',
  remark: '',
  mark: '同一供应商分成几单时填写',
};

export type SheetRow = Row<Key>;
export const { titleOf, templateFile, rowsOf } = sheetTemplate<Key>({
  file: '采购单导入模板',
  sheet: '采购单',
  columns: COLUMNS,
  sample: SAMPLE,
  mark: 'supplier',
});
