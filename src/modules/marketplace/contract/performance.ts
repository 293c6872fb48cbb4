import { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, Rate, States } from '#kit/contract/field.ts';

export type MetricCard = 'service' | 'policy' | 'shipping';

export interface MetricDef {
  key: string;
  card: MetricCard;
  title: string;
  kind: 'rate' | 'count' | 'score';
}

export const CARD_TITLES: Record<MetricCard, string> = {
  service: '客户服务',
  policy: '商品政策合规',
  shipping: '配送',
};

const def = (card: MetricCard, kind: MetricDef['kind'], key: string, title: string): MetricDef => ({
  card,
  kind,
  key,
  title,
});

/** What the three cards show, in their order; keys are those of the report, with a dot into its parts. */
export const METRICS: readonly MetricDef[] = [
  def('service', 'rate', 'orderDefectRate.mfn', '订单缺陷率（自配送）'),
  def('service', 'rate', 'orderDefectRate.afn', '订单缺陷率（FBA）'),
  def('service', 'rate', 'invoiceDefectRate', '发票缺陷率'),
  def('policy', 'score', 'accountHealthRating', '账户健康评级'),
  def('policy', 'count', 'suspectedIntellectualPropertyViolations', '涉嫌侵犯知识产权'),
  def('policy', 'count', 'receivedIntellectualPropertyComplaints', '知识产权投诉'),
  def('policy', 'count', 'productAuthenticityCustomerComplaints', '商品真实性投诉'),
  def('policy', 'count', 'productConditionCustomerComplaints', '商品状况投诉'),
  def('policy', 'count', 'productSafetyCustomerComplaints', '商品安全投诉'),
  def('policy', 'count', 'foodAndProductSafetyIssues', '食品和商品安全问题'),
  def('policy', 'count', 'listingPolicyViolations', '上架政策违规'),
  def('policy', 'count', 'restrictedProductPolicyViolations', '受限商品违规'),
  def('policy', 'count', 'customerProductReviewsPolicyViolations', '买家评论政策违规'),
  def('policy', 'count', 'otherPolicyViolations', '其他政策违规'),
  def('policy', 'count', 'documentRequests', '文件要求'),
  def('shipping', 'rate', 'lateShipmentRate', '迟发率'),
  def('shipping', 'rate', 'preFulfillmentCancellationRate', '配送前取消率'),
  def('shipping', 'rate', 'validTrackingRate', '有效追踪率'),
  def('shipping', 'rate', 'onTimeDeliveryRate', '准时交货率'),
  def('shipping', 'rate', 'unitOnTimeDeliveryRate', '件准时率'),
];

export const MetricState = States(
  {
    good: { title: '正常', tone: 'done' },
    warning: { title: '预警', tone: 'waiting' },
    bad: { title: '不达标', tone: 'trouble' },
    none: { title: '无数据', tone: 'off' },
  },
  '状态',
);
export type MetricState = z.infer<typeof MetricState>;

export const Standing = States(
  {
    NORMAL: { title: '账户正常', tone: 'done' },
    AT_RISK: { title: '账户有风险', tone: 'waiting' },
    DEACTIVATED: { title: '账户受限', tone: 'trouble' },
    UNKNOWN: { title: '状态未知', tone: 'off' },
  },
  '账户状态',
);
export type Standing = z.infer<typeof Standing>;

const Condition = z.enum(['LESS_THAN', 'GREATER_THAN']);
export type Condition = z.infer<typeof Condition>;

/** Warned from this part of the way before the limit on, unless a company chose another. */
export const DEFAULT_MARGIN = '0.2';

export interface Judged {
  /** Share as decimal text, 0.01 is 1 %; null where the report has none. */
  value: string | null;
  target: string | null;
  condition: Condition | null;
  /** GOOD, BAD, NONE … as the report says. */
  amazon: string | null;
}

/**
 * 预警 rule: what the marketplace calls bad is bad; a rate within `margin` of its limit warns. LESS_THAN: rate >=
 * (1 - margin) x target. GREATER_THAN: rate <= target + margin x (1 - target).
 */
export function stateOfRate({ value, target, condition, amazon }: Judged, margin = DEFAULT_MARGIN): MetricState {
  if (amazon === 'BAD' || amazon === 'CRITICAL') return 'bad';
  if (amazon === 'NONE' || value === null) return 'none';
  if (amazon === 'AT_RISK') return 'warning';
  if (target === null || condition === null) return 'good';
  const rate = new Decimal(value);
  const limit = new Decimal(target);
  const near =
    condition === 'LESS_THAN'
      ? rate.gte(limit.times(new Decimal(1).minus(margin)))
      : rate.lte(limit.plus(new Decimal(1).minus(limit).times(margin)));
  return near ? 'warning' : 'good';
}

