import { once as onceEvent } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { z } from 'zod';
import { type Column, columnsOf } from '#kit/contract/columns.ts';
import { type Ctx, can } from '../context.ts';
import { type SheetColumn, writeSheet } from '../excel/write.ts';

/** The columns of an export: those asked for in their order, without those the caller may not see. */
export function exportColumns(ctx: Ctx, row: z.ZodObject, wanted: readonly string[] | undefined): Column[] {
  const all = columnsOf(row).filter(
    (column) => !column.hidden && (column.permission === undefined || can(ctx, column.permission)),
  );
  if (!wanted) return all.filter((column) => !column.optional);
  return wanted.flatMap((key) => all.filter((column) => column.key === key));
}

/** Sheet columns of contract columns: money brings its currency along where it differs by row. */
function sheetColumns(columns: readonly Column[]): SheetColumn[] {
  return columns.map((column) => ({
    title: column.title,
    kind: column.kind,
    value: (row) => cellOf(column, row[column.key]),
    width: column.width ? Math.round(column.width / 8) : undefined,
  }));
}

function cellOf(column: Column, value: unknown): string | number | boolean | Date | null {
  if (value === null || value === undefined) return null;
  if (column.states) return column.states[String(value)]?.title ?? String(value);
  if (column.kind === 'product') {
    const product = value as { name: string; code: string };
    return `${product.code} ${product.name}`;
  }
  if (column.kind === 'store') {
    const store = value as { name: string; country: string };
    return `${store.name} ${store.country}`;
  }
  if (column.kind === 'instant') return new Date(String(value instanceof Date ? value.toISOString() : value));
  if (typeof value === 'object') return JSON.stringify(value);
  return value as string | number | boolean;
}

export interface ExportSpec {
  format: 'xlsx' | 'csv';
  sheet: string;
  columns: readonly Column[];
}

/** The same rows, once the first was read: a query that fails at all fails before a byte of the file is written. */
async function begun<T>(rows: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = rows[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let step = first; !step.done; step = await iterator.next()) yield step.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

/**
 * Streams rows as XLSX or CSV; memory use does not depend on their number. `onRow` hears the count now and then.
 */
export function exportStream(
  rows: AsyncIterable<object>,
  spec: ExportSpec,
  onRow?: (count: number) => Promise<void>,
): Readable {
  const out = new PassThrough({ highWaterMark: 1 << 20 });
  const counted = (async function* () {
    let count = 0;
    for await (const row of rows) {
      yield row as Record<string, unknown>;
      count += 1;
      if (onRow && count % 5000 === 0) await onRow(count);
    }
  })();
  const sheet = { format: spec.format, sheet: spec.sheet, columns: sheetColumns(spec.columns) };
  begun(counted)
    .then((ready) => writeSheet(out, sheet, ready))
    .then(async () => {
      if (!out.writableEnded) out.end();
      await onceEvent(out, 'close').catch(() => {});
    })
    .catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
  return out;
}

export const MEDIA_TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const;
