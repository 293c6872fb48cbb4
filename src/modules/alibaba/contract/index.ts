import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { at, BIND, ById, Done, ORDER, VIEW } from './fields.ts';

export * from './fields.ts';
export * from './place.ts';
export * from './trades.ts';

export const BuyerState = States({
  active: { title: '已授权', tone: 'done' },
  lost: { title: '授权失效', tone: 'trouble' },
  removed: { title: '已解除', tone: 'off' },
});
export const BuyerRow = z.object({
  id: Id,
  loginId: z.string().meta({ title: '采购账号', width: 160 }),
  memberId: z.string().meta({ title: '平台账号', kind: 'code', width: 170 }),
  state: BuyerState.meta({ title: '状态', width: 100 }),
  expiresAt: Instant.nullable().meta({ title: '授权到期', width: 140 }),
  syncedAt: Instant.nullable().meta({ title: '最近同步', width: 140 }),
  syncError: z.string().nullable().meta({ title: '同步异常', width: 200 }),
  boundByName: z.string().meta({ title: '授权人', kind: 'person', width: 100 }),
});
export type BuyerRow = z.infer<typeof BuyerRow>;

export const listBuyers = endpoint({
  title: '1688采购账号',
  method: 'GET',
  path: at('accounts'),
  permission: VIEW,
  concurrent: true,
  reply: z.array(BuyerRow),
});

export const beginConsent = endpoint({
  title: '发起1688授权',
  method: 'POST',
  path: at('authUrl'),
  permission: BIND,
  reply: z.object({ url: z.string() }),
});

export const finishConsent = endpoint({
  title: '完成1688授权',
  method: 'POST',
  path: at('callback'),
  permission: BIND,
  body: z.object({
    code: z.string().min(1).max(200).meta({ title: '授权码' }),
    state: z.string().min(1).max(200).meta({ title: '授权标识' }),
  }),
  reply: ById,
});

export const removeBuyer = endpoint({
  title: '解除1688授权',
  method: 'POST',
  path: at('remove'),
  permission: BIND,
  body: ById,
  reply: Done,
});

export const LinkRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240 }),
  supplier: z.string().meta({ title: '供应商', width: 150 }),
  offerId: z.string().meta({ title: '1688商品', kind: 'code', width: 140 }),
  subject: z.string().meta({ title: '商品标题', width: 240 }),
  spec: z.string().meta({ title: '规格', width: 130 }),
  piecesPerUnit: z.int().meta({ title: '每单位件数', kind: 'integer', width: 100 }),
  seller: z.string().meta({ title: '1688卖家', width: 140 }),
  updatedByName: z.string().meta({ title: '修改人', kind: 'person', width: 100 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  productId: Id,
  supplierId: Id,
  specId: z.string().meta({ hidden: true }),
  version: z.int(),
});
export type LinkRow = z.infer<typeof LinkRow>;
export const LinkFilter = z.object({
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  keyword: z.string().trim().max(100).meta({ title: 'SKU、1688商品' }),
});
const AnyLink = LinkFilter.partial();
export type LinkFilter = z.infer<typeof AnyLink>;

export const listLinks = endpoint({
  title: '1688商品对应列表',
  method: 'POST',
  path: at('links/list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(LinkFilter),
  sortable: ['updatedAt'],
  reply: Page(LinkRow),
});

export const saveLink = endpoint({
  title: '保存1688商品对应',
  method: 'POST',
  path: at('links/save'),
  permission: ORDER,
  body: z.object({
    id: Id.optional(),
    version: z.int().optional().meta({ title: '版本' }),
    productId: z.uuid('请选择商品').meta({ title: '商品' }),
    supplierId: z.uuid('请选择供应商').meta({ title: '供应商' }),
    offerId: z
      .string()
      .trim()
      .regex(/^\d{5,20}$/, '1688商品编号为5到20位数字')
      .meta({ title: '1688商品编号' }),
    specId: z.string().trim().max(100).default('').meta({ title: '规格' }),
    subject: z.string().trim().max(300).default('').meta({ title: '商品标题' }),
    spec: z.string().trim().max(200).default('').meta({ title: '规格名称' }),
    seller: z.string().trim().max(100).default('').meta({ title: '1688卖家' }),
    piecesPerUnit: z.int().min(1, '须为正整数').max(1_000_000).default(1).meta({ title: '每单位件数' }),
  }),
  reply: ById,
});

export const removeLink = endpoint({
  title: '删除1688商品对应',
  method: 'POST',
  path: at('links/remove'),
  permission: ORDER,
  body: ById,
  reply: Done,
});

/** What the platform says of an offer; prices in CNY for one unit of it. */
export const matchOffer = endpoint({
  title: '查询1688商品',
  method: 'POST',
  path: at('matchOffer'),
  permission: ORDER,
  access: 'read',
  body: z.object({
    buyerId: Id.meta({ title: '采购账号' }),
    offerId: z
      .string()
      .trim()
      .regex(/^\d{5,20}$/, '1688商品编号为5到20位数字')
      .meta({ title: '1688商品编号' }),
  }),
  reply: z.object({
    subject: z.string(),
    seller: z.string(),
    unit: z.string(),
    minimum: z.int(),
    skus: z.array(
      z.object({ specId: z.string(), spec: z.string(), price: Money.meta({ currency: 'CNY' }), stock: z.int() }),
    ),
  }),
});

export const buyerAddresses = endpoint({
  title: '1688收货地址',
  method: 'POST',
  path: at('addresses'),
  permission: ORDER,
  access: 'read',
  body: z.object({ buyerId: Id.meta({ title: '采购账号' }) }),
  reply: z.array(z.object({ id: z.string(), text: z.string(), standard: z.boolean() })),
});
