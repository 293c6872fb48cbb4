import { z } from 'zod';
import { Choice, Day, Decimal, Money, OptionalText, Quantity } from '#kit/contract/field.ts';
import { AMOUNTS, choice, code, goods, goodsFilter, listOf, pieces, word } from './facts.ts';

/** What Amazon recommends; words that are not known are shown as they are written. */
export const ACTIONS = {
  'No Action Required': choice('无需处理'),
  'Create sale': choice('促销'),
  'Create removal order': choice('创建移除'),
  Restock: choice('补货'),
  'Improve listing': choice('优化商品'),
};

const ALERTS = { 'Out of stock': choice('断货'), 'Low stock': choice('库存偏低'), 'Low traffic': choice('流量偏低') };
const HEALTH = { Healthy: choice('健康'), Low: choice('偏低'), 'Low stock': choice('偏低'), Excess: choice('冗余') };

const age = (title: string, optional = false) =>
  pieces(title, 80).meta({ group: '库龄（天）', ...(optional ? { optional: true } : {}) });
const days = (title: string, tip: string) => Decimal.nullable().meta({ title, tip, width: 90 });
const amount = (title: string) =>
  Money.nullable().meta({ title, currency: 'currency', permission: AMOUNTS, width: 110 });

const FORECAST = '费用预测';
const LOW = '低库存费';
const forecast = (title: string, tip?: string) => amount(title).meta({ group: FORECAST, ...(tip ? { tip } : {}) });

export const PlanningRow = z.object({
  ...goods,
  available: pieces('可售'),
  inboundPieces: pieces('在途'),
  reservedPieces: pieces('预留'),
  unfulfillable: pieces('不可售'),
  age0: age('0–90'),
  age91: age('91–180'),
  age181: age('181–270'),
  age271: age('271–365'),
  age366: age('366–455'),
  age456: age('456+'),
  shipped7: pieces('7天发货', 80).meta({ optional: true }),
  shipped30: pieces('30天发货', 84),
  shipped90: pieces('90天发货', 84).meta({ optional: true }),
  supplyDays: days('供货天数', '亚马逊按近期发货估计可售库存还能卖多少天'),
  historicalDays: days('历史供货天数', '亚马逊用于低库存费判断').meta({ optional: true }),
  excess: pieces('冗余', 70),
  alert: word('提醒', ALERTS, 90),
  action: word('建议动作', ACTIONS, 100),
  health: word('库存水平', HEALTH, 90),
  shipIn: Quantity.nullable().meta({ title: '建议补货量', width: 96 }),
  storageCost: amount('下月仓储费'),
  nextDay: Day.nullable().meta({ title: '下次计费日', width: 100, optional: true, group: FORECAST }),
  nextQty: Quantity.nullable().meta({
    title: '下次计费数量',
    width: 100,
    group: FORECAST,
    tip: '到下次计费日（每月15日）仍在库、库龄达到收费档位的数量；按先进先出和近30天日均发货推算',
  }),
  nextFee: forecast('下次超龄附加费'),
  halfFee: forecast('6个月附加费', '未来6次计费日的附加费合计'),
  halfStorage: forecast('6个月仓储费', '未来6个月的月度仓储费合计；不含在途货物'),
  supply30: days('30天供货天数', '近30天日均库存 ÷ 日均发货').meta({ group: LOW, optional: true }),
  supply90: days('90天供货天数', '近90天日均库存 ÷ 日均发货').meta({ group: LOW, optional: true }),
  lowBand: z.string().meta({
    title: '低库存档位',
    width: 100,
    group: LOW,
    tip: '30天与90天供货天数都低于28天、近7天售出至少20件、且不是新品时收取；按较大的天数分档',
  }),
  lowMonth: amount('低库存费/月').meta({ group: LOW, tip: '单件低库存费 × 近30天发货' }),
  toReach: Quantity.nullable().meta({ title: '补足28天还需', width: 110, group: LOW }),
  currency: z.string().meta({ title: '币种', hidden: true }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type PlanningRow = z.infer<typeof PlanningRow>;

export const PlanningFilter = z.object({
  ...goodsFilter,
  costs: Choice({ aged: '将收超龄附加费', low: '收低库存费' }, '费用'),
  actions: z.array(z.string().max(60)).max(20).meta({ title: '建议动作', kind: 'choice' }),
});
const AnyPlanningFilter = PlanningFilter.partial();
export type PlanningFilter = z.infer<typeof AnyPlanningFilter>;

export const planning = listOf({
  title: 'FBA库龄',
  path: '/amazon/api/v1/inventory/planning',
  row: PlanningRow,
  filter: PlanningFilter,
  sortable: [
    'day',
    'product',
    'available',
    'inboundPieces',
    'reservedPieces',
    'unfulfillable',
    'age0',
    'age91',
    'age181',
    'age271',
    'age366',
    'age456',
    'shipped7',
    'shipped30',
    'shipped90',
    'supplyDays',
    'excess',
    'nextQty',
    'nextFee',
    'halfFee',
    'halfStorage',
    'lowMonth',
    'toReach',
  ],
});

export const StrandedRow = z.object({
  ...goods,
  reason: z.string().meta({ title: '滞留原因', width: 150 }),
  strandedSince: Day.nullable().meta({ title: '滞留日期', width: 100 }),
  unsellableAfter: z.string().meta({ title: '转为不可售日期', width: 120, optional: true }),
  fulfillable: pieces('可售'),
  unfulfillable: pieces('不可售'),
  reservedPieces: pieces('预留'),
  inboundPieces: pieces('在途').meta({ optional: true }),
  status: z.string().meta({ title: '商品状态', width: 110 }),
  detail: z.string().meta({ title: '详细状态', width: 140 }),
  message: z.string().meta({ title: '亚马逊说明', width: 260 }),
  strandedAction: z.string().meta({ title: '亚马逊建议', width: 110 }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type StrandedRow = z.infer<typeof StrandedRow>;

export const StrandedFilter = z.object({ ...goodsFilter, reason: OptionalText(60, '滞留原因') });
const AnyStrandedFilter = StrandedFilter.partial();
export type StrandedFilter = z.infer<typeof AnyStrandedFilter>;

export const stranded = listOf({
  title: '无在售库存',
  path: '/amazon/api/v1/inventory/stranded',
  row: StrandedRow,
  filter: StrandedFilter,
  sortable: ['day', 'product', 'strandedSince', 'fulfillable'],
});
