import { z } from 'zod';
import { Choice, Decimal, Money, OptionalText, Rate } from '#kit/contract/field.ts';

export const Strategy = Choice(
  { FEATURED: '跟随购物车', LOWEST: '跟随最低价', HOLD_AND_RAISE: '守住购物车并提价' },
  '策略',
);
export type Strategy = z.infer<typeof Strategy>;

const whole = (title: string, min: number, max: number) =>
  z.int().min(min, `${title}不能小于 ${min}`).max(max, `${title}不能大于 ${max}`).meta({ title, kind: 'integer' });
/** A share of one, e.g. "0.1" for 10 %. */
const share = (title: string, most = 1) =>
  Rate.refine((value) => Number(value) >= 0 && Number(value) < most, `${title}应在 0 与 ${most * 100}% 之间`).meta({
    title,
  });
const amount = (title: string) => Money.refine((value) => Number(value) >= 0, `${title}不能小于 0`).meta({ title });

export const Weekday = Choice(
  { MON: '周一', TUE: '周二', WED: '周三', THU: '周四', FRI: '周五', SAT: '周六', SUN: '周日' },
  '执行日',
);

/** How a rule decides. Amounts are in the currency of each listing; days and hours are those of its site. */
export const RuleSettings = z.object({
  strategy: Strategy,
  /** Added to the price that is followed: -0.05 undercuts by five cents. */
  offset: Decimal.refine((value) => Math.abs(Number(value)) <= 10_000, '跟价差额过大').meta({
    title: '跟价差额',
    tip: '在对手到手价上加减的金额，-0.05 为低 0.05',
  }),
  raiseStep: amount('提价触发差额').meta({
    title: '提价触发差额',
    tip: '持有购物车且下一个对手高出至少这个金额时提价',
  }),
  noCompetition: Choice({ hold: '保持现价', max: '调至最高价' }, '无竞争时'),
  belowMin: Choice({ hold: '保持现价', min: '停在最低价', max: '调至最高价' }, '低于最低价时'),
  minPositive: whole('对手好评率下限%', 0, 100),
  minRatings: whole('对手评价数下限', 0, 1_000_000),
  channel: Choice({ all: 'FBA 与 FBM', fba: '仅 FBA', fbm: '仅 FBM' }, '对手配送方式'),
  fbmShift: share('FBM 对手加价').meta({ title: 'FBM 对手加价', tip: '本店为 FBA 时，FBM 对手的到手价先上浮这个比例' }),
  excludedSellers: OptionalText(500, '排除的卖家').meta({ title: '排除的卖家', tip: '卖家编号，用逗号隔开' }),
  dailyDrop: share('日降幅上限').meta({ title: '日降幅上限', tip: '相对站点当天 0 点的售价' }),
  cooldownMin: whole('冷却时间(分钟)', 15, 1_440),
  minChange: amount('最小调价幅度'),
  maxPerHour: whole('每小时调价上限', 1, 4),
  guard: z.boolean().meta({ title: '保本价保护', tip: '按成本与目标利润计算最低价；成本缺失时该商品暂停' }),
  margin: share('目标利润率', 0.9),
  adShare: share('广告费占比', 0.9),
  referral: share('佣金比例', 0.5),
  referralMin: amount('最低佣金'),
  vat: share('增值税率', 0.5),
  weekdays: z.array(Weekday).max(7).default([]).meta({ title: '执行日', tip: '站点时间；留空为每天' }),
  hourFrom: whole('开始时刻', 0, 23),
  hourTo: whole('结束时刻', 1, 24),
});
export type RuleSettings = z.infer<typeof RuleSettings>;

/** What a new rule begins with. */
export const DEFAULTS: RuleSettings = {
  strategy: 'FEATURED',
  offset: '-0.01',
  raiseStep: '0.50',
  noCompetition: 'hold',
  belowMin: 'min',
  minPositive: 85,
  minRatings: 10,
  channel: 'all',
  fbmShift: '0',
  dailyDrop: '0.1',
  cooldownMin: 15,
  minChange: '0.01',
  maxPerHour: 4,
  guard: true,
  margin: '0.1',
  adShare: '0',
  referral: '0.15',
  referralMin: '0',
  vat: '0',
  weekdays: [],
  hourFrom: 0,
  hourTo: 24,
};
