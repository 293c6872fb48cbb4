import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';

function words({ clock }: Ctx, at: string): string {
  const format = { timeZone: clock.zone, dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', format).format(new Date(at));
}

/** @throws AppError 409 where somebody else has saved since the caller read the row */
export function requireVersion(
  ctx: Ctx,
  seen: number | undefined,
  row: { version: number; updated_by_name: string; updated_at: string },
): void {
  if (seen !== undefined && seen !== row.version) {
    throw conflict(`单据已被${row.updated_by_name}于${words(ctx, row.updated_at)}修改，请刷新`);
  }
}

const plain = (value: unknown) =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** What differs between two states of a record, by key of the new one. */
export function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const keys = Object.keys(after).filter((key) => plain(before[key]) !== plain(after[key]));
  const pick = (from: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, from[key] ?? null]));
  return { keys, before: pick(before), after: pick(after) };
}

/** Writes what changed, or nothing where nothing did; the call counts as written down either way. */
export async function auditChange(
  ctx: Ctx,
  entry: { action: string; resource: string; resourceId: string },
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  const found = difference(before, after);
  if (found.keys.length > 0) await audit(ctx, { ...entry, before: found.before, after: found.after });
  else ctx.audited = true;
}
