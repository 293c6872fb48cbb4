import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Instant, Product } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, COST, cny, Disposition, EXPORT, GroupBy, pieces, Source, Stage, VIEW, WorthFilter } from './fields.ts';

const Amounts = {
  qty: pieces('数量'),
  uncosted: pieces('未核价数量', 100).meta({ good: 'down', tip: '没有成本层也没有采购成本，不计价值' }),
  purchase: cny('采购成本'),
  firstLeg: cny('头程'),
  duty: cny('关税'),
  other: cny('其它', '国内运费、加工、入库配置与其它'),
  gross: cny('合计'),
  reserve: cny('减值准备', '不可售按处置的减值比例'),
  net: cny('净值', '合计 − 减值准备'),
};
const Unit = Decimal.nullable().meta({ title: '单位成本', width: 100, permission: COST, tip: '合计 ÷ 已核价数量' });

export const WorthRow = z.object({
  id: z.string(),
  first: z.string().meta({ title: '一级分组', width: 150, pinned: 'left' }),
  second: z.string().nullable().meta({ title: '二级分组', width: 150 }),
  product: Product.nullable().meta({ title: '产品', kind: 'product', width: 240 }),
  ...Amounts,
  unitCost: Unit,
  source: Source.meta({ width: 120 }),
  /** Values of the groups, to open what is behind a row. */
  firstKey: z.string(),
  secondKey: z.string().nullable(),
});
export type WorthRow = z.infer<typeof WorthRow>;

export const listWorth = endpoint({
  title: '库存货值',
  method: 'POST',
  path: `${base}/page`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(WorthFilter),
  sortable: [
    'first',
    'qty',
    'uncosted',
    'purchase',
    'firstLeg',
    'duty',
    'other',
    'gross',
    'reserve',
    'net',
    'unitCost',
  ],
  reply: Page(WorthRow),
});

export const exportWorth = endpoint({
  title: '导出库存货值',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  file: true,
  body: ExportQuery(WorthFilter),
  reply: z.unknown(),
});

const Filtered = z.object({ filter: WorthFilter.partial().default({}) });

/** The whole of a filter by stage, how complete it is, and whether it agrees with the ledger of stock. */
export const worthSummary = endpoint({
  title: '库存货值汇总',
  method: 'POST',
  path: `${base}/summary`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: Filtered,
  reply: z.object({
    /** The day that is shown: the newest known one where none is asked for. */
    day: Day.nullable(),
    known: z.boolean(),
    madeAt: Instant.nullable(),
    frozen: z.boolean(),
    /** Stocks at Amazon's of which that day is not known. */
    missingStocks: z.int(),
    /** SKUs without cost. */
    uncostedSkus: z.int(),
    stages: z.array(z.object({ stage: Stage, ...Amounts })),
    all: z.object(Amounts),
    /** Own warehouses: here, and as the entries of the ledger say it now. */
    proof: z.object({ here: cny('货值'), ledger: cny('库存账'), difference: cny('差额') }).nullable(),
  }),
});

/** Net value by stage and day; of a day that is not known `known` is false and nothing is told. */
export const worthTrend = endpoint({
  title: '库存货值走势',
  method: 'POST',
  path: `${base}/trend`,
  permission: COST,
  access: 'read',
  concurrent: true,
  body: z.object({
    from: Day.meta({ title: '起始日期' }),
    to: Day.meta({ title: '截止日期' }),
    filter: WorthFilter.partial().default({}),
  }),
  reply: z.array(
    z.object({ day: Day, known: z.boolean(), stages: z.array(z.object({ stage: Stage, net: cny('净值') })) }),
  ),
});

const Effects = {
  before: cny('期初净值'),
  quantity: cny('数量影响', '（期末数量 − 期初数量）× 期初单位成本'),
  cost: cny('成本影响', '（期末单位成本 − 期初单位成本）× 期末数量'),
  fresh: cny('新增'),
  gone: cny('减少'),
  writeDown: cny('减值变动'),
  after: cny('期末净值'),
  change: cny('变动'),
};

export const DiffRow = z.object({
  id: z.string(),
  name: z.string().meta({ title: '分组', width: 180 }),
  ...Effects,
});
export type DiffRow = z.infer<typeof DiffRow>;

/** What made the net value of one day that of another: the effects add up to the difference exactly. */
export const worthDiff = endpoint({
  title: '库存货值差异',
  method: 'POST',
  path: `${base}/diff`,
  permission: COST,
  access: 'read',
  concurrent: true,
  body: z.object({
    from: Day.meta({ title: '期初日期' }),
    to: Day.meta({ title: '期末日期' }),
    by: GroupBy,
    filter: WorthFilter.partial().default({}),
  }),
  /** 200 rows at most; what is left out stands in one more. */
  reply: z.object({ total: z.object(Effects), rows: z.array(DiffRow) }),
});

export const WorthLine = z.object({
  id: z.string(),
  stage: Stage.meta({ width: 100 }),
  place: z.string().meta({ title: '仓库/店铺库存', width: 150 }),
  sku: z.string().meta({ title: 'SKU', kind: 'code', width: 150 }),
  disposition: Disposition.nullable().meta({ title: '处置', width: 90 }),
  ...Amounts,
  unitCost: Unit,
  source: Source.meta({ width: 110 }),
});
export type WorthLine = z.infer<typeof WorthLine>;

export const WorthLayer = z.object({
  id: z.string(),
  number: z.string().meta({ title: '来源单据', kind: 'code', width: 150 }),
  warehouse: z.string().meta({ title: '仓库', width: 140 }),
  inTransit: z.boolean().meta({ title: '在途', kind: 'boolean', width: 60 }),
  originalDate: Day.meta({ title: '首次入库', width: 100 }),
  qty: pieces('日终数量'),
  unitCost: Unit,
  amount: cny('金额'),
  firstLeg: cny('头程'),
  duty: cny('关税'),
  other: cny('其它'),
  path: z.string().nullable(),
});
export type WorthLayer = z.infer<typeof WorthLayer>;

/** The lines behind a row, 200 at most, and the cost layers of its product on that day. */
export const worthDetail = endpoint({
  title: '库存货值明细',
  method: 'POST',
  path: `${base}/detail`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    filter: WorthFilter.partial().default({}),
    firstKey: z.string().max(200).meta({ title: '一级分组值' }),
    secondKey: z.string().max(200).nullable().meta({ title: '二级分组值' }),
  }),
  reply: z.object({ lines: z.array(WorthLine), layers: z.array(WorthLayer) }),
});

/** Brands and categories to filter by. */
export const worthChoices = endpoint({
  title: '库存货值筛选项',
  method: 'GET',
  path: `${base}/choices`,
  permission: VIEW,
  concurrent: true,
  reply: z.object({
    accounts: z.array(z.object({ value: z.uuid(), label: z.string() })),
    brands: z.array(z.object({ value: z.uuid(), label: z.string() })),
    categories: z.array(z.object({ value: z.uuid(), label: z.string() })),
  }),
});
