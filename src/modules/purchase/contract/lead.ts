import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Decimal, Id, Rate } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, DayRange } from './fields.ts';

const REPORT = 'erp:report:purchase:view';

export const LeadDimension = Choice(
  { SUPPLIER: '按供应商', PRODUCT: '按商品', WAREHOUSE: '按入库仓', BUYER: '按采购员', MONTH: '按月份' },
  '统计维度',
);
export type LeadDimension = z.infer<typeof LeadDimension>;

const pieces = (title: string) => z.int().meta({ title, kind: 'integer', width: 90 });
/** Wide enough for the heading and the arrow of its order. */
const days = (title: string, tip: string, width = 100) => Decimal.nullable().meta({ title, width, tip });

/**
 * Where the days of a purchase went. Means are by piece that came; a leg of which nothing is known is left out of its mean,
 * so that legs need not add up to the total.
 */
const Legs = z.object({
  approve: days('审批（天）', '创建到审核通过'),
  order: days('下单（天）', '审核通过到下单'),
  produce: days('生产（天）', '下单到供应商发货；登记了发货的采购单'),
  transport: days('运输（天）', '供应商发货到到货；登记了发货的采购单'),
  supply: days('下单到到货（天）', '生产与运输合计', 140),
  inspect: days('质检入库（天）', '到货到质检完成；免检为0', 120),
  total: days('全程（天）', '创建到可用'),
});
export type Leg = keyof z.infer<typeof Legs>;
export const LEGS = Object.keys(Legs.shape) as Leg[];
/** Chinese name of a leg. */
export const legTitle = (leg: Leg): string => Legs.shape[leg].meta()?.title ?? leg;

export const LeadRow = z.object({
  id: z.string().meta({ hidden: true }),
  name: z.string().meta({ title: '名称', width: 220, pinned: 'left' }),
  orders: pieces('采购单数'),
  qty: pieces('到货数量'),
  ...Legs.shape,
  slowest: days('九成在（天）内', '九成到货行的下单到到货天数不超过它', 130),
  inTime: Rate.nullable().meta({ title: '准时率', width: 90, tip: '首次承诺次日前到货的数量 ÷ 有承诺的到货数量' }),
});
export type LeadRow = z.infer<typeof LeadRow>;

export const LeadFilter = z.object({
  dimension: LeadDimension,
  placed: DayRange('下单日期'),
  supplier: z.array(Id).max(200).meta({ title: '供应商' }),
  warehouse: z.array(Id).max(200).meta({ title: '入库仓' }),
  sku: z.array(z.string().max(100)).max(200).meta({ title: 'SKU', kind: 'code' }),
});
const AnyLead = LeadFilter.partial();
export type LeadFilter = z.infer<typeof AnyLead>;

const at = <const S extends string>(part: S) => `${base}/purchaseReport/leadTime${part}` as const;

export const leadTimes = endpoint({
  title: '采购时效',
  method: 'POST',
  path: at(''),
  permission: REPORT,
  access: 'read',
  body: PageQuery(LeadFilter),
  sortable: ['name', 'orders', 'qty', 'supply', 'total', 'slowest', 'inTime'],
  reply: Page(LeadRow),
});

export const exportLeadTimes = endpoint({
  title: '导出采购时效',
  method: 'POST',
  path: at('/export'),
  permission: REPORT,
  access: 'read',
  file: true,
  body: ExportQuery(LeadFilter),
  reply: z.unknown(),
});

/** How long it took month by month, and how the pieces are spread over the days from placing to receipt. */
export const leadCharts = endpoint({
  title: '采购时效走势',
  method: 'POST',
  path: at('/charts'),
  permission: REPORT,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyLead.default({}) }),
  reply: z.object({
    months: z.array(z.object({ month: z.string(), ...Legs.shape })),
    spread: z.array(z.object({ name: z.string(), qty: z.int() })),
  }),
});
