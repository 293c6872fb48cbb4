import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Currency,
  Day,
  Decimal,
  Id,
  Instant,
  Money,
  OptionalText,
  Product,
  Quantity,
  Rate,
  States,
  Store,
} from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { FulfilledBy, ListingState, Site } from '#modules/listing/contract.ts';

/** Above so many days of cover the stock hardly sells. */
export const SLOW_DAYS = 180;
const COST = 'fin:cost:view';

export const View = Choice({ msku: 'MSKU', asin: 'ASIN', parent: '父ASIN' }, '查看方式');
export type View = z.infer<typeof View>;

export const CoverState = States(
  {
    NORMAL: { title: '正常', tone: 'done' },
    OUT: { title: '断货', tone: 'trouble' },
    SLOW: { title: '滞销', tone: 'waiting' },
    UNSOLD: { title: '无销量', tone: 'off' },
  },
  '库存状态',
);
export type CoverState = z.infer<typeof CoverState>;

/** Which listings are shown at all; the first where nothing is chosen. */
export const Shown = Choice({ shown: '未隐藏', hidden: '已隐藏', gone: '已移除', all: '不限' }, '显示状态');

const sales = { group: '销售' };
const traffic = { group: '近7天流量' };
const ads = { group: '近7天广告' };
const stock = { group: '库存' };
const profit = { group: '近30天利润' };
const rank = { group: '排名' };
const pieces = (title: string, meta: object = {}) => Quantity.nullable().meta({ title, width: 84, ...meta });
const amount = (title: string, meta: object = {}) =>
  Money.nullable().meta({ title, currency: 'currency', width: 104, ...meta });
const share = (title: string, tip: string, meta: object = {}) =>
  Rate.nullable().meta({ title, tip, width: 88, ...meta });

/** By how many places a rank fell: below zero is better. */
const move = (title: string, tip: string) =>
  z
    .int()
    .nullable()
    .meta({ title, kind: 'integer', width: 88, good: 'down', optional: true, ...rank, tip });

/** A tag as it stands on a row. */
const TagOnRow = z.object({ id: Id, name: z.string(), color: z.string() });

/**
 * One listing, or all listings of an ASIN or of a parent on a site. Ratios are those of the sums; null: not known. Pieces
 * of a stock that sites share are those of the whole stock in each of their rows: `sharedBy` tells how many sites that
 * are, and `leads` which row stands for it.
 */
