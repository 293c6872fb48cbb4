import type { Ctx } from '#kit/server/context.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { type Score, type ScoredLine, score, type Thresholds } from './scorecard.ts';

/** Company days, both included. */
export interface Period {
  from: string;
  to: string;
}

export interface SuppliersLine extends ScoredLine {
  supplierId: string;
}

/** Who knows what suppliers delivered. */
export interface ScoredSource {
  /** Order lines of these suppliers, a hundred at most, that fell due in a period. */
  lines(ctx: Ctx, period: Period & { supplierIds: readonly string[] }): Promise<readonly SuppliersLine[]>;
  /** Suppliers of whom some line fell due in a period. */
  suppliers(ctx: Ctx, period: Period): Promise<readonly string[]>;
}

/** The facts of scorecards: purchasing gives them. */
export const scoredLines = extensionPoint<ScoredSource>('supplier.scoredLines');

const CHUNK = 100;

/** Suppliers of whom some line fell due in a period, by id. */
export async function dueSuppliers(ctx: Ctx, period: Period): Promise<string[]> {
  const found = new Set<string>();
  for (const source of extensionsOf(ctx.runtime.modules, scoredLines)) {
    for (const id of await source.suppliers(ctx, period)) found.add(id);
  }
  return [...found].sort();
}

/** Ids in handfuls that a source answers for at once. */
export function chunksOf(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, index) =>
    ids.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}

/** Scorecards of suppliers, a hundred at most, by id; also of those of whom nothing fell due. */
export async function measured(
  ctx: Ctx,
  suppliers: readonly { id: string; serviceScore: string | null }[],
  period: Period,
  thresholds: Thresholds,
): Promise<Map<string, Score>> {
  const lines = new Map<string, ScoredLine[]>(suppliers.map(({ id }) => [id, []]));
  const supplierIds = [...lines.keys()];
  for (const source of extensionsOf(ctx.runtime.modules, scoredLines)) {
    for (const line of await source.lines(ctx, { supplierIds, ...period })) lines.get(line.supplierId)?.push(line);
  }
  return new Map(
    suppliers.map(({ id, serviceScore }) => [id, score(lines.get(id) ?? [], serviceScore, thresholds)] as const),
  );
}
