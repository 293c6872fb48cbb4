import type { Column } from '../../contract/columns.ts';
import type { SavedColumn } from '../ports.ts';

export const MIN_WIDTH = 40;
export const MAX_WIDTH = 800;

/** One column of a grid as it stands now: order is the order of the list. */
export interface LayoutColumn {
  key: string;
  shown: boolean;
  /** Set by the user; without it the column's own width holds and may grow to fill the grid. */
  width?: number;
  pinned?: 'left' | 'right' | null;
}

const clamp = (width: number): number => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width)));

function restored(saved: SavedColumn, column: Column): LayoutColumn {
  return {
    key: column.key,
    shown: saved.isShow,
    ...(saved.width === undefined ? {} : { width: clamp(saved.width) }),
    pinned: saved.pinned === undefined ? (column.pinned ?? null) : saved.pinned,
  };
}

/**
 * A saved version on the catalogue of a list: saved order first; fields that came later follow in the catalogue's
 * order, shown unless they are optional; fields that are gone, or that the user may not see, are left out. The
 * catalogue holds only fields that the user may see.
 */
export function mergeColumns(catalogue: readonly Column[], saved: readonly SavedColumn[] | undefined): LayoutColumn[] {
  const known = new Map(catalogue.map((column) => [column.key, column]));
  const layout: LayoutColumn[] = [];
  for (const item of [...(saved ?? [])].sort((a, b) => a.findex - b.findex)) {
    const column = known.get(item.ffield);
    if (!column) continue;
    known.delete(item.ffield);
    layout.push(restored(item, column));
  }
  for (const column of known.values()) {
    layout.push({ key: column.key, shown: !column.optional, pinned: column.pinned ?? null });
  }
  return layout;
}

/** A layout in the form in which versions are kept. */
export function savedColumns(layout: readonly LayoutColumn[]): SavedColumn[] {
  return layout.map(({ key, shown, width, pinned }, findex) => ({
    ffield: key,
    findex,
    isShow: shown,
    ...(width === undefined ? {} : { width }),
    pinned: pinned ?? null,
  }));
}

export function sameLayout(a: readonly LayoutColumn[], b: readonly LayoutColumn[]): boolean {
  return JSON.stringify(savedColumns(a)) === JSON.stringify(savedColumns(b));
}

/** Moves `key` before `before`; to the end where `before` is undefined. */
export function moveColumn(layout: readonly LayoutColumn[], key: string, before: string | undefined): LayoutColumn[] {
  const moving = layout.find((column) => column.key === key);
  if (!moving || key === before) return [...layout];
  const rest = layout.filter((column) => column !== moving);
  const at = before === undefined ? rest.length : rest.findIndex((column) => column.key === before);
  return [...rest.slice(0, at), moving, ...rest.slice(at)];
}

/** Changes one column of a layout. */
export function changeColumn(
  layout: readonly LayoutColumn[],
  key: string,
  change: Partial<Omit<LayoutColumn, 'key'>>,
): LayoutColumn[] {
  const width = change.width === undefined ? {} : { width: clamp(change.width) };
  return layout.map((column) => (column.key === key ? { ...column, ...change, ...width } : column));
}

export interface FitColumn {
  key: string;
  width: number;
  /** Pinned columns and columns whose width the user set keep it. */
  fixed: boolean;
}

/**
 * Widths that fill `available` px: what is left over goes to the free columns by their own widths, in whole pixels
 * that add up exactly. Where nothing is left over, every column has its own width and the grid scrolls.
 */
export function fitWidths(columns: readonly FitColumn[], available: number): Map<string, number> {
  const total = columns.reduce((sum, column) => sum + column.width, 0);
  const free = columns.filter((column) => !column.fixed);
  const base = free.reduce((sum, column) => sum + column.width, 0);
  const widths = new Map(columns.map((column) => [column.key, column.width]));
  const extra = Math.floor(available) - total;
  if (extra <= 0 || base === 0) return widths;
  let given = 0;
  let passed = 0;
  for (const column of free) {
    passed += column.width;
    const upTo = Math.floor((extra * passed) / base);
    widths.set(column.key, column.width + upTo - given);
    given = upTo;
  }
  return widths;
}
