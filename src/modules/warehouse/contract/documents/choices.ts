import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { base, StockChoice, VIEW, WarehouseChoice } from './fields.ts';

const SHARE = z
  .string()
  .regex(/^(0(\.\d{1,4})?|1(\.0{1,4})?)$/, '比例须在0到1之间')
  .meta({ kind: 'percent' });

/** How a company handles its documents. */
export const DocumentSetting = z.object({
  separateApprover: z.boolean().meta({ title: '制单人不能审核' }),
  receiveTolerance: SHARE.meta({ title: '超收容差' }),
  recountShare: SHARE.meta({ title: '复盘差异比例' }),
  recountAmount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,4})?$/, '复盘差异金额须为不小于0的数字')
    .meta({ title: '复盘差异金额', kind: 'money', currency: 'CNY' }),
  /** 0: until the document is over. */
  holdDays: z.int().min(0).max(365).default(0).meta({ title: '预留有效期(天)', kind: 'integer' }),
});
export type DocumentSetting = z.infer<typeof DocumentSetting>;

/** Warehouses for forms: those that the caller may see. */
export const warehouseChoices = endpoint({
  title: '单据可选仓库',
  method: 'GET',
  path: `${base}/form/warehouses`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(WarehouseChoice),
});

/** The other end of a transfer, which may be somebody else's: found by its whole code or name only, never listed. */
export const otherWarehouse = endpoint({
  title: '查找对方仓库',
  method: 'POST',
  path: `${base}/form/otherWarehouse`,
  permission: 'erp:wh:transfer:add',
  access: 'read',
  concurrent: true,
  body: z.object({ text: z.string().trim().min(1).max(50).meta({ title: '仓库编码或名称' }) }),
  reply: z.array(WarehouseChoice),
});

/** Products by SKU, barcode or name, with their stock in a warehouse. */
export const productChoices = endpoint({
  title: '单据可选产品',
  method: 'POST',
  path: `${base}/form/products`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    text: z.string().trim().max(100).default('').meta({ title: '搜索内容' }),
    warehouseId: z.string().max(60).default('').meta({ title: '仓库' }),
  }),
  reply: z.array(StockChoice),
});

export const locationChoices = endpoint({
  title: '单据可选库位',
  method: 'POST',
  path: `${base}/form/locations`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    warehouseId: Id.meta({ title: '仓库' }),
    text: z.string().trim().max(60).default('').meta({ title: '搜索内容' }),
  }),
  reply: z.array(z.object({ id: Id, code: z.string() })),
});

export const readSetting = endpoint({
  title: '单据设置',
  method: 'GET',
  path: `${base}/form/setting`,
  permission: VIEW,
  concurrent: true,
  reply: DocumentSetting,
});

export const saveSetting = endpoint({
  title: '保存单据设置',
  method: 'POST',
  path: `${base}/form/setting`,
  permission: 'erp:wh:base:edit',
  body: DocumentSetting,
  reply: DocumentSetting,
});
