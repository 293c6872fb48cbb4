import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Product, Rate } from '#kit/contract/field.ts';
import { ById, base, EXPORT, VIEW } from '../fields.ts';

const Gap = (title: string, width = 110) => z.string().nullable().meta({ title, width });

/** A local product of an order as customs papers name it; null where nobody filled it in. Weights in kg of all pieces. */
export const PaperRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 220 }),
  nameCn: Gap('品名', 140),
  nameEn: Gap('英文品名', 160),
  hsCode: z.string().nullable().meta({ title: 'HS编码', kind: 'code', width: 120, tip: '出口申报的10位编码' }),
  importHs: z.string().nullable().meta({ title: '进口编码', kind: 'code', width: 110, optional: true }),
  pieces: z.int().meta({ title: '数量', kind: 'integer', width: 80 }),
  unit: z.string().meta({ title: '单位', width: 60 }),
  value: z.string().nullable().meta({ title: '申报价', kind: 'money', currency: 'currency', width: 100 }),
  amount: z.string().nullable().meta({ title: '申报总价', kind: 'money', currency: 'currency', width: 110 }),
  currency: z.string().nullable().meta({ title: '币种', hidden: true }),
  material: Gap('材质'),
  purpose: Gap('用途'),
  brand: Gap('品牌'),
  model: Gap('型号'),
  elements: Gap('申报要素', 200),
  boxes: z.int().meta({ title: '箱数', kind: 'integer', width: 70, tip: '装有该商品的箱数；混装箱会重复计入' }),
  net: z.string().nullable().meta({ title: '净重(kg)', kind: 'rate', width: 90 }),
  gross: z.string().nullable().meta({ title: '毛重(kg)', kind: 'rate', width: 90, tip: '箱重按箱内商品的重量分摊' }),
  /** Titles of what is missing. */
  missing: z.array(z.string()),
});
export type PaperRow = z.infer<typeof PaperRow>;

export const shipPapers = endpoint({
  title: '报关资料',
  method: 'GET',
  path: `${base}/papers/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    rows: z.array(PaperRow),
    boxes: z.int(),
    pieces: z.int(),
    /** kg of all boxes and pieces; null where one of them is not known. */
    net: z.string().nullable(),
    gross: z.string().nullable(),
    amounts: z.array(z.object({ currency: z.string(), amount: z.string() })),
    /** What is missing of the order itself, in words. */
    problems: z.array(z.string()),
  }),
});

export const PaperKind = Choice(
  { invoice: '商业发票', packing: '装箱单', elements: '报关要素', all: '全部资料' },
  '资料',
);
export type PaperKind = z.infer<typeof PaperKind>;

/** One paper as XLSX or PDF, or all of them in both as a ZIP. What is not known is marked, never made up. */
export const shipPaperFile = endpoint({
  title: '下载报关资料',
  method: 'GET',
  path: `${base}/papers/:id/file`,
  permission: VIEW,
  params: ById,
  query: z.object({
    paper: PaperKind,
    format: z.enum(['xlsx', 'pdf']).default('pdf').meta({ title: '格式' }),
  }),
  file: true,
  reply: z.unknown(),
});

/** What is declared for a line of a shipment: a row of the export. */
export const DeclaredLine = z.object({
  shipmentNo: z.string().meta({ title: '货件号', kind: 'code' }),
  msku: z.string().meta({ title: 'SKU', kind: 'code' }),
  qty: z.int().meta({ title: '数量', kind: 'integer' }),
  price: z.string().nullable().meta({ title: '单价', kind: 'money', currency: 'currency' }),
  rate: Rate.nullable().meta({ title: '比例' }),
  declared: z.string().nullable().meta({ title: '申报单价', kind: 'money', currency: 'currency' }),
  amount: z.string().nullable().meta({ title: '申报总额', kind: 'money', currency: 'currency' }),
  shippedOn: Day.nullable().meta({ title: '发货日期' }),
  note: z.string().meta({ title: '低于成本' }),
  currency: Currency.nullable().meta({ hidden: true }),
});
export type DeclaredLine = z.infer<typeof DeclaredLine>;

export const exportDeclaredLines = endpoint({
  title: '导出发货单海关报价',
  method: 'POST',
  path: `${base}/papers/declared`,
  permission: EXPORT,
  access: 'read',
  body: z.object({
    ids: z.array(Id).min(1, '请选择发货单').max(100, '一次最多100张发货单').meta({ title: '发货单' }),
    format: z.enum(['xlsx', 'csv']).default('xlsx').meta({ title: '格式' }),
  }),
  file: true,
  reply: z.unknown(),
});
