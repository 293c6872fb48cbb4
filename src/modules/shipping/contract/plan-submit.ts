import { z } from 'zod';
import { allocate, Decimal as Exact } from '#kit/contract/decimal.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Id, Product, Store } from '#kit/contract/field.ts';
import { PackType, Pieces, Transport } from './fields.ts';
import { PLAN_EDIT, PLAN_SUBMIT, PLAN_VIEW, planAt } from './plan.ts';

/** A planned item as it would stand on a ship order; weight in kg, volume in cm³, null where they are not known. */
export const PlannedLine = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 260 }),
  local: z.string().meta({ title: '本地SKU', width: 150 }),
  qty: z.int().meta({ title: '计划发货', kind: 'integer', width: 90 }),
  promisable: z.int().meta({ title: '可承诺', kind: 'integer', width: 90, tip: '发货仓扣除计划占用后可凑成的数量' }),
  weight: Decimal.nullable().meta({ title: '重量(kg)', width: 90 }),
  volume: Decimal.nullable().meta({ hidden: true }),
  warnings: z.string().meta({ title: '提醒', width: 220 }),
});
export type PlannedLine = z.infer<typeof PlannedLine>;

/** The ship order that would come of items of one store, site, warehouse and way. */
export const PlannedShip = z.object({
  authid: Id,
  store: Store,
  marketplaceId: z.string(),
  warehouseId: Id,
  warehouse: z.string(),
  transport: Transport,
  plannedOn: Day.nullable(),
  skus: z.int(),
  qty: z.int(),
  /** kg and cm³ of what is measured. */
  weight: Decimal,
  volume: Decimal,
  /** SKUs of which weight or volume is not known: the sums lack them. */
  unmeasured: z.int(),
  /** Why no order can be made of it. */
  blocked: z.string().optional(),
  lines: z.array(PlannedLine),
});
export type PlannedShip = z.infer<typeof PlannedShip>;

const Ids = z.array(Id).min(1).max(2000).meta({ title: '计划项' });

export const previewPlan = endpoint({
  title: '提交发货计划预览',
  method: 'POST',
  path: planAt('preview'),
  permission: PLAN_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    /** Left out: all that is open. */
    ids: Ids.optional(),
  }),
  reply: z.array(PlannedShip),
});

/** Hands planned items in: one ship order for each store, site, warehouse and way. All or none. */
export const submitPlan = endpoint({
  title: '提交发货计划',
  method: 'POST',
  path: planAt('submit'),
  permission: PLAN_SUBMIT,
  body: z.object({
    groups: z
      .array(
        z.object({
          ids: Ids,
          warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
          transport: Transport,
          plannedOn: Day.nullable().default(null).meta({ title: '计划发货日' }),
          packType: PackType.default('MIXED'),
        }),
      )
      .min(1, '没有可提交的计划')
      .max(500)
      .meta({ title: '分组' }),
  }),
  reply: z.object({
    /** Number of the plan. */
    batch: z.string(),
    orders: z.array(z.object({ id: Id, number: z.string() })),
  }),
});

export const MAX_PARTS = 30;

/** Divides a planned item by site, warehouse and way; the parts add up to it. */
export const splitPlan = endpoint({
  title: '拆分发货计划',
  method: 'POST',
  path: planAt('split'),
  permission: PLAN_EDIT,
  body: z.object({
    id: Id.meta({ title: '计划项' }),
    version: z.int().optional().meta({ title: '版本' }),
    parts: z
      .array(
        z.object({
          marketplaceId: z.string().trim().min(1, '请选择站点').max(20).meta({ title: '站点' }),
          warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
          transport: Transport,
          qty: Pieces.meta({ title: '数量' }),
        }),
      )
      .min(1, '至少一行')
      .max(MAX_PARTS)
      .meta({ title: '拆分明细' }),
  }),
  reply: z.object({ ids: z.array(Id) }),
});

/** An open item, and the sites of its store that offer the same SKU. */
export const planItem = endpoint({
  title: '发货计划项',
  method: 'GET',
  path: planAt('item/:id'),
  permission: PLAN_VIEW,
  concurrent: true,
  params: z.object({ id: Id }),
  reply: z.object({
    id: Id,
    version: z.int(),
    product: Product,
    store: Store,
    marketplaceId: z.string(),
    warehouseId: Id,
    transport: Transport,
    qty: z.int(),
    sites: z.array(z.object({ marketplaceId: z.string(), country: z.string(), shared: z.boolean() })),
  }),
});

/**
 * Pieces of `total` by ratios of 0 to 10: whole pieces that add up to it, those that do not come out even to the largest
 * fractions. Undefined where all ratios are 0.
 */
export function piecesByRatio(total: number, ratios: readonly number[]): number[] | undefined {
  const key = (index: number) => String(index).padStart(3, '0');
  const shares = allocate(String(total), new Map(ratios.map((ratio, index) => [key(index), String(ratio)])), 0);
  return shares && ratios.map((_, index) => Number(shares.get(key(index)) ?? 0));
}

/** cm³ that count as a kg: couriers reckon with 5000, all others with 6000. */
const DIVISOR: Record<Transport, number> = { SEA: 6000, AIR: 6000, RAIL: 6000, TRUCK: 6000, EXPRESS: 5000 };

/** 材积重: kg that a volume in cm³ counts as by a way, two decimals. */
export function volumetricWeight(volume: string, transport: Transport): string {
  return new Exact(volume).div(DIVISOR[transport]).toFixed(2);
}
