import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Instant, Money, Product, Store, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Amount, CostFilter, CostHead, POST, StoreKey, VIEW } from './document.ts';

const root = '/amazon/api/v1/fin/itemFee';

/** A cost of one SKU on one day, as it is booked in its profit. */
export const ItemRow = z.object({
  id: Id,
  day: Day.meta({ title: '日期', width: 110, pinned: 'left' }),
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 160 }),
  feeType: z.string().meta({ title: '费用名称', width: 130 }),
  amount: Money.meta({ title: '金额', currency: 'currency', width: 130 }),
  amountCny: Money.nullable().meta({ title: '折合人民币', currency: 'CNY', width: 130, tip: '按当日汇率折算' }),
  remark: z.string().meta({ title: '备注', width: 240 }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 110 }),
  createdAt: Instant.meta({ title: '创建时间', width: 140 }),
  number: z.string().meta({ title: '单据号', kind: 'code', width: 176, optional: true }),
  currency: Currency.meta({ title: '货币', optional: true }),
  storeKey: z.string().meta({ title: '店铺', hidden: true }),
  sku: z.string().meta({ title: 'SKU', hidden: true }),
  version: z.int(),
});
export type ItemRow = z.infer<typeof ItemRow>;

export const ItemFilter = z.object({
  stores: CostFilter.shape.stores,
  feeType: z.array(z.string().max(40)).max(100).meta({ title: '费用名称' }),
  date: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: 'SKU、备注' }),
});
const Loose = ItemFilter.partial();
export type ItemFilter = z.infer<typeof Loose>;

export const ItemForm = z.object({
  store: StoreKey,
  sku: z.string().trim().min(1, '请填写 SKU').max(100).meta({ title: 'SKU' }),
  feeType: CostHead.shape.feeType.meta({ title: '费用名称', kind: 'choice' }),
  day: Day.meta({ title: '日期' }),
  currency: CostHead.shape.currency,
  amount: Amount('金额'),
  remark: CostHead.shape.remark,
});

export const listItemFees = endpoint({
  title: '其他成本列表',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(ItemFilter),
  sortable: ['day', 'amountCny', 'createdAt'],
  reply: Page(ItemRow),
});

export const exportItemFees = endpoint({
  title: '导出其他成本',
  method: 'POST',
  path: `${root}/export`,
  permission: VIEW,
  access: 'read',
  body: ExportQuery(ItemFilter),
  file: true,
  reply: z.unknown(),
});

const Outcome = z.object({ id: Id, message: z.string() });

/** Books a cost, or takes one back and books it as it is said now, in one transaction. */
export const saveItemFee = endpoint({
  title: '保存其他成本',
  method: 'POST',
  path: `${root}/save`,
  permission: POST,
  body: ItemForm.extend({
    id: Id.optional().meta({ title: '其他成本' }),
    version: z.int().optional().meta({ title: '版本' }),
  }),
  reply: Outcome,
});

/** Takes a cost back: the ledger keeps it and its mirror. */
export const removeItemFee = endpoint({
  title: '删除其他成本',
  method: 'POST',
  path: `${root}/remove`,
  permission: POST,
  body: z.object({
    id: Id.meta({ title: '其他成本' }),
    version: z.int().meta({ title: '版本' }),
    reason: Text(200, '原因'),
  }),
  reply: Outcome,
});
