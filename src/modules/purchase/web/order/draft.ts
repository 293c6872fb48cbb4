import type { Product } from '#kit/contract/field.ts';
import type { OrderLineInput, OrderLineRow } from '../../contract/order.ts';

/** A line while it is written. */
export interface Draft {
  key: string;
  productId: string;
  product: Product;
  qty: number | null;
  gift: boolean;
  unitPrice: string | null;
  /** The price was typed: the supplier's tiers no longer set it. */
  typed: boolean;
  taxRate: string;
  rebateRate: string;
  expectedOn: string | null;
  receiveTolerance: string | null;
  /** What customs take: shares, or amounts for all pieces that stand instead. */
  dutyRate: string;
  dutyAmount: string | null;
  importVatRate: string;
  importVatAmount: string | null;
  remark: string;
}

export function draftOf(row: OrderLineRow): Draft {
  return {
    key: row.id,
    productId: row.productId,
    product: row.product,
    qty: row.qty,
    gift: row.gift,
    unitPrice: row.unitPrice,
    typed: true,
    taxRate: row.taxRate,
    rebateRate: row.rebateRate,
    expectedOn: row.expectedOn,
    receiveTolerance: row.receiveTolerance,
    dutyRate: row.dutyRate ?? '0',
    dutyAmount: row.dutyAmount,
    importVatRate: row.importVatRate ?? '0',
    importVatAmount: row.importVatAmount,
    remark: row.remark,
  };
}

export interface Goods {
  id: string;
  product: Product;
  unitPrice: string | null;
  moq: number | null;
}

/** A new line for a product: the supplier's smallest quantity and its price are proposed. */
export function newDraft(goods: Goods, taxRate: string): Draft {
  return {
    key: crypto.randomUUID(),
    productId: goods.id,
    product: goods.product,
    qty: goods.moq,
    gift: false,
    unitPrice: goods.unitPrice,
    typed: false,
    taxRate,
    rebateRate: '0',
    expectedOn: null,
    receiveTolerance: null,
    dutyRate: '0',
    dutyAmount: null,
    importVatRate: '0',
    importVatAmount: null,
    remark: '',
  };
}

/**
 * A further line for a product that is in the order already. It has no price: the supplier's would make it the line that is
 * there.
 */
export const anotherDraft = (goods: Goods, taxRate: string): Draft => ({
  ...newDraft(goods, taxRate),
  unitPrice: null,
  typed: true,
});

/** Why the lines cannot be saved, or nothing. */
export function obstacle(lines: readonly Draft[]): string | undefined {
  if (lines.length === 0) return '至少添加一行数据';
  const bad = lines.find((line) => !line.qty || line.qty <= 0);
  if (bad) return `SKU【${bad.product.code}】的数量必须为正整数`;
  const free = lines.find((line) => !line.gift && !line.unitPrice);
  return free ? `请填写SKU【${free.product.code}】的单价` : undefined;
}

function taxesOf({ dutyRate, dutyAmount, importVatRate, importVatAmount }: Draft) {
  return { dutyRate, dutyAmount, importVatRate, importVatAmount };
}

const UNTAXED = { dutyRate: '0', dutyAmount: null, importVatRate: '0', importVatAmount: null };

/** Lines as the server takes them; those without a quantity are left out, and taxes of imports for an order at home. */
export function sent(lines: readonly Draft[], overseas: boolean): OrderLineInput[] {
  return lines.flatMap((line) =>
    line.qty
      ? [
          {
            productId: line.productId,
            qty: line.qty,
            gift: line.gift,
            unitPrice: line.gift ? '0' : (line.unitPrice ?? '0'),
            taxRate: line.taxRate,
            rebateRate: line.rebateRate,
            expectedOn: line.expectedOn,
            receiveTolerance: line.receiveTolerance,
            ...(overseas ? taxesOf(line) : UNTAXED),
            remark: line.remark,
          },
        ]
      : [],
  );
}
