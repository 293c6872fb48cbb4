import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Id, Instant, Money, OptionalText, Product, Quantity, States, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import { base, EDIT, RUN, VIEW } from './rules.ts';

/** Who may see what pieces cost. */
const COST = 'fin:cost:view';

export const BindingState = States(
  {
    on: { title: '执行中', tone: 'done' },
    paused: { title: '已暂停', tone: 'trouble' },
  },
  '状态',
);

/** A listing under a rule. Prices in the currency of its marketplace. */
export const BindingRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 260, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  price: Money.nullable().meta({ title: '现价', currency: 'currency', width: 100 }),
  minPrice: Money.meta({ title: '最低价', currency: 'currency', width: 100 }),
  maxPrice: Money.meta({ title: '最高价', currency: 'currency', width: 100 }),
  otherCost: Money.meta({ title: '其它成本/件', currency: 'currency', width: 110, permission: COST }),
  floor: Money.nullable().meta({
    title: '保本价',
    currency: 'currency',
    width: 100,
    permission: COST,
    tip: '最近一次决定时',
  }),
  state: BindingState.meta({ width: 100 }),
  reason: z.string().meta({ title: '暂停原因', width: 220 }),
  lastAt: Instant.nullable().meta({ title: '最近决定', width: 130 }),
  lastWords: z.string().nullable().meta({ title: '决定', width: 260 }),
  currency: Currency.meta({ hidden: true }),
  listingId: Id,
});
export type BindingRow = z.infer<typeof BindingRow>;

export const BindingFilter = z.object({
  ruleId: Id.optional(),
  state: BindingState,
  keyword: OptionalText(100, 'MSKU'),
});
const AnyBinding = BindingFilter.partial();
export type BindingFilter = z.infer<typeof AnyBinding>;

export const listBindings = endpoint({
  title: '智能调价绑定商品',
  method: 'POST',
  path: `${base}/bindings`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(BindingFilter),
  sortable: ['product', 'minPrice', 'maxPrice'],
  reply: Page(BindingRow),
});

const price = (title: string) =>
  z
    .string()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, `请输入正确的${title}`)
    .meta({ title });

export const BindLine = z.object({
  sku: z.string().min(1).max(60).meta({ title: 'MSKU' }),
  minPrice: price('最低价'),
  maxPrice: price('最高价'),
  otherCost: price('其它成本').optional(),
});
export type BindLine = z.infer<typeof BindLine>;

/**
 * Puts listings of one site under a rule, each with its lowest and highest price: all of them or none. One that is under
 * it already takes the new prices; one under another rule is refused.
 */
export const bindListings = endpoint({
  title: '绑定智能调价商品',
  method: 'POST',
  path: `${base}/bind`,
  permission: EDIT,
  body: z.object({
    ruleId: Id,
    site: Site.meta({ title: '店铺/站点' }),
    lines: z.array(BindLine).min(1, '请填写商品').max(1000, '一次最多 1,000 个商品').meta({ title: '商品' }),
  }),
  reply: z.object({ bound: Quantity, changed: Quantity }),
});

const Ids = z.object({ ids: z.array(Id).min(1, '请选择商品').max(1000).meta({ title: '商品' }) });

export const unbindListings = endpoint({
  title: '解绑智能调价商品',
  method: 'POST',
  path: `${base}/unbind`,
  permission: EDIT,
  body: Ids,
  reply: z.object({ count: Quantity }),
});

export const pauseBindings = endpoint({
  title: '暂停智能调价商品',
  method: 'POST',
  path: `${base}/bindings/pause`,
  permission: RUN,
  body: Ids,
  reply: z.object({ count: Quantity }),
});

/** Lets paused listings go on, whatever paused them. */
export const resumeBindings = endpoint({
  title: '恢复智能调价商品',
  method: 'POST',
  path: `${base}/bindings/resume`,
  permission: RUN,
  body: Ids,
  reply: z.object({ count: Quantity }),
});
