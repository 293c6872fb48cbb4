import { type SheetRow as Row, sheetTemplate } from '#kit/server/excel/template.ts';

/** Columns of the sheet, with the headings that carriers give them; those with an asterisk must be there. */
const COLUMNS = {
  carrier: { title: '物流商*', also: ['货代', '物流公司', '承运商'] },
  billNo: { title: '账单号*', also: ['账单编号', '对账单号'] },
  day: { title: '账单日期*', also: ['日期', '出账日期'] },
  currency: { title: '币种', also: ['结算币种'] },
  reference: { title: '发货单/货件/追踪号*', also: ['单号', '发货单号', '货件编号', '追踪号', '运单号', '客户单号'] },
  kind: { title: '费用类型', also: ['费用名称', '费用项目', '类型'] },
  amount: { title: '金额*', also: ['费用', '应收金额', '总金额'] },
  weight: { title: '计费重', also: ['收费重', '计费重量', '结算重'] },
  remark: { title: '备注', also: ['说明'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;

const SAMPLE: Cells = {
  carrier: '物流商名称或简码',
  billNo: '同一账单号的行合成一张账单',
  day: '2026-01-31',
  currency: 'CNY',
  reference: 'FH2601310001',
  kind: '运费',
  amount: '663.21',
  weight: '64',
  remark: '',
};

export type SheetRow = Row<Key>;
export const { titleOf, templateFile, rowsOf } = sheetTemplate<Key>({
  file: '物流账单导入模板',
  sheet: '物流账单',
  columns: COLUMNS,
  sample: SAMPLE,
  mark: 'carrier',
});
