import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import {
  Choice,
  Currency,
  Day,
  Id,
  Instant,
  Money,
  OptionalText,
  Product,
  Quantity,
  Rate,
  Store,
} from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Site } from '#modules/listing/contract.ts';
import { VIEW } from './wall.ts';

const base = '/amazon/api/v1/sales/rank';

/** A fall in seven days, in percent, that somebody should look at where nobody says otherwise. */
export const FALLEN = 30;
/** Whose the Buy Box is where it is ours, and where it is nobody's. */
export const OURS = '自己';
export const NOBODY = '无';

const group = { group: '大类排名' };
const narrow = { group: '小类排名' };
const box = { group: '购物车' };
const places = (title: string, meta: object) => Quantity.nullable().meta({ title, width: 72, good: 'down', ...meta });
/** By how many places a rank fell: below zero is better. */
const move = (title: string, tip: string, meta: object) => places(title, { tip, ...meta });
const words = (title: string, meta: object) =>
  z
    .string()
    .nullable()
    .meta({ title, width: 104, ...meta });
const price = (title: string, tip: string) =>
  Money.nullable().meta({ title, tip, currency: 'currency', width: 92, ...box });
const WEEK = '最近一次读取及之前六天里，同一类目的';

/** A listing on sale: its ranks, and who has the Buy Box. Null: not known. */
export const RankRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 240, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 112 }),
  owner: z.string().nullable().meta({ title: '负责人', kind: 'person', width: 76 }),
  holder: z
    .string()
    .nullable()
    .meta({ title: '购物车归属', width: 130, ...box }),
  share: Rate.nullable().meta({
    title: '占有率(采样)',
    width: 96,
    good: 'up',
    ...box,
    tip: '有购物车的时间 ÷ 观测到的时间，按站点日；相邻两次读取超过6小时的时间不算观测到',
  }),
  coverage: Rate.nullable().meta({
    title: '采样覆盖率',
    width: 96,
    optional: true,
    ...box,
    tip: '观测到的时间 ÷ 所选时间',
  }),
  official: Rate.nullable().meta({
    title: '占有率(官方)',
    width: 96,
    good: 'up',
    ...box,
    tip: '同样几天的销售与流量报告，按浏览次数加权；报告晚一两天',
  }),
  ownPrice: price('自己到手价', '售价 + 运费 − 积分'),
  lowestPrice: price('最低到手价', '所有卖家全新报价中的最低到手价'),
  rivals: Quantity.nullable().meta({ title: '跟卖数', width: 64, ...box, tip: '其他卖家的全新报价数' }),
  fall: Rate.nullable().meta({
    title: '7日跌幅',
    width: 88,
    good: 'down',
    tip: '大类、小类中跌得多的一个：较7天前跌的名次 ÷ 7天前的名次；负数为上升',
  }),
  classTitle: words('小类', { ...narrow, width: 116 }),
  classRank: places('现在', { ...narrow, tip: '最细分类的销售排名，有多个时取最好的' }),
  classBest7: places('7日最好', { ...narrow, tip: `${WEEK}最好名次` }),
  classMedian7: places('7日中位', { ...narrow, tip: `${WEEK}中位数；双数时取较好的一个` }),
  classMove1: move('较昨日', '比前一天的名次；负数为上升，换了小类不比较', narrow),
  classMove7: move('较7天前', '比七天前的名次；负数为上升，换了小类不比较', narrow),
  groupTitle: words('大类', group),
  groupRank: places('现在', { ...group, tip: '销售排名，数字越小越好；7天内没有读到则为空' }),
  groupBest7: places('7日最好', { ...group, tip: `${WEEK}最好名次` }),
  groupMedian7: places('7日中位', { ...group, tip: `${WEEK}中位数；双数时取较好的一个` }),
  groupMove1: move('较昨日', '比前一天的名次；负数为上升', group),
  groupMove7: move('较7天前', '比七天前的名次；负数为上升', group),
  currency: Currency.meta({ hidden: true }),
  rankAt: Instant.nullable().meta({ title: '排名时间', width: 120, tip: '每日读取两次' }),
  offersAt: Instant.nullable().meta({ title: '报价时间', width: 120, tip: '报价变化时通知，此外约每五小时读取一次' }),
  /** Whether we offer it, and have not the Buy Box. */
  lost: z.boolean().meta({ title: '掉车中', hidden: true }),
});
export type RankRow = z.infer<typeof RankRow>;

