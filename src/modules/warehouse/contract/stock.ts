import { z } from 'zod';
import { States } from '#kit/contract/field.ts';

/**
 * What a piece in a warehouse is doing. EXPECTED is a memo and not ours; IN_TRANSIT is ours and not there; only
 * AVAILABLE can be promised to anybody.
 */
export const StockStatus = States(
  {
    EXPECTED: { title: '待入库', tone: 'off' },
    IN_TRANSIT: { title: '在途', tone: 'running' },
    QUARANTINE: { title: '待检', tone: 'waiting' },
    AVAILABLE: { title: '可用', tone: 'done' },
    RESERVED: { title: '待出库', tone: 'running' },
    PROCESSING: { title: '加工中', tone: 'running' },
    DEFECTIVE: { title: '次品', tone: 'trouble' },
  },
  '库存状态',
);
export type StockStatus = z.infer<typeof StockStatus>;

/** The world outside, as the virtual warehouses that every company has. */
export const OUTSIDE = {
  SUPPLIER: '供应商',
  CUSTOMER: '客户',
  ADJUSTMENT: '盘盈亏',
  SCRAP: '报废',
  CONVERSION: '换货',
  ASSEMBLY: '组装',
  LOST: '丢失',
  OPENING: '期初',
} as const;
export type Outside = keyof typeof OUTSIDE;

export const WarehouseKind = States(
  {
    LOCAL: { title: '本地仓', tone: 'done' },
    OVERSEAS: { title: '海外仓', tone: 'running' },
    THIRD_PARTY: { title: '第三方海外仓', tone: 'running' },
    FBA: { title: 'FBA仓', tone: 'side' },
    AWD: { title: 'AWD仓', tone: 'side' },
    TRANSIT: { title: '中转仓', tone: 'off' },
  },
  '仓库类型',
);
export type WarehouseKind = z.infer<typeof WarehouseKind>;

export const Quality = States(
  {
    GOOD: { title: '正品', tone: 'done' },
    QC: { title: '待检', tone: 'waiting' },
    DEFECTIVE: { title: '次品', tone: 'trouble' },
  },
  '仓位类型',
);
export type Quality = z.infer<typeof Quality>;

/** Parts that the value of a layer is made of, CNY. */
export const CostComponents = z
  .object({
    purchase: z.string(),
    localFreight: z.string(),
    firstLeg: z.string(),
    duty: z.string(),
    processing: z.string(),
    placement: z.string(),
    other: z.string(),
  })
  .partial();
export type CostComponents = z.infer<typeof CostComponents>;
