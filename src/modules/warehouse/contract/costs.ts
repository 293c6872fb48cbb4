import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Money, OptionalText, Product, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { TaskState } from '#modules/system/contract.ts';

/** A filter as it comes: every part may be missing. */
type Loose<T> = { [K in keyof T]?: T[K] | undefined };

const base = '/erp/api/v1/inventory';
const COST = { currency: 'CNY', permission: 'erp:inv:cost' } as const;
export const REVALUE = 'erp:inv:revalue';
export const PERIODS = 'erp:inv:period';

export const CostComponent = Choice(
  {
    purchase: '采购成本',
    localFreight: '国内运费',
    firstLeg: '头程运费',
    duty: '关税',
    processing: '加工费',
    placement: '入库配置费',
    other: '其他费用',
  },
  '成本项目',
);

/** Value for the pieces that one layer brought; those that are gone make it a variance. */
export const CostForm = z.object({
  component: CostComponent.default('firstLeg'),
  amount: z
    .string()
    .trim()
    .regex(/^-?\d{1,12}(\.\d{1,4})?$/, '补录金额须为数字，最多4位小数，冲减时为负数')
    .meta({ title: '补录金额', kind: 'money', currency: 'CNY' }),
  final: z.boolean().default(true).meta({ title: '成本已结清', kind: 'boolean' }),
  reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
});

export const addLayerCost = endpoint({
  title: '补录成本',
  method: 'POST',
  path: `${base}/layers/revalue`,
  permission: REVALUE,
  body: CostForm.extend({
    layerId: z.uuid().meta({ title: '成本层' }),
    /** A second command with the same id changes nothing. */
    clientId: z.uuid().meta({ title: '操作标识' }),
  }),
  reply: z.object({ number: z.string(), toLayers: Money, variance: Money, repeated: z.boolean() }),
});

/** A value that came late, and what became of it. */
export const RevaluationRow = z.object({
  id: z.string(),
  at: Instant.meta({ title: '时间', width: 140, pinned: 'left' }),
  businessDate: Day.meta({ title: '业务日期', width: 100 }),
  number: z.string().meta({ title: '单号', kind: 'code', width: 140 }),
  product: Product.meta({ title: '产品', kind: 'product', width: 260 }),
  warehouse: z.string().meta({ title: '入库仓库', kind: 'text', width: 120 }),
  origin: z.string().meta({ title: '原单据', kind: 'code', width: 140 }),
  component: CostComponent.meta({ width: 110 }),
  amount: Money.meta({ title: '补录金额', width: 120, ...COST }),
  toLayers: Money.meta({ title: '计入库存', width: 120, ...COST, tip: '仍在库存中的数量分到的金额' }),
  variance: Money.meta({ title: '成本差异', width: 120, ...COST, tip: '已出库的数量分到的金额，计入当期' }),
  operator: z.string().meta({ title: '操作人', kind: 'person', width: 118 }),
  note: z.string().meta({ title: '原因', kind: 'text', width: 200 }),
  path: z.string().nullable(),
  productId: Id,
});
export type RevaluationRow = z.infer<typeof RevaluationRow>;

export const RevaluationFilter = z.object({
  period: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '业务日期', kind: 'date' }),
  keyword: OptionalText(100, 'SKU/名称'),
  number: OptionalText(60, '单号'),
  component: CostComponent,
});
export type RevaluationFilter = Loose<z.infer<typeof RevaluationFilter>>;

export const listRevaluations = endpoint({
  title: '成本补录记录',
  method: 'POST',
  path: `${base}/layers/revaluations`,
  permission: 'erp:inv:cost',
  access: 'read',
  body: PageQuery(RevaluationFilter),
  sortable: ['at', 'product', 'amount'],
  reply: Page(RevaluationRow),
});

export const Valuation = Choice({ FIFO: '先进先出', AVERAGE: '移动加权平均', MONTHLY: '月末加权平均' }, '计价方法');
export type Valuation = z.infer<typeof Valuation>;

/** How a company keeps its stock. */
export const StockSetting = z.object({
  valuation: Valuation,
  fifoBy: Choice({ DATE: '首次入库日', SEQUENCE: '入层顺序' }, '先进先出依据'),
  backdateDays: z.int().min(0).max(31).meta({ title: '补录天数', kind: 'integer' }),
  shelfLifeDays: z.int().min(0).max(3650).meta({ title: '最短剩余效期(天)', kind: 'integer' }),
});
export type StockSetting = z.infer<typeof StockSetting>;

/** `valuation` is the method chosen last; another one holds today until `valuationFrom`, the first day of a month. */
export const StockSettingNow = StockSetting.extend({
  valuationNow: Valuation.meta({ title: '现行计价方法' }),
  valuationFrom: Day.nullable().meta({ title: '计价方法生效日' }),
});
export type StockSettingNow = z.infer<typeof StockSettingNow>;

export const readStockSetting = endpoint({
  title: '库存设置',
  method: 'GET',
  path: `${base}/setting`,
  permission: 'erp:inv:view',
  reply: StockSettingNow,
});

export const saveStockSetting = endpoint({
  title: '保存库存设置',
  method: 'POST',
  path: `${base}/setting`,
  permission: PERIODS,
  body: StockSetting,
  reply: StockSettingNow,
});

export const PERIOD_STATES = {
  OPEN: { title: '未关账', tone: 'running' },
  CLOSED: { title: '已关账', tone: 'done' },
} as const;
export const PeriodState = States(PERIOD_STATES);

export const PeriodRow = z.object({
  /** yyyy-MM */
  month: z.string().meta({ title: '账期', kind: 'code', width: 110 }),
  state: PeriodState.meta({ width: 100 }),
  postings: z.int().meta({ title: '过账笔数', kind: 'integer', width: 100 }),
  valuation: Valuation.meta({ width: 110 }),
  /** What closings added to the cost of what left the company in the month; null where none priced it. */
  restated: Money.nullable().meta({
    title: '出库成本调整',
    width: 120,
    ...COST,
    tip: '月末加权结转时，当月出库成本比暂估多计的金额',
  }),
  changedBy: z.string().meta({ title: '操作人', kind: 'person', width: 110 }),
  changedAt: Instant.nullable().meta({ title: '操作时间', width: 140 }),
  /** The month is over. */
  over: z.boolean(),
  /** The last attempt to close it in the background, where it did not end well or has not ended. */
  task: z
    .object({
      id: Id,
      state: TaskState,
      progress: z.int(),
      detail: z.string().nullable(),
      error: z.string().nullable(),
      userName: z.string().nullable(),
      /** Started by the caller, who may call it off. */
      mine: z.boolean(),
    })
    .nullable(),
});
export type PeriodRow = z.infer<typeof PeriodRow>;

/** Months from the first posting to this one, the newest first. */
export const listPeriods = endpoint({
  title: '库存账期',
  method: 'GET',
  path: `${base}/periods`,
  permission: 'erp:inv:view',
  reply: z.array(PeriodRow),
});

export const setPeriodState = endpoint({
  title: '库存关账',
  method: 'POST',
  path: `${base}/periods`,
  permission: PERIODS,
  body: z.object({
    month: z
      .string()
      .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, '请输入月份，例如 2026-01')
      .meta({ title: '账期' }),
    state: PeriodState,
  }),
  /** Closing a month whose issues are priced at its end is a task; null: done. */
  reply: z.object({ month: z.string(), taskId: Id.nullable() }),
});
