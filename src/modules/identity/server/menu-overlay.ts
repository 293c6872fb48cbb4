import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { NOBODYS_COMPANY } from '../contract/operator.ts';

/** What the operator changed about one entry of the menu, or an entry that he added. */
export interface MenuOverlay {
  key: string;
  kind: 'entry' | 'dir' | 'link';
  parent: string | null;
  title: string | null;
  icon: string | null;
  sort: number | null;
  visible: boolean;
  redirect: string | null;
}

const CACHE_MS = 3_000;
const known = new WeakMap<Runtime, { at: number; rows: Promise<MenuOverlay[]> }>();

async function read(runtime: Runtime): Promise<MenuOverlay[]> {
  const rows = await inSystem(
    runtime,
    (db) =>
      db
        .selectFrom('identity.menu_overlay')
        .select(['key', 'kind', 'parent', 'title', 'icon', 'sort', 'is_visible as visible', 'redirect'])
        .where('company_id', '=', NOBODYS_COMPANY)
        .execute(),
    { readOnly: true },
  );
  return rows.map((row) => ({ ...row, kind: row.kind as MenuOverlay['kind'] }));
}

/** The operator's changes to the menu; from memory for three seconds, because every page load asks. */
export function menuOverlays(runtime: Runtime): Promise<MenuOverlay[]> {
  const found = known.get(runtime);
  if (found && Date.now() - found.at < CACHE_MS) return found.rows;
  const rows = read(runtime).catch((error: unknown) => {
    known.delete(runtime);
    throw error;
  });
  known.set(runtime, { at: Date.now(), rows });
  return rows;
}

/** Forgets what this process remembers, after a change. */
export function forgetMenuOverlays(runtime: Runtime): void {
  known.delete(runtime);
}
