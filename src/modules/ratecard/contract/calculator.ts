import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Decimal, Id, Money, Rate } from '#kit/contract/field.ts';

export const VIEW = 'fin:calc:view';
export const EDIT = 'fin:calc:edit';

/** Countries that can be reckoned, with the currency of their fees. */
export const COUNTRIES = [
  { country: 'US', name: '美国', currency: 'USD' },
  { country: 'CA', name: '加拿大', currency: 'CAD' },
  { country: 'MX', name: '墨西哥', currency: 'MXN' },
  { country: 'UK', name: '英国', currency: 'GBP' },
  { country: 'DE', name: '德国', currency: 'EUR' },
  { country: 'FR', name: '法国', currency: 'EUR' },
  { country: 'IT', name: '意大利', currency: 'EUR' },
  { country: 'ES', name: '西班牙', currency: 'EUR' },
  { country: 'JP', name: '日本', currency: 'JPY' },
  { country: 'AU', name: '澳大利亚', currency: 'AUD' },
] as const;

const Side = Decimal.nullable();
/** What the calculator takes from the company: a product as it is packed (cm, kg), and CNY for one unit of each currency. */
export const calculatorFacts = endpoint({
  title: '查看利润测算所需数据',
  method: 'POST',
  path: '/amazon/api/v1/profit/calculator/facts',
  permission: VIEW,
  access: 'read',
  body: z.object({ productId: Id.optional(), day: Day.meta({ title: '汇率日期' }) }),
  reply: z.object({
    /** Null without a product, or where its packaging was not measured. */
    measures: z.object({ length: Side, width: Side, height: Side, weight: Side }).nullable(),
    /** What a piece costs on the day, CNY; null where it is not known, or costs are none of the caller's business. */
    cost: Decimal.nullable(),
    /** Currencies without a rate on the day are absent. */
    rates: z.array(z.object({ currency: Currency, rate: Decimal })),
  }),
});

const fee = (title: string, meta: object = {}) =>
  Money.nullable().meta({ title, currency: 'currency', width: 84, ...meta });

/** One country of the result. */
export const ResultRow = z.object({
  country: z.string().meta({ title: '站点', width: 70 }),
  tier: z.string().nullable().meta({ title: '尺寸分段', width: 120 }),
  billable: Decimal.nullable().meta({ title: '计费重(kg)', width: 90 }),
  price: fee('售价'),
  referral: fee('佣金'),
  fulfilment: fee('配送费'),
  surcharge: fee('附加费', { tip: '燃油与物流附加费' }),
  dsf: fee('数字服务费', { width: 92 }),
  storage: fee('仓储费', { tip: '费率未知的站点不计，并在说明中写明' }),
  vat: fee('VAT'),
  spent: fee('成本', { tip: '采购、头程、关税，按汇率折成站点币种' }),
  shares: fee('广告退货等', { width: 96, tip: '广告、退货、其他比例与固定费用' }),
  profit: fee('利润', { good: 'up' }),
  margin: Rate.nullable().meta({ title: '利润率', width: 80, good: 'up', tip: '利润 ÷ 不含税售价' }),
  problem: z.string().nullable().meta({ title: '说明', width: 170 }),
  currency: Currency.meta({ hidden: true }),
});
export type ResultRow = z.infer<typeof ResultRow>;

/** Margins whose prices are told; the first is the break-even price. */
export const MARGINS = ['0', '0.1', '0.15', '0.2', '0.25', '0.3', '0.5'] as const;

/** Prices of one country at which a margin is reached. */
export const TargetRow = z.object({
  country: z.string().meta({ title: '站点', width: 70 }),
  margin: Rate.meta({ title: '目标利润率', width: 96 }),
  price: Money.nullable().meta({ title: '最低售价', currency: 'currency', width: 100 }),
  ranges: z.string().meta({ title: '可行售价区间', width: 320 }),
  currency: Currency.meta({ hidden: true }),
});
export type TargetRow = z.infer<typeof TargetRow>;
