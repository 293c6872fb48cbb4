import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, OptionalText, Product, Rate } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { EDIT, VIEW } from './calculator.ts';
import { CountryCode, SiteInput, TypedInput } from './input.ts';
import { FreightBy, PlanSite } from './plans.ts';

const base = '/amazon/api/v1/profit/estimate';

/** One country of a calculation that was kept for a product; a figure is that of its day, whatever fees came later. */
export const EstimateRow = z.object({
  /** "<calculation> <country>". */
  id: z.string().meta({ title: '行', hidden: true }),
  calcId: Id,
  product: Product.meta({ title: '产品', kind: 'product', width: 260, pinned: 'left' }),
  country: CountryCode.meta({ width: 90 }),
  price: Money.meta({ title: '售价', currency: 'currency', width: 100 }),
  profit: Money.meta({ title: '利润', currency: 'currency', width: 100, good: 'up' }),
  margin: Rate.nullable().meta({ title: '利润率', width: 90, good: 'up', tip: '利润 ÷ 不含税售价' }),
  breakEven: Money.nullable().meta({ title: '保本价', currency: 'currency', width: 100 }),
  planName: z.string().meta({ title: '方案', width: 140 }),
  day: Day.meta({ title: '费率日期', width: 110 }),
  remark: z.string().meta({ title: '备注', width: 180 }),
  createdBy: z.string().meta({ title: '测算人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '测算时间', width: 140 }),
  currency: Currency.meta({ hidden: true }),
});
export type EstimateRow = z.infer<typeof EstimateRow>;

export const EstimateFilter = z.object({
  keyword: OptionalText(100, 'SKU、名称'),
  countries: z.array(CountryCode).meta({ title: '站点' }),
});
const AnyFilter = EstimateFilter.partial();
export type EstimateFilter = z.infer<typeof AnyFilter>;

export const listEstimates = endpoint({
  title: '测算记录',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(EstimateFilter),
  sortable: ['createdAt', 'margin'],
  reply: Page(EstimateRow),
});

/** All that a calculation was made of; `plan` is the plan as it was then. */
export const EstimateInput = z.object({
  typed: TypedInput,
  sites: z.partialRecord(CountryCode, SiteInput),
  plan: z.object({ name: z.string(), freightBy: FreightBy, sites: z.array(PlanSite) }).nullable(),
});
export type EstimateInput = z.infer<typeof EstimateInput>;

/** Keeps a calculation for a product: it is reckoned again from what was typed in. Countries that cannot be are left out. */
export const saveEstimate = endpoint({
  title: '保存测算',
  method: 'POST',
  path: `${base}/save`,
  permission: EDIT,
  body: z.object({
    productId: Id.meta({ title: '产品' }),
    planId: Id.optional().meta({ title: '方案' }),
    typed: TypedInput,
    sites: EstimateInput.shape.sites.meta({ title: '站点' }),
    remark: OptionalText(200, '备注'),
  }),
  reply: z.object({ calcId: Id, countries: z.int() }),
});

export const readEstimate = endpoint({
  title: '查看测算',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  reply: EstimateInput.extend({ product: Product.extend({ id: Id }) }),
});

export const removeEstimate = endpoint({
  title: '删除测算',
  method: 'POST',
  path: `${base}/remove`,
  permission: EDIT,
  body: z.object({ calcId: Id }),
  reply: z.literal('success'),
});
