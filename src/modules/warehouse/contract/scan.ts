import { z } from 'zod';
import { Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Product } from '#kit/contract/field.ts';

const base = '/erp/api/v1/scan';
const SEE = 'erp:inv:view';

export const ScanMode = Choice(
  { putaway: '上架', pull: '下架', move: '移位', receive: '收货', pick: '拣货', count: '盘点' },
  '作业',
);
export type ScanMode = z.infer<typeof ScanMode>;

/** Kinds of documents that are worked at with a scanner; those that are shipped are another module's. */
export const ScanKind = z
  .enum(['inbound', 'outbound', 'transfer', 'overseas', 'stocktake', 'ship', 'self'])
  .meta({ title: '单据类型' });
export type ScanKind = z.infer<typeof ScanKind>;

/** What the caller may do with a scanner, and where. */
export const scanStart = endpoint({
  title: '扫码作业入口',
  method: 'GET',
  path: `${base}/start`,
  permission: SEE,
  reply: z.object({ modes: z.array(ScanMode), warehouses: z.array(z.object({ id: z.uuid(), name: z.string() })) }),
});

export const ScanTask = z.object({
  id: z.uuid(),
  kind: ScanKind,
  number: z.string(),
  partner: z.string(),
  skus: z.int(),
  qty: z.int(),
  done: z.int(),
});
export type ScanTask = z.infer<typeof ScanTask>;

/** Documents that wait for pieces to be scanned in a warehouse, the oldest first, 200 at most. */
export const scanTasks = endpoint({
  title: '待扫码单据',
  method: 'GET',
  path: `${base}/tasks`,
  permission: SEE,
  query: z.object({
    mode: z.enum(['receive', 'pick', 'count']).meta({ title: '作业' }),
    warehouseId: z.uuid().meta({ title: '仓库' }),
  }),
  reply: z.array(ScanTask),
});

export const PackLine = z.object({
  lineId: z.uuid(),
  productId: z.uuid(),
  /** Pieces that the line is about; null where that is not told: a count. */
  want: z.int().nullable(),
  done: z.int(),
  locationId: z.uuid().nullable(),
  /** Where a person goes for it, e.g. 「A-01×3、B-02×1」. */
  place: z.string(),
});
export type PackLine = z.infer<typeof PackLine>;

/** Everything that a task needs while there is no network. */
export const ScanPack = z.object({
  warehouseId: z.uuid(),
  warehouse: z.string(),
  locations: z.array(z.object({ id: z.uuid(), code: z.string() })),
  /** `codes`: what may stand on its label. */
  products: z.array(z.object({ id: z.uuid(), product: Product, codes: z.array(z.string()) })),
  /** Free pieces by place; the warehouse's own id is its STAGING. */
  cells: z.array(z.object({ productId: z.uuid(), locationId: z.uuid(), qty: z.int() })),
  task: ScanTask.extend({
    state: z.string(),
    lines: z.array(PackLine),
    /** Address of the call by which the caller may send it once all is picked. */
    out: z.templateLiteral(['/', z.string()]).optional(),
  }).nullable(),
});
export type ScanPack = z.infer<typeof ScanPack>;

export const scanPack = endpoint({
  title: '扫码作业数据',
  method: 'GET',
  path: `${base}/pack`,
  permission: SEE,
  query: z.object({
    warehouseId: z.uuid().meta({ title: '仓库' }),
    kind: ScanKind.optional(),
    id: z.uuid().optional().meta({ title: '单据' }),
  }),
  reply: ScanPack,
});

/** What a code means: own prefixes `LOC.`, `DOC.`, `BX.` and `PS.` first, then a location, a product, a document number. */
export const scanResolve = endpoint({
  title: '识别条码',
  method: 'POST',
  path: `${base}/resolve`,
  permission: SEE,
  access: 'read',
  concurrent: true,
  body: z.object({
    code: z.string().trim().min(1, '请扫描或输入条码').max(200).meta({ title: '条码' }),
    warehouseId: z.uuid().meta({ title: '仓库' }),
  }),
  reply: z.discriminatedUnion('means', [
    z.object({ means: z.literal('location'), id: z.uuid(), code: z.string() }),
    z.object({ means: z.literal('product'), id: z.uuid(), product: Product, codes: z.array(z.string()) }),
    z.object({
      means: z.literal('document'),
      id: z.uuid(),
      kind: ScanKind,
      number: z.string(),
      /** Where it is worked at, if it says so. */
      warehouseId: z.uuid().optional(),
    }),
    /** A box of another module's document, and the address of the screen where it is packed. */
    z.object({ means: z.literal('page'), number: z.string(), path: z.string() }),
    z.object({ means: z.literal('nothing') }),
  ]),
});

/** Pieces that were scanned for a document of another module; whoever sends them needs that module's right to pick. */
export const scanPick = endpoint({
  title: '扫码配货',
  method: 'POST',
  path: `${base}/pick`,
  permission: SEE,
  body: z.object({
    kind: ScanKind,
    id: z.uuid().meta({ title: '单据' }),
    clientId: z.string().trim().min(1).max(100).optional().meta({ title: '客户端编号' }),
    lines: z
      .array(
        z.object({
          lineId: z.uuid().meta({ title: '明细行' }),
          qty: z.int().min(0, '数量不能小于0').max(1e8).meta({ title: '数量' }),
          short: z.boolean().default(false).meta({ title: '缺货' }),
        }),
      )
      .min(1, '至少添加一行数据')
      .max(2000)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});
