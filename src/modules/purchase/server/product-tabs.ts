import { sql } from 'kysely';
import { z } from 'zod';
import { Currency, Day, Instant, Money, Quantity } from '#kit/contract/field.ts';
import type { ProductTab } from '#modules/product/server/index.ts';
import { PRICE, VIEW } from '../contract/fields.ts';
import { OrderStage, purchaseOrder } from '../contract/order.ts';

const path = (id: string) => `${purchaseOrder.detail}?id=${id}`;
const OrderNumber = z.string().meta({ title: '采购单', kind: 'code' });
const Supplier = z.string().meta({ title: '供应商' });
const pieces = (title: string) => Quantity.meta({ title });
const price = (title: string) => Money.meta({ title, currency: 'currency', permission: PRICE });

const PurchaseRow = z.object({
  number: OrderNumber,
  supplier: Supplier,
  state: OrderStage.meta({ title: '状态' }),
  placedAt: Instant.nullable().meta({ title: '下单时间' }),
  expectedOn: Day.nullable().meta({ title: '预计到货' }),
  qty: pieces('数量'),
  received: pieces('已入'),
  returned: pieces('已退'),
  open: pieces('待到'),
  unitPrice: price('含税单价'),
  amount: price('金额'),
  currency: Currency.meta({ hidden: true }),
});

/** 采购记录: the lines of orders with the product, newest first. */
export const purchasesTab: ProductTab = {
  key: 'purchases',
  title: '采购记录',
  permission: VIEW,
  row: PurchaseRow,
  async rows(ctx, { id }, limit) {
    const { rows } = await sql<z.infer<typeof PurchaseRow> & { id: string; order: string }>`
      SELECT l.id, o.id AS "order", o.number, s.short_name AS supplier, o.stage AS state, o.placed_at AS "placedAt",
             coalesce(l.expected_on, o.expected_on) AS "expectedOn", l.qty, l.received, l.returned, l.open_qty AS open,
             l.unit_price::text AS "unitPrice", l.amount::text, o.currency
        FROM purchase.order_line AS l
        JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
        JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
       WHERE l.company_id = ${ctx.companyId} AND l.product_id = ${id} ORDER BY l.id DESC LIMIT ${limit}`.execute(
      ctx.db,
    );
    return rows.map((row) => ({ ...row, path: path(row.order) }));
  },
};

const InspectionRow = z.object({
  number: OrderNumber,
  receipt: z.string().meta({ title: '到货单', kind: 'code' }),
  supplier: Supplier,
  at: Instant.meta({ title: '质检时间' }),
  passed: pieces('合格'),
  special: pieces('让步接收'),
  rejected: pieces('不合格'),
  rejectedShare: z.string().nullable().meta({ title: '不合格率', kind: 'percent' }),
  reason: z.string().meta({ title: '原因' }),
  by: z.string().meta({ title: '质检人', kind: 'person' }),
});

/** 质检: what inspections of the product found, newest first; the share is rejected pieces of those looked at. */
export const inspectionsTab: ProductTab = {
  key: 'inspections',
  title: '质检',
  permission: VIEW,
  row: InspectionRow,
  async rows(ctx, { id }, limit) {
    const { rows } = await sql<z.infer<typeof InspectionRow> & { id: string; order: string }>`
      SELECT i.id, o.id AS "order", o.number, r.number AS receipt, s.short_name AS supplier, i.at, i.passed, i.special,
             i.rejected, round(i.rejected::numeric / nullif(i.passed + i.special + i.rejected, 0), 4)::text AS "rejectedShare",
             i.reason, i.by_name AS by
        FROM purchase.order_line AS l
        JOIN purchase.receipt_line AS rl ON rl.company_id = l.company_id AND rl.order_line_id = l.id
        JOIN purchase.inspection AS i ON i.company_id = rl.company_id AND i.receipt_line_id = rl.id
        JOIN purchase.receipt AS r ON r.company_id = rl.company_id AND r.id = rl.receipt_id
        JOIN purchase.purchase_order AS o ON o.company_id = l.company_id AND o.id = l.order_id
        JOIN supplier.supplier AS s ON s.company_id = o.company_id AND s.id = o.supplier_id
       WHERE l.company_id = ${ctx.companyId} AND l.product_id = ${id} ORDER BY i.id DESC LIMIT ${limit}`.execute(
      ctx.db,
    );
    return rows.map((row) => ({ ...row, path: path(row.order) }));
  },
};
