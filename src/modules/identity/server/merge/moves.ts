import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { ModuleDef } from '#kit/server/module.ts';

/**
 * What becomes of a row that another company's row is in the way of, by a unique key:
 * - refuse: nothing moves at all, and the rows are listed
 * - target: the target's row holds; the other is dropped (settings). Only for tables that nothing refers to
 * - rename: the text in a column gets an addition
 * - greatest: the target's row holds with the greater number
 */
export type Clash = 'refuse' | 'target' | { rename: string } | { greatest: string };

/** How the rows of a table behave when a company is moved into another one. Tables that nobody declares move whole. */
export interface RowMove {
  /** "schema.table" */
  table: string;
  /** What its rows are called in a list of conflicts, e.g. 商品; left out: as the manifest's `objects` call them. */
  title?: string;
  /** move: to the target. drop: nobody needs them there. stay: they remain with the company that is closed. */
  how?: 'move' | 'drop' | 'stay';
  clash?: Clash;
}

/** Where modules declare how their rows move. */
export const rowMoves = extensionPoint<RowMove>('identity.rowMoves');

/** The log and its receipts stay where they are: seals over them hold for the company that they were written for. */
const OWN: readonly RowMove[] = [
  { table: 'kit.audit', how: 'stay' },
  { table: 'kit.idempotency', how: 'stay' },
  { table: 'kit.outbox', how: 'stay' },
  { table: 'kit.task', how: 'stay' },
  { table: 'kit.company_zone', how: 'stay' },
  { table: 'kit.made', clash: 'target' },
  { table: 'kit.sequence', clash: { greatest: 'last' } },
  { table: 'identity.company', how: 'stay' },
  // A husk of each person stays, so that the log of the closed company keeps its names; see people.ts.
  { table: 'identity.member', how: 'stay' },
  { table: 'identity.session', how: 'stay' },
  { table: 'identity.sso_session', how: 'stay' },
  { table: 'identity.login_log', how: 'stay' },
  { table: 'identity.closure', how: 'drop' },
  // They hang on sessions, which end with the company.
  { table: 'identity.oauth_record', how: 'drop' },
  { table: 'identity.oauth_grant', how: 'stay' },
  { table: 'identity.mfa_challenge', how: 'drop' },
  // The target's rules hold for everybody.
  { table: 'identity.security_policy', how: 'drop' },
  { table: 'identity.role', title: '角色', clash: { rename: 'name' } },
  { table: 'identity.department', title: '部门', clash: { rename: 'name' } },
];

export interface Plan {
  how: 'move' | 'drop' | 'stay';
  clash: Clash | undefined;
  title: string;
}

/** How a table behaves, by its name. */
export function planner(modules: readonly ModuleDef[]): (table: string) => Plan {
  const declared = new Map([...OWN, ...extensionsOf(modules, rowMoves)].map((move) => [move.table, move]));
  const objects: Record<string, string> = Object.assign({}, ...modules.map((module) => module.objects ?? {}));
  const titleOf = (table: string) => {
    const [schema] = table.split('.');
    const module = modules.find((each) => each.name === schema);
    return objects[table] ?? `${module?.title ?? '其他'}数据（${table}）`;
  };
  return (table) => {
    const move = declared.get(table);
    return { how: move?.how ?? 'move', clash: move?.clash, title: move?.title ?? titleOf(table) };
  };
}
