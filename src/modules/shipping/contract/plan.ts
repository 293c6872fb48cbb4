import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Decimal, Id, Product, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Pieces, Transport, Words } from './fields.ts';

export const PLAN_VIEW = 'erp:ship:plan:view';
export const PLAN_EDIT = 'erp:ship:plan:edit';
export const PLAN_SUBMIT = 'erp:ship:plan:submit';
export const PLAN_CLEAR = 'erp:ship:plan:delete';
export const PLAN_EXPORT = 'erp:ship:plan:export';

export const planAt = <const S extends string>(part: S) => `/erp/api/v1/ship/plan/${part}` as const;

const Site = z.string().trim().min(1, '请选择站点').max(20).meta({ title: '站点' });
const Msku = z.string().trim().min(1, '请填写平台SKU').max(100).meta({ title: '平台SKU' });

/** Pieces of a listing that are planned to be sent, until they are handed in. */
export const PlanItem = z.object({
  id: Id,
  version: z.int(),
  warehouseId: Id,
  warehouse: z.string(),
  transport: Transport,
  qty: z.int(),
  plannedOn: Day.nullable(),
  remark: z.string(),
});
export type PlanItem = z.infer<typeof PlanItem>;

const pieces = (title: string, tip?: string) =>
  z.int().meta({ title, kind: 'integer', width: 88, ...(tip ? { tip } : {}) });
const daily = (title: string) => Decimal.meta({ title, kind: 'rate', width: 88 });
const parts = (title: string, tip: string) => z.string().meta({ title, width: 96, tip });

/** What a listing that Amazon ships sells, has, gets and needs. */
export const PlanRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 264, pinned: 'left' }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 150 }),
  suggested: pieces(
    '建议发货量',
    '需求量 − FBA可售 − 在途合计，不小于0，有每箱数时按整箱向上取整；共享库存的站点合并计算，计入销量最高的站点',
  ),
  planned: z.int().nullable().meta({ title: '计划发货', kind: 'integer', width: 130 }),
  daily: daily('日均销量').meta({ tip: '按所选销量口径；共享库存的站点见「共享日均」' }),
  daily7: daily('7日均').meta({ group: '销量', optional: true }),
  daily14: daily('14日均').meta({ group: '销量', optional: true }),
  daily30: daily('30日均').meta({ group: '销量', optional: true }),
  sharedDaily: daily('共享日均').meta({ tip: '共用一份FBA库存的各站点日均销量之和', optional: true }),
  coverDays: Decimal.nullable().meta({
    title: '可售天数',
    kind: 'rate',
    width: 88,
    tip: '（FBA可售 + 入库中）÷ 日均销量；共享库存的站点按合计销量',
  }),
  targetDays: pieces('备货天数', '备货周期 + 安全天数，按计划的运输方式，未计划的按筛选的运输方式'),
  need: pieces('需求量', '日均销量 × 备货天数，向上取整'),
  shared: z.string().meta({ title: '共享库存', width: 140, tip: '这些站点卖同一份库存，FBA数量是合计，各行不可相加' }),
  fulfillable: pieces('FBA可用').meta({ group: 'FBA' }),
  reserved: pieces('预留').meta({ group: 'FBA' }),
  sellable: pieces('FBA可售', 'FBA可用 + 预留中的调拨与处理中').meta({ group: 'FBA' }),
  inbound: pieces('入库中', '亚马逊统计的处理中、已发货、接收中').meta({ group: 'FBA' }),
  transit: pieces('本系统在途', '发货单已发 − 已接收 − 差异').meta({ group: '发货单' }),
  waiting: pieces('待发', '未出库的发货单，含草稿').meta({ group: '发货单' }),
  coming: pieces(
    '在途合计',
    '已填货件编号的发货单与亚马逊的入库中是同一批货，取两者较大的数，再加上没有货件编号的在途与待发',
  ).meta({ group: '发货单' }),
  boxQty: z.int().nullable().meta({ title: '每箱数', kind: 'integer', width: 72 }),
  local: z.string().meta({ title: '本地SKU', width: 150, group: '本地' }),
  available: parts('本地可用', '各可发货仓库的可用数量，依本地SKU的顺序').meta({ group: '本地' }),
  makeable: pieces('可组装', '各仓库按每套用量可凑成的数量').meta({ group: '本地' }),
  held: parts('计划占用', '7天内已提交、尚未占用库存的计划与单据需要的数量，依本地SKU的顺序').meta({ group: '本地' }),
  promisable: pieces('可承诺', '扣除计划占用后可凑成的数量').meta({ group: '本地' }),
  items: z.array(PlanItem),
  authid: Id,
  marketplaceId: z.string(),
});
export type PlanRow = z.infer<typeof PlanRow>;