export const WallRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  product: Product.meta({ title: '商品', kind: 'product', width: 300, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  listings: Quantity.meta({
    title: '商品数',
    width: 76,
    optional: true,
    tip: '按 ASIN 或父 ASIN 查看时，合在一行的 MSKU 数',
  }),
  state: ListingState.nullable().meta({ title: '商品状态', width: 90 }),
  price: amount('售价'),
  currency: Currency.meta({ hidden: true }),
  owner: z.string().nullable().meta({ title: '负责人', kind: 'person', width: 100 }),
  units7: pieces('7日销量', { ...sales, good: 'up' }),
  units15: pieces('15日销量', { ...sales, optional: true }),
  units30: pieces('30日销量', sales),
  avgDaily: Decimal.nullable().meta({
    title: '日均销量',
    width: 88,
    ...sales,
    tip: '按 30/15/7 日权重加权；不足窗口的新品按上架天数',
  }),
  orders30: pieces('30日订单', { ...sales, optional: true }),
  sales7: amount('7日销售额', sales),
  sales30: amount('30日销售额', { ...sales, optional: true }),
  returns30: pieces('30日退货', { ...sales, optional: true, tip: 'FBA 退货件数' }),
  returnRate: share('退货率', '30日退货 ÷ 30日销量', { ...sales, good: 'down' }),
  sessions7: pieces('访问次数', traffic),
  pageViews7: pieces('浏览次数', { ...traffic, optional: true }),
  conversion7: share('商品转化率', '流量报表的销量 ÷ 访问次数', traffic),
  featured7: share('购物车比例', '按浏览次数加权', traffic),
  impressions7: pieces('曝光量', { ...ads, optional: true }),
  clicks7: pieces('点击量', ads),
  ctr7: share('点击率', '点击量 ÷ 曝光量', { ...ads, optional: true }),
  cpc7: amount('每次点击', { ...ads, optional: true, tip: '花费 ÷ 点击量' }),
  adSpend7: amount('花费', { ...ads, tip: '商品推广与展示型推广，不含品牌推广' }),
  adOrders7: pieces('广告订单', ads),
  adSales7: amount('广告销售额', { ...ads, optional: true }),
  cvr7: share('广告转化率', '广告订单 ÷ 点击量', { ...ads, optional: true }),
  acos7: share('ACoS', '花费 ÷ 广告销售额；有花费而没有销售额时不计算', { ...ads, good: 'down' }),
  acoas7: share('ACoAS', '花费 ÷ 7日销售额；有花费而没有销售额时不计算', { ...ads, good: 'down' }),
  coverState: CoverState.nullable().meta({ title: '库存状态', width: 88, ...stock }),
  fulfillable: pieces('可售', { ...stock, tip: '共用库存的站点显示同一份库存，合计只算一次' }),
  sellable: pieces('可售+在途仓间', { ...stock, optional: true, width: 110, tip: '可售 + 预留调拨 + 预留处理中' }),
  inbound: pieces('在途', stock),
  coverDays: Decimal.nullable().meta({
    title: '可售天数',
    width: 88,
    ...stock,
    tip: '（可售 + 预留调拨 + 预留处理中）÷ 共用库存各站点的日均销量之和',
  }),
  transitDays: Decimal.nullable().meta({ title: '在途天数', width: 88, ...stock, tip: '在途 ÷ 日均销量' }),
  stockDays30: pieces('30日有货天数', { ...stock, optional: true, width: 110, tip: '每天都有库存快照时才有' }),
  sharedBy: Quantity.meta({ title: '共用站点数', width: 96, optional: true, ...stock }),
  netSales30: amount('净销售额', { ...profit, optional: true }),
  platformNet30: amount('SKU结算', { ...profit, optional: true }),
  cogs30: amount('采购成本', { ...profit, optional: true, permission: COST }),
  profit30: amount('毛利润', { ...profit, good: 'up', permission: COST, tip: '同利润报表 MSKU 维度的毛利润' }),
  margin30: share('毛利率', '毛利润 ÷ 净销售额', { ...profit, good: 'up', permission: COST }),
  costMissing30: pieces('缺成本件数', { ...profit, optional: true, width: 96, permission: COST }),
  groupTitle: z
    .string()
    .nullable()
    .meta({ title: '大类', width: 130, optional: true, ...rank }),
  groupRank: pieces('大类排名', { ...rank, good: 'down', tip: '销售排名，数字越小越好；7天内没有读到则为空' }),
  groupMove1: move('大类较昨日', '比前一天的名次；负数为上升'),
  groupMove7: move('大类较7天前', '比七天前的名次；负数为上升'),
  classTitle: z
    .string()
    .nullable()
    .meta({ title: '小类', width: 150, optional: true, ...rank }),
  classRank: pieces('小类排名', { ...rank, good: 'down', tip: '最细分类的销售排名，有多个时取最好的' }),
  classMove1: move('小类较昨日', '比前一天的名次；负数为上升，换了小类不比较'),
  classMove7: move('小类较7天前', '比七天前的名次；负数为上升，换了小类不比较'),
  rankDay: Day.nullable().meta({ title: '排名日期', width: 100, optional: true, ...rank }),
  tags: z.array(TagOnRow).meta({ title: '标签', width: 140, optional: true }),
  remark: z.string().meta({ title: '备注', width: 180, optional: true }),
  fulfilledBy: FulfilledBy.nullable().meta({ title: '配送方式', width: 84, optional: true }),
  asin: z.string().nullable().meta({ title: 'ASIN', kind: 'code', width: 116, optional: true }),
  parentAsin: z.string().nullable().meta({ title: '父ASIN', kind: 'code', width: 116, optional: true }),
  openedAt: Instant.nullable().meta({ title: '上架时间', width: 120, optional: true }),
  salesTo: Day.nullable().meta({ title: '销量截至', width: 100, optional: true }),
  trafficTo: Day.nullable().meta({ title: '流量截至', width: 100, optional: true }),
  adsTo: Day.nullable().meta({ title: '广告截至', width: 100, optional: true }),
  stockAt: Instant.nullable().meta({ title: '库存时间', width: 120, optional: true }),
  profitTo: Day.nullable().meta({ title: '利润截至', width: 100, optional: true }),
  leads: z.boolean().meta({ title: '代表共用库存', hidden: true }),
  hidden: z.boolean().meta({ title: '隐藏', hidden: true }),
  ownerId: Id.nullable(),
  accountId: Id,
  marketplaceId: z.string(),
  sellerSku: z.string().nullable(),
});
export type WallRow = z.infer<typeof WallRow>;

