import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Day, Id, Instant, Money, OptionalText, Quantity } from '#kit/contract/field.ts';
import { ById, base, EDIT, IMPORT, Measure, PRICE_EDIT, PRICE_VIEW, Share, Sku, VIEW } from './fields.ts';

export const DimensionRole = Choice({ net: '净品', packed: '带包装', carton: '单箱' }, '尺寸');

export const Dimension = z.object({
  role: DimensionRole,
  length: Measure(2, '长(cm)').nullable(),
  width: Measure(2, '宽(cm)').nullable(),
  height: Measure(2, '高(cm)').nullable(),
  weight: Measure(3, '重量(kg)').nullable(),
  unitsPerCarton: z.int().min(1).max(1_000_000).nullable().meta({ title: '单箱数量', kind: 'integer' }),
});
export type Dimension = z.infer<typeof Dimension>;

/** Above zero, four decimals. */
export const QtyPer = z
  .string()
  .trim()
  .regex(/^\d{1,8}(\.\d{1,4})?$/, '用量最多4位小数')
  .refine((value) => Number(value) > 0, '用量必须大于0')
  .meta({ title: '用量', kind: 'rate' });

export const BomPart = z.object({
  componentId: Id,
  qtyPer: QtyPer,
  scrapShare: Share('损耗率', 0.9999).default('0'),
});
export type BomPart = z.infer<typeof BomPart>;

const Named = { sku: z.string(), name: z.string(), image: z.string().nullable() };

export const Bom = z.object({
  id: Id,
  versionNo: z.int(),
  effectiveFrom: Day,
  note: z.string().nullable(),
  by: z.string(),
  at: Instant,
  lines: z.array(BomPart.extend(Named)),
});
export type Bom = z.infer<typeof Bom>;

export const ConsumableUse = z.object({ consumableId: Id, qtyPer: QtyPer });
export type ConsumableUse = z.infer<typeof ConsumableUse>;

const Words = (max: number, title: string) => z.string().trim().max(max).nullable().optional().meta({ title });

export const Customs = z.object({
  /** '' is the export declaration; else the country of import. */
  country: z
    .string()
    .regex(/^([A-Z]{2})?$/, '国家为两位代码')
    .meta({ title: '国家' }),
  hsCode: z
    .string()
    .trim()
    .regex(/^(\d{4,10})?$/, '海关编码为4到10位数字')
    .nullable()
    .optional()
    .meta({ title: '海关编码' }),
  nameCn: Words(100, '中文名'),
  nameEn: Words(100, '英文名'),
  elements: Words(500, '申报要素'),
  unit1: Words(20, '法定单位1'),
  unit2: Words(20, '法定单位2'),
  unitRatio: Measure(6, '换算比例').nullable().optional(),
  refundRate: Share('退税率').nullable().optional(),
  declaredValue: Money.refine((value) => Number(value) > 0, '申报价必须大于0')
    .nullable()
    .optional()
    .meta({ title: '申报价' }),
  declaredCurrency: Currency.nullable().optional(),
  dutyRate: Share('关税率', 10).nullable().optional(),
  vatRate: Share('增值税率').nullable().optional(),
  material: Words(100, '材质'),
  purpose: Words(100, '用途'),
  link: Words(300, '链接'),
});
export type Customs = z.infer<typeof Customs>;

export const Box = z.object({
  innerLength: Measure(2, '内长(cm)').nullable(),
  innerWidth: Measure(2, '内宽(cm)').nullable(),
  innerHeight: Measure(2, '内高(cm)').nullable(),
  loadWeight: Measure(3, '承重(kg)').nullable(),
});
export type Box = z.infer<typeof Box>;

export const Tier = z.object({
  minQty: z
    .int('数量必须为正整数')
    .min(1, '数量必须为正整数')
    .max(100_000_000)
    .meta({ title: '起订数量', kind: 'integer' }),
  unitPrice: z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,6})?$/, '单价最多6位小数')
    .refine((value) => Number(value) > 0, '单价必须大于0')
    .meta({ title: '单价', kind: 'money' }),
});
export type Tier = z.infer<typeof Tier>;

