import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, Product, Rate, States, Store, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { ById, COST, Success, Version } from './fields.ts';
import { Listing } from './match.ts';

export const CUSTOMS_VIEW = 'amz:customs:view';
export const CUSTOMS_EDIT = 'amz:customs:edit';
export const CUSTOMS_APPROVE = 'amz:customs:approve';
export const CUSTOMS_EXPORT = 'amz:customs:export';

/** `low`: below the purchase cost by today's rate, and nobody agreed to it; `approved`: somebody did. */
export const DeclaredState = States(
  {
    low: { title: '低于成本', tone: 'trouble' },
    approved: { title: '低申报已审批', tone: 'side' },
    open: { title: '缺售价或比例', tone: 'waiting' },
    noCost: { title: '成本或汇率未知', tone: 'waiting' },
    fine: { title: '正常', tone: 'done' },
  },
  '状态',
);
export type DeclaredState = z.infer<typeof DeclaredState>;

export const DeclaredRow = z.object({
  /** Of the listing. */
  id: Id,
  accountId: Id,
  marketplaceId: z.string(),
  product: Product.meta({ title: '商品', kind: 'product', width: 280, pinned: 'left' }),
  store: Store.meta({ title: '店铺-站点', kind: 'store', width: 140 }),
  msku: z.string().meta({ title: 'MSKU', kind: 'code', width: 160, optional: true }),
  price: Money.nullable().meta({ title: '售价', currency: 'currency', width: 100 }),
  rate: Rate.nullable().meta({ title: '申报比例', width: 90 }),
  declared: Money.nullable().meta({
    title: '申报金额',
    currency: 'currency',
    width: 110,
    tip: '售价 × 申报比例；锁定的按锁定值',
  }),
  locked: z.boolean().meta({ title: '锁定', kind: 'boolean', width: 60 }),
  unitCost: Money.nullable().meta({ title: '采购成本', currency: 'CNY', width: 100, permission: COST }),
  costAbroad: Money.nullable().meta({
    title: '成本折算',
    currency: 'currency',
    width: 100,
    permission: COST,
    tip: '按当日汇率折算为站点币种',
  }),
  state: DeclaredState.meta({ width: 120 }),
  legalBasis: z.string().nullable().meta({ title: '法律依据', width: 200 }),
  approvedBy: z.string().nullable().meta({ title: '审批人', kind: 'person', width: 100 }),
  approvedAt: Instant.nullable().meta({ title: '审批时间', width: 130, optional: true }),
  currency: Currency.meta({ hidden: true }),
});
export type DeclaredRow = z.infer<typeof DeclaredRow>;

const COUNTRIES: Record<string, string> = Object.fromEntries(MARKETPLACES.map((one) => [one.country, one.name]));

export const DeclaredFilter = z.object({
  state: DeclaredState,
  country: z.array(Choice(COUNTRIES, '国家')).max(40).meta({ title: '国家' }),
  mskus: z.array(z.string().trim().max(100)).max(500).meta({ title: 'MSKU', kind: 'code' }),
});
const AnyFilter = DeclaredFilter.partial();
export type DeclaredFilter = z.infer<typeof AnyFilter>;

const base = '/amazon/api/v1/product/customs';

export const listDeclared = endpoint({
  title: '海关报价列表',
  method: 'POST',
  path: `${base}/page`,
  permission: CUSTOMS_VIEW,
  access: 'read',
  body: PageQuery(DeclaredFilter),
  sortable: ['product', 'price'],
  reply: Page(DeclaredRow),
});

export const exportDeclared = endpoint({
  title: '导出海关报价',
  method: 'POST',
  path: `${base}/export`,
  permission: CUSTOMS_EXPORT,
  access: 'read',
  body: ExportQuery(DeclaredFilter),
  file: true,
  reply: z.unknown(),
});

/** '' stands for all of them. */
const DESTINATIONS: Record<string, string> = { '': '全部国家', ...COUNTRIES };

const RateFields = z.object({
  country: Choice(DESTINATIONS, '目的国'),
  categoryId: Id.nullable().default(null).meta({ title: '品类', hidden: false, kind: 'text' }),
  rate: z
    .string()
    .regex(/^(0\.\d{1,4}|1(\.0{1,4})?)$/, '申报比例须在0到1之间，最多4位小数')
    .refine((value) => Number(value) > 0, '申报比例必须大于0')
    .meta({ title: '申报比例', kind: 'percent' }),
});
export const RateForm = RateFields;
export type RateForm = z.infer<typeof RateFields>;

export const listDeclaredRates = endpoint({
  title: '申报比例列表',
  method: 'POST',
  path: `${base}/rates`,
  permission: CUSTOMS_VIEW,
  access: 'read',
  body: z.object({}).default({}),
  reply: z.array(
    RateFields.extend({ id: Id, category: z.string().nullable(), version: z.int(), updatedBy: z.string() }),
  ),
});

/** Sets the share of a country and category; a row of the same two is a stale one or refused. */
export const saveDeclaredRate = endpoint({
  title: '保存申报比例',
  method: 'POST',
  path: `${base}/rate`,
  permission: CUSTOMS_EDIT,
  body: RateFields.extend({ id: Id.optional(), version: Version.optional() }),
  reply: Id,
});

export const deleteDeclaredRate = endpoint({
  title: '删除申报比例',
  method: 'POST',
  path: `${base}/rate/delete`,
  permission: CUSTOMS_EDIT,
  body: ById,
  reply: Success,
});

const Listings = z.array(Listing).min(1, '请选择商品').max(500, '一次最多500个商品').meta({ title: '商品' });

export const LockForm = z.object({
  value: z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, '请输入正确的金额')
    .refine((value) => /[1-9]/.test(value), '申报金额必须大于0')
    .meta({ title: '申报金额', kind: 'money', tip: '站点币种' }),
  reason: Text(200, '原因'),
});

/** Declares a value for listings whatever their price is. */
export const lockDeclared = endpoint({
  title: '锁定申报金额',
  method: 'POST',
  path: `${base}/lock`,
  permission: CUSTOMS_EDIT,
  body: LockForm.extend({ listings: Listings }),
  reply: z.object({ changed: z.int() }),
});

export const unlockDeclared = endpoint({
  title: '解除锁定申报金额',
  method: 'POST',
  path: `${base}/unlock`,
  permission: CUSTOMS_EDIT,
  body: z.object({ listings: Listings }),
  reply: z.object({ changed: z.int() }),
});

export const LowForm = z.object({ reason: Text(200, '原因'), legalBasis: Text(500, '法律依据') });

/** Agrees that listings are declared below their purchase cost, as they are now. */
export const approveLow = endpoint({
  title: '低申报审批',
  method: 'POST',
  path: `${base}/approve`,
  permission: CUSTOMS_APPROVE,
  body: LowForm.extend({ listings: Listings }),
  reply: z.object({ approved: z.int() }),
});
