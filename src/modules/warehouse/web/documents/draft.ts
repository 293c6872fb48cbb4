import type { Product } from '#kit/contract/field.ts';
import type { LineRow, StockChoice } from '../../contract/documents/fields.ts';

/** A line while it is written. */
export interface Draft {
  key: string;
  productId: string;
  product: Product;
  toProductId: string | null;
  toProduct: Product | null;
  qty: number | null;
  lotNo: string;
  expiresAt: string | null;
  locationId: string | null;
  location: string | null;
  unitCost: string | null;
  fee: string | null;
  qtyPer: string | null;
  reason: string;
  available: number;
}

export function draftOf(row: LineRow): Draft {
  return {
    key: row.id,
    productId: row.productId,
    product: row.product,
    toProductId: row.toProductId,
    toProduct: row.toProduct,
    qty: row.qty,
    lotNo: row.lotNo,
    expiresAt: row.expiresAt,
    locationId: row.locationId,
    location: row.location,
    unitCost: row.unitCost ?? null,
    fee: row.fee ?? null,
    qtyPer: row.qtyPer,
    reason: row.reason,
    available: row.available,
  };
}

/** A new line for a product; `cost` proposes what it last cost. */
export function newDraft(choice: StockChoice, cost: boolean): Draft {
  return {
    key: crypto.randomUUID(),
    productId: choice.id,
    product: choice.product,
    toProductId: null,
    toProduct: null,
    qty: null,
    lotNo: '',
    expiresAt: null,
    locationId: null,
    location: null,
    unitCost: cost ? (choice.lastCost ?? null) : null,
    fee: null,
    qtyPer: null,
    reason: '',
    available: choice.available,
  };
}

/** Why the lines cannot be saved, or nothing. */
export function obstacle(lines: readonly Draft[], swaps: boolean): string | undefined {
  if (lines.length === 0) return '至少添加一行数据';
  const bad = lines.find((line) => !line.qty || line.qty <= 0);
  if (bad) return `SKU【${bad.product.code}】的数量必须为正整数`;
  const open = lines.find((line) => swaps && !line.toProductId);
  if (open) return `请选择SKU【${open.product.code}】的调入产品`;
  return undefined;
}

/** Lines as the server takes them, with the fields that the kind writes. */
export function sent(lines: readonly Draft[], keys: readonly string[], cost: boolean) {
  return lines.map((line) => ({
    productId: line.productId,
    qty: line.qty ?? 0,
    reason: line.reason,
    ...(keys.includes('toProduct') ? { toProductId: line.toProductId } : {}),
    ...(keys.includes('lotNo') ? { lotNo: line.lotNo, expiresAt: line.expiresAt } : {}),
    ...(keys.includes('location') ? { locationId: line.locationId } : {}),
    ...(keys.includes('unitCost') && cost ? { unitCost: line.unitCost } : {}),
    ...(keys.includes('fee') && cost ? { fee: line.fee } : {}),
    ...(keys.includes('qtyPer') ? { qtyPer: line.qtyPer } : {}),
  }));
}