export const Supply = z.object({
  supplierId: Id,
  isDefault: z.boolean().meta({ title: '默认' }),
  supplierSku: OptionalText(100, '供应商SKU').nullable(),
  offerId: OptionalText(50, '1688商品').nullable(),
  specId: OptionalText(100, '1688规格').nullable(),
  url: OptionalText(500, '链接').nullable(),
  moq: z.int('数量必须为正整数').min(1, '数量必须为正整数').default(1).meta({ title: '起订量', kind: 'integer' }),
  orderMultiple: z
    .int('数量必须为正整数')
    .min(1, '数量必须为正整数')
    .default(1)
    .meta({ title: '订货倍数', kind: 'integer' }),
  leadDays: z.int().min(0).max(730).default(0).meta({ title: '供货周期(天)', kind: 'integer' }),
});
export type Supply = z.infer<typeof Supply>;

const PriceList = z.object({
  id: Id,
  currency: Currency,
  taxIncluded: z.boolean(),
  validFrom: Day,
  validTo: Day.nullable(),
  origin: z.enum(['manual', 'import', 'quote']),
  by: z.string(),
  at: Instant,
  tiers: z.array(Tier).meta({ permission: PRICE_VIEW }),
});
export type PriceList = z.infer<typeof PriceList>;

export const SupplyShown = Supply.extend({
  id: Id,
  supplier: z.string(),
  supplierCode: z.string(),
  /** The price list that counts today. */
  prices: PriceList.nullable(),
});
export type SupplyShown = z.infer<typeof SupplyShown>;

export const productTiers = endpoint({
  title: '产品供应商与档价',
  method: 'GET',
  path: `${base}/material/tiers/:id`,
  permission: VIEW,
  params: ById,
  reply: z.array(SupplyShown),
});

const OfPair = z.object({
  productId: Id.meta({ title: '产品', hidden: true }),
  supplierId: Id.meta({ title: '供应商', hidden: true }),
});

export const priceHistory = endpoint({
  title: '报价历史',
  method: 'POST',
  path: `${base}/supplierPrice/history`,
  permission: PRICE_VIEW,
  access: 'read',
  body: OfPair,
  reply: z.array(PriceList),
});

/** A new price list takes the place of the one before from its first day on. */
export const savePrices = endpoint({
  title: '保存档价',
  method: 'POST',
  path: `${base}/supplierPrice/save`,
  permission: PRICE_EDIT,
  body: OfPair.extend({
    currency: Currency.default('CNY'),
    taxIncluded: z.boolean().default(false).meta({ title: '含税' }),
    validFrom: Day.optional().meta({ title: '生效日期' }),
    validTo: Day.nullable().optional().meta({ title: '失效日期' }),
    tiers: z.array(Tier).min(1, '请填写档价').max(20).meta({ title: '档价' }),
    /** A tier dearer than the one before has been seen and is meant. */
    confirmed: z.boolean().default(false).meta({ title: '已确认' }),
  }),
  reply: z.object({ id: Id, warning: z.string().nullable() }),
});

/** What a quantity costs, and from which smaller quantity on buying the next tier's minimum costs no more. */
export const quotePrice = endpoint({
  title: '按数量取价',
  method: 'POST',
  path: `${base}/supplierPrice/list`,
  permission: PRICE_VIEW,
  access: 'read',
  body: OfPair.extend({
    qty: z.int('数量必须为正整数').min(1, '数量必须为正整数').meta({ title: '数量', kind: 'integer' }),
  }),
  reply: z.object({
    unitPrice: z.string(),
    amount: Money,
    currency: Currency,
    hint: z.object({ from: Quantity, buy: Quantity, amount: Money }).nullable(),
    /** Rules of the supplier that the quantity breaks. */
    warnings: z.array(z.string()),
  }),
});

