import { type SheetRow as Row, sheetTemplate } from '#kit/server/excel/template.ts';

/** Columns of the sheet of answers, with the headings that forwarders give them; those with an asterisk must be there. */
export const COLUMNS = {
  number: { title: '询价单号*', also: ['询价单', '单号'] },
  carrier: { title: '物流商*', also: ['货代', '物流公司', '报价方'] },
  channel: { title: '渠道', also: ['渠道名称', '产品'] },
  unit: { title: '计费单位', also: ['单位'] },
  price: { title: '单价*', also: ['价格'] },
  quantity: { title: '计费量*', also: ['计费重', '收费重', '计费体积'] },
  tax: { title: '税', also: ['税费', '关税', '税金'] },
  otherFee: { title: '其它费', also: ['其他费', '其他费用', '附加费', '杂费'] },
  currency: { title: '币种', also: ['结算币种'] },
  total: { title: '总价', also: ['合计', '总金额', '总费用'] },
  days: { title: '时效(天)', also: ['时效', '天数'] },
  validUntil: { title: '有效期至', also: ['有效期', '报价有效期'] },
  remark: { title: '备注', also: ['说明'] },
} as const;
export type Key = keyof typeof COLUMNS;
export type Cells = Record<Key, string>;
export type SheetRow = Row<Key>;

export const HEADS = Object.values(COLUMNS).map(({ title }) => title);

const SAMPLE: Cells = {
  number: 'WX2601310001',
  carrier: '物流商名称或简码',
  channel: '系统中该物流商的渠道名，可不填',
  unit: 'kg、m³ 或 箱，不填为 kg',
  price: '11.5',
  quantity: '64',
  tax: '0',
  otherFee: '100',
  currency: 'CNY',
  total: '可不填；填写时须等于单价×计费量＋税＋其它费',
  days: '25',
  validUntil: '2026-01-31',
  remark: '',
};

export const { titleOf, templateFile, rowsOf } = sheetTemplate<Key>({
  file: '物流报价导入模板',
  sheet: '报价',
  columns: COLUMNS,
  sample: SAMPLE,
  mark: 'carrier',
});
