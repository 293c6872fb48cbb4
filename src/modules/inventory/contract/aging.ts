import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Decimal, Instant, Money, Text } from '#kit/contract/field.ts';
import { AMOUNTS, pieces, RowKey } from './facts.ts';

const base = '/amazon/api/v1/inventory/aging';
const VIEW = 'amz:inventory:view';
/** Who keeps the rates by which storage and surcharges are reckoned. */
export const RATE_EDIT = 'amz:inventory:rate:edit';

/** What Amazon charges for by a card of rates. */
export const RateKind = Choice({ STORAGE: '月度仓储费', AGED: '超龄附加费', LOW: '低库存费' }, '费率类型');
export type RateKind = z.infer<typeof RateKind>;

/** Goods that a band is for. STANDARD stands for SMALL, LARGE and HEAVY together, ALL for everything. */
export const RateTier = Choice(
  {
    ALL: '全部',
    STANDARD: '标准尺寸',
    OVERSIZE: '大件',
    SMALL: '小号标准',
    LARGE: '大号标准（3磅内）',
    HEAVY: '大号标准（3磅以上）',
  },
  '尺寸',
);
export type RateTier = z.infer<typeof RateTier>;

const Rate = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,6}(\.\d{1,6})?$/, `${title}应为不超过6位小数的非负数`)
    .nullable()
    .meta({ title, kind: 'rate' });

/** STORAGE: months 1 to 12; AGED: age in days; LOW: days of supply. Both ends count; an open end has no `to`. */
export const RateBand = z
  .object({
    tier: RateTier,
    from: z.int('起始应为整数').min(0, '起始不能为负').max(10_000).meta({ title: '从' }),
    to: z.int('截止应为整数').min(0, '截止不能为负').max(10_000).nullable().meta({ title: '到' }),
    perVolume: Rate('每体积单位'),
    perUnit: Rate('每件'),
    exempt: z.boolean().default(false).meta({ title: '服饰鞋包珠宝免收' }),
  })
  .refine(({ from, to }) => to === null || from <= to, '截止不能小于起始')
  .refine(({ perVolume, perUnit }) => perVolume !== null || perUnit !== null, '请填写每体积单位或每件的费率');
export type RateBand = z.infer<typeof RateBand>;

/** Rates of one kind in one country from a day on. Of several cards the newest one that is valid on the day counts. */
export const RateCard = z.object({
  kind: RateKind,
  country: z
    .string()
    .trim()
    .regex(/^[A-Z]{2}$/, '请选择国家')
    .meta({ title: '国家' }),
  validFrom: Day.meta({ title: '生效日' }),
  currency: z
    .string()
    .trim()
    .regex(/^[A-Z]{3}$/, '请输入三位币种代码')
    .meta({ title: '币种' }),
  volumeUnit: Choice({ FT3: '立方英尺', M3: '立方米' }, '体积单位'),
  bands: z.array(RateBand).min(1, '至少填写一档费率').max(60, '一张费率卡最多60档').meta({ title: '费率' }),
});
export type RateCard = z.infer<typeof RateCard>;

const CardRow = RateCard.extend({ own: z.boolean().meta({ title: '本公司维护' }) });
export type RateCardRow = z.infer<typeof CardRow>;

export const readRateCards = endpoint({
  title: '仓储费率',
  method: 'GET',
  path: `${base}/rates`,
  permission: VIEW,
  reply: z.array(CardRow),
});

/** Writes a card of the company's own; one of the same kind, country and day is replaced. */
export const saveRateCard = endpoint({
  title: '保存仓储费率',
  method: 'POST',
  path: `${base}/rates`,
  permission: RATE_EDIT,
  body: RateCard,
  reply: z.array(CardRow),
});

/** Takes a card of the company's own away: the usual rates count again. */
export const dropRateCard = endpoint({
  title: '删除仓储费率',
  method: 'POST',
  path: `${base}/rates/drop`,
  permission: RATE_EDIT,
  body: RateCard.pick({ kind: true, country: true, validFrom: true }),
  reply: z.array(CardRow),
});

const amount = (title: string) =>
  Money.nullable().meta({ title, currency: 'currency', permission: AMOUNTS, width: 110 });

/** One month of a forecast: the surcharge of its 15th, and the storage of the calendar month. */
export const AgingMonth = z.object({
  day: Day.meta({ title: '计费日', width: 100 }),
  left: pieces('剩余库存'),
  chargedQty: pieces('计费数量'),
  surcharge: amount('超龄附加费'),
  storage: amount('月度仓储费'),
  currency: z.string().meta({ title: '币种', hidden: true }),
});
export type AgingMonth = z.infer<typeof AgingMonth>;

/** Goods that came in on one day and lie there still, as first in, first out leaves them. */
export const AgingLayer = z.object({
  day: Day.meta({ title: '入库日', width: 100 }),
  age: pieces('库龄（天）'),
  quantity: pieces('数量'),
  estimated: z.boolean().meta({ title: '库龄为估计', kind: 'boolean', width: 100 }),
});
export type AgingLayer = z.infer<typeof AgingLayer>;

const Plan = z.object({
  months: z.array(AgingMonth),
  surcharge: amount('6个月附加费'),
  storage: amount('6个月仓储费'),
  removal: amount('移除费'),
  total: amount('合计'),
});
export type AgingPlan = z.infer<typeof Plan>;

/**
 * What lying there costs for six months if nothing is done, and with what somebody would do: other daily sales, and pieces,
 * the oldest first, that are taken out now at a price each.
 */
export const agingForecast = endpoint({
  title: '库龄费用测算',
  method: 'POST',
  path: `${base}/forecast`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    id: RowKey.min(1, '请选择商品').meta({ title: '商品' }),
    perDay: Decimal.nullable().default(null).meta({ title: '日均销量' }),
    remove: z.int('移除数量应为整数').min(0, '移除数量不能为负').max(10_000_000).default(0).meta({ title: '移除数量' }),
    removeFee: Decimal.nullable().default(null).meta({ title: '单件移除费' }),
  }),
  reply: z.object({
    product: Text(500, '商品'),
    currency: z.string().meta({ title: '币种' }),
    perDay: Decimal.meta({ title: '日均销量' }),
    /** Cubic feet of a piece; null where no report tells its size. */
    volume: Decimal.nullable().meta({ title: '单件体积(ft³)' }),
    tier: RateTier,
    exempt: z.boolean().meta({ title: '服饰鞋包珠宝' }),
    /** Why money cannot be told, in Chinese. */
    missing: z.array(z.string()),
    layers: z.array(AgingLayer),
    hold: Plan,
    plan: Plan.nullable(),
    reckonedAt: Instant.meta({ title: '计算时间' }),
  }),
});
