import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Id, Product, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { BatchFilter, BatchState, base, COST, cny, EXPORT, pieces, VIEW } from './fields.ts';

const unit = (title: string) =>
  Decimal.nullable().meta({ title, width: 96, permission: COST, tip: '总成本 ÷ 发出数量，人民币，仅供参考' });

/** One product that went to Amazon with one SKU of one ship order. */
export const BatchRow = z.object({
  id: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 200, pinned: 'left' }),
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 120 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 120 }),
  state: BatchState.meta({ width: 88 }),
  number: z.string().meta({ title: '单据号', kind: 'code', width: 126 }),
  shipmentNos: z.string().meta({ title: '货件号', kind: 'code', width: 126 }),
  shippedOn: Day.meta({ title: '发货日期', width: 84 }),
  receivedOn: Day.nullable().meta({ title: '接收日期', width: 84, tip: '第一次接收的日期' }),
  shipped: pieces('发出数量'),
  received: pieces('接收数量'),
  issued: pieces('扣除数量', '从本批次的成本层扣减的件数'),
  left: pieces('剩余数量', '接收后还没有扣减的件数'),
  gap: pieces('差异', '发出 − 接收'),
  closed: z.boolean().meta({ title: '已结案', kind: 'boolean', width: 76, tip: '不再等待接收，差额已核销' }),
  purchase: cny('采购成本'),
  purchaseUnit: unit('采购单件'),
  firstLeg: cny('头程成本'),
  firstLegUnit: unit('头程单件'),
  other: cny('其他', '国内运费、关税、加工、入库配置与其他'),
  cost: cny('总成本', '采购 + 头程 + 其他 = 已扣成本 + 剩余成本 + 成本差异'),
  issuedCost: cny('已扣成本'),
  leftCost: cny('剩余成本', '仍在途和在库的件数'),
  variance: cny('成本差异', '晚到的成本里属于已扣件数的部分，计入当期', 100),
  provisional: z.boolean().nullable().meta({ title: '暂估', kind: 'boolean', width: 64, permission: COST }),
  origins: z.string().meta({ title: '来源层', width: 180, tip: '这批件数最初入库的单据' }),
  orderId: Id,
});
export type BatchRow = z.infer<typeof BatchRow>;

export const listBatches = endpoint({
  title: '批次成本',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(BatchFilter),
  sortable: ['shippedOn', 'number', 'shipped'],
  reply: Page(BatchRow),
});

/** How many batches of a filter are in each state. */
export const countBatches = endpoint({
  title: '批次成本状态数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: BatchFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportBatches = endpoint({
  title: '导出批次成本',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(BatchFilter),
  reply: z.unknown(),
});

/** Members who may answer for listings, to filter by. */
export const batchChoices = endpoint({
  title: '批次成本筛选项',
  method: 'GET',
  path: `${base}/choices`,
  permission: VIEW,
  concurrent: true,
  reply: z.object({ owners: z.array(z.object({ value: z.uuid(), label: z.string() })) }),
});
