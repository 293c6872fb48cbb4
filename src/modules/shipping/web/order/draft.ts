import type { ShipLineInput } from '../../contract/order.ts';
import type { ShipListing } from '../../contract/order-calls.ts';

/** A line while it is written. */
export type Draft = Omit<ShipLineInput, 'qty'> & { qty: number | null };

/** A line for a SKU that was picked just now. */
export const newDraft = (msku: string, qty: number | null = null): Draft => ({
  msku,
  qty,
  boxQty: null,
  labelOwner: 'SELLER',
  prepOwner: 'SELLER',
  expiresOn: null,
});

/** A line with its listing; the listing is missing while it is looked up. */
export type Shown = Draft & { listing: ShipListing | undefined };

/** Why the lines cannot be sent as they are; undefined where they can. */
export function obstacle(lines: readonly Draft[], cases: boolean): string | undefined {
  if (lines.length === 0) return '至少添加一行数据';
  for (const [index, { qty, boxQty, msku }] of lines.entries()) {
    const words = `第 ${index + 1} 行【${msku}】`;
    if (!qty) return `${words}请填写数量`;
    if (cases && !boxQty) return `${words}原箱发货请填写每箱数`;
    if (cases && boxQty && qty % boxQty !== 0) return `${words}数量不是每箱数的整数倍`;
  }
  return undefined;
}

/** Lines as the call takes them. */
export const sent = (lines: readonly Draft[]): ShipLineInput[] =>
  lines.map((line) => ({ ...line, qty: line.qty ?? 0 }));

/** Totals of the lines; weight in kg and volume in m³ are null where a line's are not known. For the eye only. */
export function totalsOf(lines: readonly Shown[]) {
  const sum = (key: 'weight' | 'volume') =>
    lines.some(({ listing }) => listing === undefined || listing[key] === null)
      ? null
      : lines.reduce((total, { listing, qty }) => total + Number(listing?.[key]) * (qty ?? 0), 0);
  const volume = sum('volume');
  return {
    qty: lines.reduce((total, line) => total + (line.qty ?? 0), 0),
    weight: sum('weight'),
    volume: volume === null ? null : volume / 1_000_000,
  };
}

const PASTED = /^\s*(\S+)[\s,，;；]+(\d+)\s*$/;

/** Rows of 「平台SKU 数量」 as they are pasted from a sheet; what is not one is told by its row. */
export function parsed(text: string): { rows: { msku: string; qty: number }[]; wrong: number[] } {
  const rows: { msku: string; qty: number }[] = [];
  const wrong: number[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [, msku, qty] = PASTED.exec(line) ?? [];
    if (msku && Number(qty) > 0) rows.push({ msku, qty: Number(qty) });
    else wrong.push(index + 1);
  }
  return { rows, wrong };
}