export const saveBom = endpoint({
  title: '保存组合关系',
  method: 'POST',
  path: `${base}/bom/save`,
  permission: EDIT,
  body: z.object({
    productId: Id.meta({ title: '产品', hidden: true }),
    /** The version that the caller saw; a newer one is a conflict. 0: none. */
    versionNo: z.int().min(0).optional().meta({ title: '版本', hidden: true }),
    effectiveFrom: Day.optional().meta({ title: '生效日期' }),
    note: OptionalText(200, '说明'),
    lines: z.array(BomPart).max(200, '最多200个子件').meta({ title: '子件' }),
  }),
  reply: z.object({ versionNo: z.int() }),
});

export const explodeBom = endpoint({
  title: '组合展开',
  method: 'POST',
  path: `${base}/bom/explode`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    productId: Id.meta({ title: '产品', hidden: true }),
    qty: z.int('数量必须为正整数').min(1, '数量必须为正整数').max(1_000_000).default(1).meta({ title: '数量' }),
  }),
  reply: z.array(z.object({ id: Id, ...Named, depth: z.int(), parentId: Id, qty: z.string(), leaf: z.boolean() })),
});

export const whereUsed = endpoint({
  title: '反查用处',
  method: 'POST',
  path: `${base}/bom/whereUsed`,
  permission: VIEW,
  access: 'read',
  body: z.object({ productId: Id.meta({ title: '产品', hidden: true }) }),
  reply: z.array(z.object({ id: Id, ...Named, way: z.enum(['bom', 'consumable']), qtyPer: z.string() })),
});

export const MediaRole = Choice({ main: '主图', packed: '带包装', detail: '细节' }, '图片类型');

export const Media = z.object({
  id: Id,
  role: MediaRole,
  url: z.string(),
  width: z.int(),
  height: z.int(),
  by: z.string(),
  at: Instant,
});
export type Media = z.infer<typeof Media>;

/** JPG or PNG up to 5 MB, known by its content. A picture that the product has already is not stored twice. */
export const uploadPhoto = endpoint({
  title: '上传产品图片',
  method: 'POST',
  path: `${base}/material/photo`,
  permission: EDIT,
  upload: true,
  body: z.object({ sku: Sku.optional(), id: Id.optional(), role: MediaRole.default('detail') }),
  reply: z.object({ productId: Id, media: Media, isNew: z.boolean() }),
});

/** A ZIP of `SKU.jpg`, `SKU_2.png` …: the first of each SKU becomes its main picture. All of it or nothing. */
export const uploadPhotos = endpoint({
  title: '批量上传产品图片',
  method: 'POST',
  path: `${base}/material/photos`,
  permission: IMPORT,
  upload: true,
  body: z.object({}),
  reply: z.object({
    added: z.int(),
    known: z.int(),
    problems: z.array(z.object({ file: z.string(), reason: z.string() })),
  }),
});

export const changePhoto = endpoint({
  title: '调整产品图片',
  method: 'POST',
  path: `${base}/material/photo/change`,
  permission: EDIT,
  body: ById.extend({ action: z.enum(['main', 'packed', 'detail', 'remove']).meta({ title: '操作' }) }),
  reply: z.array(Media),
});

/** A picture under an address that nobody can guess: pages show it without a session. */
export const readPhoto = endpoint({
  title: '产品图片',
  method: 'GET',
  path: `${base}/material/image/:company/:key`,
  permission: 'public',
  file: true,
  params: z.object({
    company: z.uuid().meta({ title: '公司' }),
    key: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .meta({ title: '图片' }),
  }),
  reply: z.unknown(),
});

/** Labels with the barcode of each product, or its SKU where it has none, as a PDF. */
export const printProductLabels = endpoint({
  title: '打印产品标签',
  method: 'POST',
  path: `${base}/material/labels`,
  permission: VIEW,
  access: 'read',
  body: z.object({
    ids: z.array(Id).min(1, '请选择产品').max(200, '一次最多200个产品').meta({ title: '产品', hidden: true }),
    copies: z.int('数量必须为正整数').min(1, '数量必须为正整数').max(500).default(1).meta({ title: '每个产品张数' }),
  }),
  file: true,
  reply: z.unknown(),
});
