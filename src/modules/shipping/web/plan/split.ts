import type { Transport } from '../../contract/fields.ts';
import { piecesByRatio } from '../../contract/plan-submit.ts';

/** A part of an item while it is put together. */
export interface Part {
  key: number;
  marketplaceId: string;
  warehouseId: string;
  transport: Transport;
  qty: number | null;
  /** 0 to 10, of a site that shares its stock with others; null where pieces were typed. */
  ratio: number | null;
}

/** Parts with the pieces of their ratios, those without one kept; undefined where no ratio says anything. */
export function byRatio(parts: readonly Part[], total: number): Part[] | undefined {
  const typed = parts.reduce((sum, part) => sum + (part.ratio === null ? (part.qty ?? 0) : 0), 0);
  const shares = piecesByRatio(
    Math.max(0, total - typed),
    parts.map((part) => part.ratio ?? 0),
  );
  return shares && parts.map((part, index) => (part.ratio === null ? part : { ...part, qty: shares[index] ?? 0 }));
}

/** Why an item cannot be divided like that, or nothing. */
export function obstacle(parts: readonly Part[], total: number): string | undefined {
  const used = parts.filter((part) => (part.qty ?? 0) > 0);
  if (used.length === 0) return '请填写拆分数量';
  const keys = new Set(used.map((part) => `${part.marketplaceId} ${part.warehouseId} ${part.transport}`));
  if (keys.size < used.length) return '站点、发货仓和运输方式不能重复';
  const left = used.reduce((rest, part) => rest - (part.qty ?? 0), total);
  if (left === 0) return undefined;
  return left > 0 ? `还有 ${left} 件没有分配` : `多分配了 ${-left} 件`;
}
