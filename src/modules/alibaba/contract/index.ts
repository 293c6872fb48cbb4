import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, Money, Product, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const VIEW = 'erp:purchase:alibaba:view';
export const BIND = 'erp:purchase:alibaba:authorize';
export const ORDER = 'erp:purchase:alibaba:place';
/** Confirms on the platform that goods are here, which pays the seller. */
export const CONFIRM = 'erp:purchase:alibaba:receive';
const PRICE = 'erp:purchase:field:price';

const at = <const S extends string>(part: S) => `/erp/api/v1/alibaba/${part}` as const;
const ById = z.object({ id: Id });
const Done = z.literal('success');

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

const Asked = z.object({
  orderId: Id.meta({ title: '采购单' }),
  buyerId: Id.meta({ title: '采购账号' }),
  addressId: z.string().min(1, '请选择收货地址').max(50).meta({ title: '收货地址' }),
});
export type Asked = z.infer<typeof Asked>;

const cny = (title: string) => Money.meta({ title, currency: 'CNY', width: 110, permission: PRICE });

export const PreviewLine = z.object({
  product: Product.meta({ title: '商品', kind: 'product', width: 220 }),
  qty: z.int().meta({ title: '件数', kind: 'integer', width: 70 }),
  units: z.int().meta({ title: '1688数量', kind: 'integer', width: 80 }),
  ordered: cny('采购单金额').nullable(),
  offered: cny('1688金额').nullable(),
});
/** What the platform would take for a purchase order, CNY; `difference` is platform less purchase order. */
export const Preview = z.object({
  lines: z.array(PreviewLine),
  goods: cny('货款').nullable(),
  freight: cny('运费').nullable(),
  total: cny('1688应付').nullable(),
  orderAmount: cny('采购单总额').nullable(),
  difference: cny('差额').nullable(),
});
export type Preview = z.infer<typeof Preview>;

export const previewTrade = endpoint({
  title: '1688下单预览',
  method: 'POST',
  path: at('preview'),
  permission: ORDER,
  access: 'read',
  body: Asked,
  reply: Preview,
});

export const TradeStatus = States({
  sending: { title: '下单确认中', tone: 'waiting' },
  failed: { title: '未下单', tone: 'trouble' },
  waitbuyerpay: { title: '待付款', tone: 'waiting' },
  waitsellersend: { title: '待发货', tone: 'running' },
  waitbuyerreceive: { title: '待收货', tone: 'running' },
  success: { title: '已完成', tone: 'done' },
  cancel: { title: '已关闭', tone: 'off' },
});
export type TradeStatus = z.infer<typeof TradeStatus>;

export const Placed = z.object({ id: Id, status: TradeStatus, message: z.string() });

/** Orders a purchase order on the platform; `total` is what the preview said, CNY: another amount is refused. */
export const placeTrade = endpoint({
  title: '1688下单',
  method: 'POST',
  path: at('createOrder'),
  permission: ORDER,
  body: Asked.extend({
    total: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,4})?$/)
      .meta({ title: '确认金额' }),
  }),
  reply: Placed,
});

export const TradeRow = z.object({
  id: Id,
  orderNumber: z.string().meta({ title: '采购单', kind: 'code', width: 150, pinned: 'left' }),
  status: TradeStatus.meta({ title: '状态', width: 100 }),
  platformId: z.string().nullable().meta({ title: '1688订单号', kind: 'code', width: 170 }),
  supplier: z.string().meta({ title: '供应商', width: 140 }),
  buyer: z.string().meta({ title: '采购账号', width: 130 }),
  orderAmount: cny('采购单总额').nullable(),
  total: cny('1688应付').nullable(),
  difference: cny('差额').nullable(),
  freight: cny('其中运费').nullable(),
  refund: cny('已退款').nullable(),
  /** What finance has paid for the purchase order. */
  paid: cny('系统已付').nullable(),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 130 }),
  lastStep: z.string().meta({ title: '最新物流', width: 160 }),
  problem: z.string().meta({ title: '说明', width: 200 }),
  paidAt: Instant.nullable().meta({ title: '付款时间', width: 130 }),
  placedByName: z.string().meta({ title: '下单人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '下单时间', width: 130 }),
  orderId: Id,
});
export type TradeRow = z.infer<typeof TradeRow>;
export const TradeFilter = z.object({
  status: TradeStatus,
  differs: z.boolean().meta({ title: '金额不一致' }),
  keyword: z.string().trim().max(100).meta({ title: '采购单、1688订单、运单号' }),
});
const AnyTrade = TradeFilter.partial();
export type TradeFilter = z.infer<typeof AnyTrade>;

export const listTrades = endpoint({
  title: '1688订单列表',
  method: 'POST',
  path: at('orders'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(TradeFilter),
  sortable: ['orderNumber', 'createdAt'],
  reply: Page(TradeRow),
});

export const countTrades = endpoint({
  title: '1688订单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: TradeFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const payUrl = endpoint({
  title: '1688付款链接',
  method: 'POST',
  path: at('payUrl'),
  permission: ORDER,
  access: 'read',
  body: ById,
  reply: z.object({ url: z.string() }),
});

export const cancelTrade = endpoint({
  title: '关闭1688订单',
  method: 'POST',
  path: at('cancel'),
  permission: ORDER,
  body: ById,
  reply: Done,
});

/** Says on the platform that the goods are here, which releases the money: a person's decision, after the receipt. */
export const confirmTrade = endpoint({
  title: '1688确认收货',
  method: 'POST',
  path: at('confirm'),
  permission: CONFIRM,
  body: ById,
  reply: Done,
});

export const pullTrades = endpoint({
  title: '同步1688订单',
  method: 'POST',
  path: at('pull'),
  permission: VIEW,
  reply: z.object({ changed: z.int() }),
});
