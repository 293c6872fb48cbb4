import { type SheetRow as Row, sheetTemplate } from '#kit/server/excel/template.ts';

/** Columns of the sheet, with the headings that carriers give them; those with an asterisk must be there. */
const COLUMNS = {
  reference: { title: '自发货单号/订单号*', also: ['单号', '自发货单号', '订单号', '平台订单', '客户单号'] },
  carrier: { title: '承运商', also: ['物流商', '物流公司', '快递公司'] },
  tracking: { title: '运单号*', also: ['追踪号', '快递单号', '跟踪号'] },
  weight: { title: '重量(g)', also: ['重量', '称重(g)'] },
  fee: { title: '实际运费', also: ['运费', '费用'] },
  currency: { title: '币种', also: ['结算币种'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;

const SAMPLE: Cells = {
  reference: 'ZF2601310001 或 111-1234567-1234567',
  carrier: 'UPS',
  tracking: '1Z999AA10123456784',
  weight: '350',
  fee: '28.50',
  currency: 'CNY',
};

export type SheetRow = Row<Key>;
export const { titleOf, templateFile, rowsOf } = sheetTemplate<Key>({
  file: '运单号导入模板',
  sheet: '运单号',
  columns: COLUMNS,
  sample: SAMPLE,
  mark: 'reference',
});
