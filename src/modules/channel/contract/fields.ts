import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Money, OptionalText, Rate } from '#kit/contract/field.ts';

export const VIEW = 'erp:sales:view';
export const IMPORT = 'erp:sales:import';
export const EXPORT = 'erp:sales:export';
/** What products cost is told to those alone who may see costs. */
const COST = 'fin:cost:view';

export const base = '/erp/api/v1/sales';

/** Where orders come from; Amazon's come over its API, those of the others by a sheet. */
export const PLATFORMS = {
  AMAZON: '亚马逊',
  SHOPIFY: '独立站',
  WALMART: '沃尔玛',
  EBAY: 'eBay',
  TEMU: 'Temu',
  TIKTOK: 'TikTok Shop',
  SHEIN: 'SHEIN',
  SHOPEE: 'Shopee',
  LAZADA: 'Lazada',
  ALIEXPRESS: '速卖通',
  MERCADO: '美客多',
  OZON: 'Ozon',
  OTHER: '其它',
} as const;
export type Platform = keyof typeof PLATFORMS;
export const Platform = Choice(PLATFORMS, '平台');

const some = (title: string, most = 200) => z.array(z.uuid()).max(most).meta({ title });

/** Which shops and products: every list of this module can be narrowed by these. */
export const SalesFilter = z.object({
  keyword: OptionalText(100, '本地SKU/品名'),
  platforms: z.array(Platform).max(20).meta({ title: '平台' }),
  shops: some('店铺'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/, '国家为两位字母代码'))
    .max(60)
    .meta({ title: '国家' }),
  skus: z
    .array(z.string().trim().max(100))
    .max(500, '一次最多查询 500 个')
    .meta({ title: '本地SKU', kind: 'code', optional: true }),
  brands: some('品牌').meta({ optional: true }),
  categories: some('品类').meta({ optional: true }),
  owners: some('负责人').meta({ optional: true }),
});

const AnySalesFilter = SalesFilter.partial();
export type SalesFilter = z.infer<typeof AnySalesFilter>;

/** Amounts in CNY, each by the rate of the day of its sale, or in the currency in which it was sold. */
export const InCurrency = Choice({ CNY: '人民币', ORIGINAL: '原币' }, '币种');

export const Period = z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' });

const UNKNOWN = '亚马逊的见利润报表，这里留空';
const amount = (title: string, meta: object = {}) =>
  Money.nullable().meta({ title, currency: 'currency', width: 112, group: '销售', ...meta });

/** The money of a row of sales; null is not known, which is never 0. */
export const MONEY = {
  sales: amount('销售额', { good: 'up', tip: '减去折扣；按销售日' }),
  shipFee: amount('邮费', { tip: `卖家付的运费；${UNKNOWN}` }),
  commission: amount('平台佣金', { tip: UNKNOWN }),
  commissionRate: Rate.nullable().meta({
    title: '佣金率',
    group: '销售',
    width: 84,
    good: 'down',
    tip: 'Σ佣金 ÷ Σ销售额，不含佣金未知的',
  }),
  cost: amount('采购成本', {
    group: '利润',
    permission: COST,
    tip: '件数 × 销售日有效的采购成本；组合产品没有成本时为子件之和',
  }),
  margin: amount('毛利', {
    group: '利润',
    permission: COST,
    good: 'up',
    tip: '销售额 − 邮费 − 平台佣金 − 采购成本，各按销售日汇率；有一项未知时留空',
  }),
  marginRate: Rate.nullable().meta({
    title: '毛利率',
    group: '利润',
    width: 84,
    permission: COST,
    good: 'up',
    tip: '毛利 ÷ 销售额',
  }),
};
export const MONEY_SORT = ['sales', 'shipFee', 'commission', 'commissionRate', 'cost', 'margin', 'marginRate'] as const;

const Named = z.object({ id: Id, name: z.string() });

/** What the filters of these screens offer. */
export const salesOptions = endpoint({
  title: 'ERP销售筛选项',
  method: 'GET',
  path: `${base}/options`,
  permission: VIEW,
  concurrent: true,
  reply: z.object({
    shops: z.array(Named),
    countries: z.array(z.string()),
    brands: z.array(Named),
    categories: z.array(Named),
    people: z.array(Named),
  }),
});
