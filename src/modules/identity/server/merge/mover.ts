import type { Ctx } from '#kit/server/context.ts';
import { parentsFirst, type TenantTable, tenantTables } from './catalogue.ts';
import { type Conflict, freeKeys, giveWay, keepGreatest, listClashes, outcomeOf, rename } from './clashes.ts';
import { enterCompany } from './company.ts';
import { type Plan, planner } from './moves.ts';
import { leaveHusks, seat, takeIn } from './people.ts';

interface Moving {
  table: TenantTable;
  plan: Plan;
  /** Temporary table that holds its rows meanwhile. */
  staged: string;
}

export interface Sides {
  from: string;
  to: string;
  /** Name of the company that moves: what is renamed carries it. */
  fromName: string;
}

/** Companies and people are in both places while rows move: what refers to them can move too. */
const BOTH = ['identity.company', 'identity.member'];

/** Tables that stay, with those whose rows cannot be without a row that stays. */
function staying(all: readonly TenantTable[], planOf: (table: string) => Plan): Set<string> {
  const stay = new Set(all.filter(({ name }) => planOf(name).how === 'stay').map(({ quoted }) => quoted));
  const bound = ({ references }: TenantTable) =>
    references.some(({ to, nullable }) => stay.has(to) && !BOTH.includes(to) && nullable.length === 0);
  for (let before = -1; before !== stay.size; ) {
    before = stay.size;
    for (const table of all) if (bound(table)) stay.add(table.quoted);
  }
  return stay;
}

/** What moves, parents first. */
async function movingTables(ctx: Ctx): Promise<{ all: TenantTable[]; moving: Moving[] }> {
  const planOf = planner(ctx.runtime.modules);
  const all = await tenantTables(ctx.client);
  const stay = staying(all, planOf);
  const moving = parentsFirst(all.filter((table) => !stay.has(table.quoted)));
  return {
    all,
    moving: moving.map((table, at) => ({ table, plan: planOf(table.name), staged: `pg_temp.moving_${at}` })),
  };
}

async function hasRows(ctx: Ctx, { quoted }: TenantTable, companyId: string): Promise<boolean> {
  const { rows } = await ctx.client.query<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM ${quoted} WHERE company_id = $1) AS any`,
    [companyId],
  );
  return rows[0]?.any ?? false;
}

async function createStage(ctx: Ctx, { table, staged }: Moving): Promise<void> {
  const name = staged.replace('pg_temp.', '');
  await ctx.client.query(`CREATE TEMP TABLE ${name} ON COMMIT DROP AS SELECT * FROM ${table.quoted} WITH NO DATA`);
}

/** Rows that stay lose their hold on rows that go, e.g. a finished task on its result file. */
async function letGo(ctx: Ctx, all: readonly TenantTable[], moving: readonly Moving[], from: string): Promise<void> {
  const going = new Set(moving.map(({ table }) => table.quoted));
  for (const table of all.filter((each) => !going.has(each.quoted))) {
    for (const { to, nullable } of table.references) {
      if (!going.has(to)) continue;
      for (const column of nullable) {
        await ctx.client.query(
          `UPDATE ${table.quoted} SET ${column} = NULL WHERE company_id = $1 AND ${column} IS NOT NULL`,
          [from],
        );
      }
    }
  }
}

/** Takes the rows of a table out of the company, into its stage where they are to move. True where there were any. */
async function takeOut(ctx: Ctx, one: Moving, from: string): Promise<boolean> {
  const { table, plan, staged } = one;
  if (!(await hasRows(ctx, table, from))) return false;
  if (plan.how === 'move') await createStage(ctx, one);
  if (table.deletable) {
    const gone = `DELETE FROM ${table.quoted} WHERE company_id = $1`;
    const statement =
      plan.how === 'move' ? `WITH gone AS (${gone} RETURNING *) INSERT INTO ${staged} SELECT * FROM gone` : gone;
    await ctx.client.query(statement, [from]);
    return plan.how === 'move';
  }
  if (plan.how === 'move') {
    await ctx.client.query(`INSERT INTO ${staged} SELECT * FROM ${table.quoted} WHERE company_id = $1`, [from]);
  }
  await ctx.client.query('SELECT identity.take_away($1::regclass)', [table.quoted]);
  return plan.how === 'move';
}

/** Makes room for the staged rows among the target's, or lists those that there is no room for. */
async function settle(ctx: Ctx, one: Moving, sides: Sides, moving: ReadonlySet<string>): Promise<Conflict[]> {
  const { table, plan, staged } = one;
  const conflicts: Conflict[] = [];
  for (const key of freeKeys(table, moving)) {
    const outcome = outcomeOf(plan.clash, key);
    if (outcome === 'refuse') conflicts.push(...(await listClashes(ctx.client, table, key, staged, plan.title)));
    else if (outcome === 'target') await giveWay(ctx.client, table, key, staged);
    else if ('greatest' in outcome) await keepGreatest(ctx.client, table, key, staged, outcome.greatest);
    else if (key.columns.includes(outcome.rename)) {
      const addition = outcome.rename === 'name' ? () => `（${sides.fromName}）` : (at: number) => `-M${at}`;
      await rename(ctx.client, table, key, staged, outcome.rename, addition);
    }
  }
  return conflicts;
}

async function putIn(ctx: Ctx, { table, staged }: Moving, { from, to }: Sides): Promise<number> {
  if (!table.insertable) {
    const { rows } = await ctx.client.query<{ n: number }>(
      'SELECT identity.put_in($1::regclass, $2, $3::text[], $4) AS n',
      [table.quoted, staged.replace('pg_temp.', ''), table.columns, from],
    );
    return rows[0]?.n ?? 0;
  }
  const columns = table.columns
    .filter((column) => column !== 'company_id')
    .map((column) => `"${column.replaceAll('"', '""')}"`)
    .join(', ');
  const { rowCount } = await ctx.client.query(
    `INSERT INTO ${table.quoted} (company_id, ${columns}) OVERRIDING SYSTEM VALUE SELECT $1::uuid, ${columns} FROM ${staged}`,
    [to],
  );
  return rowCount ?? 0;
}