export const Metric = z.object({
  key: z.string(),
  /** rate: share as decimal text; count and score: whole number as text; null without data. */
  value: z.string().nullable(),
  target: z.string().nullable(),
  condition: Condition.nullable(),
  /** Orders, shipments or units that the rate is of. */
  orders: z.int().nullable(),
  /** What is counted against them. */
  part: z.int().nullable(),
  from: Day.nullable(),
  to: Day.nullable(),
  amazon: z.string().nullable(),
});
export type Metric = z.infer<typeof Metric>;

const ShownMetric = Metric.extend({
  title: z.string(),
  card: z.enum(['service', 'policy', 'shipping']),
  kind: z.enum(['rate', 'count', 'score']),
  state: MetricState,
});
export type ShownMetric = z.infer<typeof ShownMetric>;

const base = '/amazon/api/v1/performance';
const Site = z.object({
  groupid: Id.meta({ title: '店铺' }),
  marketplaceid: z.string().min(1, '请选择站点').max(20).meta({ title: '站点' }),
});

export const getPerformance = endpoint({
  title: '店铺绩效',
  method: 'GET',
  path: '/amazon/api/v1/amzauthority/getPerformance',
  permission: 'amz:performance:view',
  concurrent: true,
  query: Site,
  reply: z.object({
    authid: Id,
    sellerid: z.string(),
    standing: Standing,
    /** Null before the first report. */
    day: Day.nullable(),
    capturedAt: Instant.nullable(),
    metrics: z.array(ShownMetric),
  }),
});

export const performanceTrend = endpoint({
  title: '店铺绩效走势',
  method: 'GET',
  path: `${base}/trend`,
  permission: 'amz:performance:view',
  concurrent: true,
  query: Site.extend({ days: z.coerce.number().int().min(7).max(730).default(90).meta({ title: '天数' }) }),
  reply: z.object({
    days: z.array(Day),
    /** Values by metric, one per day; null where the day has none. */
    series: z.record(z.string(), z.array(z.string().nullable())),
    /** The last known target by metric. */
    targets: z.record(z.string(), z.string()),
  }),
});

export const exportPerformance = endpoint({
  title: '导出店铺绩效',
  method: 'GET',
  path: `${base}/export`,
  permission: 'amz:performance:export',
  query: Site.extend({ days: z.coerce.number().int().min(1).max(730).default(90).meta({ title: '天数' }) }),
  file: true,
  reply: z.unknown(),
});

/** Sites with an account, for the pickers of the page. */
export const performanceSites = endpoint({
  title: '店铺绩效站点',
  method: 'GET',
  path: `${base}/sites`,
  permission: 'amz:performance:view',
  concurrent: true,
  reply: z.array(
    z.object({
      groupid: Id,
      store: z.string(),
      authid: Id,
      marketplaceid: z.string(),
      country: z.string(),
      /** The worst state of its metrics; none before the first report. */
      state: MetricState,
    }),
  ),
});

const AlertForm = z.object({
  margin: Rate.refine((text) => Number(text) >= 0 && Number(text) <= 0.9, '预警余量为0%到90%').meta({
    title: '预警余量',
  }),
  muted: z.array(z.string().max(60)).max(METRICS.length).meta({ title: '不预警的指标' }),
});
export type AlertForm = z.infer<typeof AlertForm>;

export const getAlert = endpoint({
  title: '绩效预警设置',
  method: 'GET',
  path: `${base}/alert`,
  permission: 'amz:performance:view',
  concurrent: true,
  reply: AlertForm,
});

export const saveAlert = endpoint({
  title: '保存绩效预警设置',
  method: 'POST',
  path: `${base}/alert`,
  permission: 'amz:performance:config',
  body: AlertForm,
  reply: z.literal('success'),
});

export const ExportRow = z.object({
  day: Day.meta({ title: '日期', width: 110 }),
  title: z.string().meta({ title: '指标', width: 190 }),
  value: z.string().nullable().meta({ title: '数值', width: 100 }),
  target: z.string().nullable().meta({ title: '目标', width: 100 }),
  orders: z.int().nullable().meta({ title: '订单数', kind: 'integer', width: 90 }),
  period: z.string().meta({ title: '统计区间', width: 200 }),
  state: MetricState.meta({ width: 90 }),
});
export type ExportRow = z.infer<typeof ExportRow>;