/** Which average counts as what is sold in a day. */
export const Pace = Choice({ D7: '近7天', D14: '近14天', D30: '近30天' }, '销量口径');
export type Pace = z.infer<typeof Pace>;

export const PlanFilter = z.object({
  authid: z.array(z.string().max(60)).max(200).meta({ title: '店铺' }),
  site: z.array(z.string().max(20)).max(50).meta({ title: '站点' }),
  pace: Pace,
  transport: Transport.meta({ title: '运输方式' }),
  suggested: z.boolean().meta({ title: '有建议量' }),
  cover: z.int().min(0).max(10_000).meta({ title: '可售天数不超过' }),
  planned: z.boolean().meta({ title: '已计划', optional: true }),
  keyword: z.string().trim().max(100).meta({ title: '平台SKU、ASIN、标题' }),
});
const AnyFilter = PlanFilter.partial();
export type PlanFilter = z.infer<typeof AnyFilter>;

export const listPlan = endpoint({
  title: 'FBA发货规划列表',
  method: 'POST',
  path: planAt('list'),
  permission: PLAN_VIEW,
  access: 'read',
  body: PageQuery(PlanFilter),
  sortable: ['suggested', 'coverDays', 'daily', 'fulfillable', 'product'],
  reply: Page(PlanRow),
});

export const exportPlan = endpoint({
  title: '导出FBA发货规划',
  method: 'POST',
  path: planAt('export'),
  permission: PLAN_EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(PlanFilter),
  reply: z.unknown(),
});

/** Pieces of a listing for a warehouse and a way; `id` changes an item that is planned. */
export const PlanInput = z.object({
  id: z.uuid().optional().meta({ title: '计划项' }),
  version: z.int().optional().meta({ title: '版本' }),
  authid: z.uuid('请选择店铺').meta({ title: '店铺' }),
  marketplaceId: Site,
  msku: Msku,
  qty: Pieces.meta({ title: '计划发货', kind: 'integer' }),
  warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
  transport: Transport.default('SEA'),
  plannedOn: Day.nullable().default(null).meta({ title: '计划发货日' }),
  suggestedQty: z.int().min(0).max(100_000_000).nullable().default(null).meta({ title: '建议发货量' }),
  remark: Words(200, '备注'),
});
export type PlanInput = z.infer<typeof PlanInput>;

/** Writes what is planned; a listing has one item for each warehouse and way, whose pieces are replaced. */
export const savePlan = endpoint({
  title: '保存FBA发货规划',
  method: 'POST',
  path: planAt('save'),
  permission: PLAN_EDIT,
  body: z.object({ items: z.array(PlanInput).min(1, '至少选择一行').max(2000).meta({ title: '计划项' }) }),
  reply: z.object({ ids: z.array(Id) }),
});

export const clearPlan = endpoint({
  title: '清空FBA发货规划',
  method: 'POST',
  path: planAt('clear'),
  permission: PLAN_CLEAR,
  body: z.object({
    /** Left out: all that is open. */
    ids: z.array(Id).min(1).max(2000).optional().meta({ title: '计划项' }),
  }),
  reply: z.object({ removed: z.int() }),
});

const Days = (title: string) => z.int().min(0, '不能为负数').max(365, '不能超过365天').meta({ title, kind: 'integer' });

/** How long goods take by a way, and for how many days more there shall be stock. */
export const PlanDays = z.object({ transport: Transport, leadDays: Days('备货周期'), safetyDays: Days('安全天数') });
export type PlanDays = z.infer<typeof PlanDays>;

export const readPlanDays = endpoint({
  title: '备货周期',
  method: 'GET',
  path: planAt('days'),
  permission: PLAN_VIEW,
  concurrent: true,
  reply: z.array(PlanDays),
});

export const savePlanDays = endpoint({
  title: '保存备货周期',
  method: 'POST',
  path: planAt('days'),
  permission: PLAN_EDIT,
  body: z.object({ days: z.array(PlanDays).min(1).max(5).meta({ title: '备货周期' }) }),
  reply: z.array(PlanDays),
});