/** Rows that would be in each other's way, without moving anything; to be called in a transaction that is rolled back. */
export async function conflictsOf(ctx: Ctx, sides: Sides): Promise<Conflict[]> {
  const { moving } = await movingTables(ctx);
  const names = new Set(moving.map(({ table }) => table.quoted));
  const conflicts: Conflict[] = [];
  for (const one of moving) {
    const refusing = freeKeys(one.table, names).some((key) => outcomeOf(one.plan.clash, key) === 'refuse');
    if (!refusing || one.plan.how !== 'move') continue;
    await enterCompany(ctx, sides.from);
    if (!(await hasRows(ctx, one.table, sides.from))) continue;
    await createStage(ctx, one);
    await ctx.client.query(`INSERT INTO ${one.staged} SELECT * FROM ${one.table.quoted} WHERE company_id = $1`, [
      sides.from,
    ]);
    await enterCompany(ctx, sides.to);
    conflicts.push(...(await settle(ctx, one, sides, names)));
  }
  return conflicts;
}

export interface Moved {
  conflicts: Conflict[];
  /** Rows by what they are called. */
  rows: Record<string, number>;
  people: number;
}

/**
 * Moves every row of one company into another, in the caller's transaction: out of the source, children first; into the
 * target, parents first. With conflicts the transaction must be rolled back. Afterwards it sees the target's rows.
 */
export async function moveRows(ctx: Ctx, sides: Sides): Promise<Moved> {
  const { from, to } = sides;
  const { all, moving } = await movingTables(ctx);
  const names = new Set(moving.map(({ table }) => table.quoted));
  await enterCompany(ctx, from);
  await leaveHusks(ctx);
  await letGo(ctx, all, moving, from);
  const full = new Set<Moving>();
  for (const one of moving.toReversed()) if (await takeOut(ctx, one, from)) full.add(one);
  const people = await takeIn(ctx, to);
  const conflicts: Conflict[] = [];
  const rows: Record<string, number> = {};
  for (const one of moving.filter((each) => full.has(each))) {
    const found = await settle(ctx, one, sides, names);
    conflicts.push(...found);
    // What is refused anyway is looked through to the end, so that the list is whole.
    if (conflicts.length === 0) rows[one.table.name] = await putIn(ctx, one, sides);
  }
  if (conflicts.length === 0) await seat(ctx, to);
  return { conflicts, rows, people };
}