export const RankFilter = z.object({
  tab: Choice({ lost: '掉车中', fallen: '排名下跌' }, '范围'),
  /** Whole days of the site that end with yesterday, or the present day so far. */
  period: Choice({ today: '今日', days7: '近7天', days14: '近14天', days30: '近30天' }, '占有率时间'),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  owners: z.array(z.uuid()).max(100).meta({ title: '负责人', kind: 'choice' }),
  keyword: OptionalText(100, '标题/SKU/ASIN'),
  skus: z.array(z.string().max(60)).max(500, '一次最多查询 500 个').meta({ title: 'MSKU/ASIN' }),
  lost: z.boolean().meta({ title: '掉车中' }),
  fall: z.int().min(0).max(100_000).meta({ title: '排名跌幅超过(%)' }),
});
const AnyRankFilter = RankFilter.partial();
export type RankFilter = z.infer<typeof AnyRankFilter>;

export const listRanks = endpoint({
  title: '排名与购物车',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(RankFilter),
  sortable: [
    'product',
    'groupRank',
    'groupMove1',
    'groupMove7',
    'classRank',
    'classMove1',
    'classMove7',
    'fall',
    'share',
  ],
  reply: Page(RankRow),
});

/** Listings of each tab under the other filters, "all" for all of them; one may be in several. */
export const countRanks = endpoint({
  title: '排名与购物车数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: RankFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportRanks = endpoint({
  title: '导出排名与购物车',
  method: 'POST',
  path: `${base}/export`,
  permission: 'amz:analysis:export',
  file: true,
  body: ExportQuery(RankFilter),
  reply: z.unknown(),
});

/** A day of the site; null where that day was not told. */
export const RankDay = z.object({
  day: Day.meta({ title: '日期', width: 100 }),
  groupRank: Quantity.nullable().meta({ title: '大类排名' }),
  classRank: Quantity.nullable().meta({ title: '小类排名' }),
  units: Quantity.nullable().meta({ title: '销量' }),
  share: Rate.nullable().meta({ title: '占有率(采样)', width: 104 }),
  coverage: Rate.nullable().meta({
    title: '采样覆盖率',
    width: 96,
    tip: '观测到的时间 ÷ 首次与最近一次读取之间的时间',
  }),
  official: Rate.nullable().meta({ title: '占有率(官方)', width: 104 }),
});
export type RankDay = z.infer<typeof RankDay>;

/** A time in which we offered a product and somebody else, or nobody, had its Buy Box. Landed prices when it began. */
export const LostSpell = z.object({
  from: Instant.meta({ title: '失去时间', width: 130 }),
  to: Instant.nullable().meta({ title: '结束时间', width: 130 }),
  holder: z.string().meta({ title: '购物车卖家', width: 160 }),
  featuredPrice: Money.nullable().meta({ title: '购物车到手价', currency: 'currency', width: 110 }),
  ownPrice: Money.nullable().meta({ title: '自己到手价', currency: 'currency', width: 110 }),
  currency: Currency.meta({ hidden: true }),
});
export type LostSpell = z.infer<typeof LostSpell>;

export const rankDetail = endpoint({
  title: '排名与购物车明细',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  query: z.object({ days: z.enum(['30', '60', '90']).default('30').meta({ title: '天数' }) }),
  reply: z.object({
    row: RankRow,
    sellerSku: z.string(),
    /** Oldest first, to the present day of the site. */
    days: z.array(RankDay),
    /** Newest first, of the last ninety days. */
    lost: z.array(LostSpell),
  }),
});
