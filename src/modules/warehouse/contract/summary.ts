import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Product, Quantity } from '#kit/contract/field.ts';
import { StockRow } from './inventory.ts';

const base = '/erp/api/v1/inventory/report/summary';
const pieces = (title: string) => Quantity.meta({ title, width: 90 });

/** Parts of a product's stock; each has a page of what it is made of. */
export const SummaryPart = Choice(
  {
    inventory: '全部库存',
    warehouse: '本地仓',
    produced: '在产未交',
    transit: '在途',
    jpstock: '日本仓',
    fbastock: 'FBA',
  },
  '库存',
);
export type SummaryPart = z.infer<typeof SummaryPart>;

/** A document whose pieces are ordered and not delivered, or are on their way. */
export const PendingRow = z.object({
  id: z.string().meta({ hidden: true }),
  number: z.string().meta({ title: '单据', kind: 'code', width: 150 }),
  kind: z.string().meta({ title: '类型', kind: 'text', width: 120 }),
  warehouse: z.string().meta({ title: '到货仓库', kind: 'text', width: 140 }),
  qty: pieces('数量'),
  eta: Day.nullable().meta({ title: '预计到货', width: 110 }),
  since: Instant.meta({ title: '开始时间', width: 140 }),
  path: z.string().nullable(),
});
export type PendingRow = z.infer<typeof PendingRow>;

/** FBA stock of the listings that stand for the product, in pieces of the product. */
export const FbaPartRow = z.object({
  id: Id,
  store: z.string().meta({ title: '店铺', kind: 'text', width: 140 }),
  country: z.string().meta({ title: '站点', kind: 'code', width: 80 }),
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 160 }),
  units: pieces('每份件数'),
  onHand: pieces('在库'),
  inbound: pieces('在途'),
  total: pieces('合计'),
});
export type FbaPartRow = z.infer<typeof FbaPartRow>;

/** One part of a product's stock; only the rows of its kind are there. `figures` are all parts. */
export const stockSummary = endpoint({
  title: '产品库存总览',
  method: 'GET',
  path: `${base}/:part`,
  permission: 'erp:inv:view',
  params: z.object({ part: SummaryPart }),
  query: z.object({ id: z.uuid().meta({ title: '产品' }) }),
  reply: z.object({
    product: Product,
    figures: z.record(SummaryPart, z.int()),
    stock: z.array(StockRow),
    pending: z.array(PendingRow),
    fba: z.array(FbaPartRow),
  }),
});