const Range = (title: string) =>
  z
    .object({ from: z.number().optional(), to: z.number().optional() })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, `${title}的上限不能小于下限`)
    .meta({ title, optional: true });

export const WallFilter = z.object({
  view: View,
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  owners: z.array(z.uuid()).max(100).meta({ title: '负责人', kind: 'choice' }),
  keyword: OptionalText(100, '标题/SKU/ASIN'),
  skus: z.array(z.string().max(60)).max(500, '一次最多查询 500 个').meta({ title: 'MSKU/ASIN' }),
  cover: z.array(CoverState).max(4).meta({ title: '库存状态' }),
  state: z.array(ListingState).max(5).meta({ title: '商品状态', optional: true }),
  fulfilledBy: FulfilledBy.meta({ optional: true }),
  tags: z.array(z.uuid()).max(50).meta({ title: '标签', kind: 'choice', optional: true }),
  shown: Shown.meta({ optional: true }),
  unowned: z.boolean().meta({ title: '没有负责人', optional: true }),
  remarked: z.boolean().meta({ title: '有备注', optional: true }),
  wasted: z.boolean().meta({ title: '有花费无销售', optional: true }),
  units30: Range('30日销量'),
  avgDaily: Range('日均销量'),
  coverDays: Range('可售天数'),
  sessions7: Range('7日访问次数'),
  conversion7: Range('商品转化率(%)'),
  adSpend7: Range('7日广告花费'),
  acos7: Range('ACoS(%)'),
  margin30: Range('毛利率(%)'),
});
const AnyWallFilter = WallFilter.partial();
export type WallFilter = z.infer<typeof AnyWallFilter>;

export const base = '/amazon/api/v1/product/listing';
export const VIEW = 'amz:analysis:view';

export const listWall = endpoint({
  title: '商品分析列表',
  method: 'POST',
  path: `${base}/page`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(WallFilter),
  sortable: [
    'product',
    'price',
    'units7',
    'units15',
    'units30',
    'avgDaily',
    'orders30',
    'sales7',
    'sales30',
    'returns30',
    'returnRate',
    'sessions7',
    'pageViews7',
    'conversion7',
    'featured7',
    'impressions7',
    'clicks7',
    'ctr7',
    'cpc7',
    'adSpend7',
    'adOrders7',
    'adSales7',
    'cvr7',
    'acos7',
    'acoas7',
    'fulfillable',
    'sellable',
    'inbound',
    'coverDays',
    'transitDays',
    'netSales30',
    'platformNet30',
    'cogs30',
    'profit30',
    'margin30',
    'openedAt',
    'groupRank',
    'groupMove1',
    'groupMove7',
    'classRank',
    'classMove1',
    'classMove7',
  ],
  reply: Page(WallRow),
});

export const exportWall = endpoint({
  title: '导出商品分析',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:analysis:export',
  file: true,
  body: ExportQuery(WallFilter),
  reply: z.unknown(),
});
