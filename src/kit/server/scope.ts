import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import { extensionPoint } from './extension.ts';

/**
 * Ids that a caller may reach, by the kind of id that tables carry ("store", "account", "warehouse"); null is all of
 * them. A kind that is not named cannot be reached at all: the database refuses.
 */
export type Reach = Readonly<Record<string, readonly string[] | null>>;

/** What one call may reach: rows it may see, and rows it may leave behind. */
export interface DataScope {
  read: Reach;
  write: Reach;
}

/**
 * Something that data rights are given on, e.g. stores: a role or a member is granted some of its ids. The module that
 * owns the ids declares it.
 */
export interface ScopeDimension {
  name: string;
  /** e.g. 店铺权限 */
  title: string;
  /** Every id that can be granted, with its name: what the editor of rights offers. */
  options: (ctx: Ctx) => Promise<{ id: string; title: string; group?: string }[]>;
  /** Kinds of ids that tables carry which follow from it. */
  kinds: readonly string[];
  /** For each grantable id, the ids of each kind that come with it. */
  reach: (ctx: Ctx) => Promise<Map<string, Record<string, readonly string[]>>>;
}

/** Where modules declare the dimensions of data rights. */
export const scopeDimensions = extensionPoint<ScopeDimension>('kit.scopeDimensions');

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const KIND = /^[a-z_]+$/;

function settingsOf(side: 'read' | 'write', reach: Reach): string[] {
  return Object.entries(reach).map(([kind, ids]) => {
    if (!KIND.test(kind) || ids?.some((id) => !UUID.test(id))) throw new Error('data scope holds something unexpected');
    return `SET LOCAL app.${side}_${kind} = '${ids === null ? '*' : `{${ids.join(',')}}`}'`;
  });
}

/**
 * Statements that bind a transaction to a data scope: it works as a role that the policies of kit.data_scope() hold
 * for. Without a scope the transaction reaches the whole company and pays nothing for the policies.
 */
export function scopeStatements(scope: DataScope | undefined): string {
  if (!scope) return '';
  return ['', 'SET LOCAL ROLE erp_scoped', ...settingsOf('read', scope.read), ...settingsOf('write', scope.write)].join(
    '; ',
  );
}

/**
 * Runs `work` in the same transaction for the whole company. What a change entails elsewhere (rollups, counters) does
 * not end where the sight of the person who made it ends.
 */
export async function unscoped<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  if (!ctx.dataScope || ctx.unbound > 0) return work();
  await sql`SET LOCAL ROLE erp_app`.execute(ctx.db);
  ctx.unbound += 1;
  try {
    return await work();
  } finally {
    ctx.unbound -= 1;
    // After a failed statement the transaction takes no more; its end takes the role back as well.
    await sql`SET LOCAL ROLE erp_scoped`.execute(ctx.db).catch(() => {});
  }
}
