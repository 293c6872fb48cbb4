import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, makeCtx, type Principal } from '#kit/server/context.ts';
import { companyLock } from '#kit/server/db/database.ts';
import { refused } from '#kit/server/errors.ts';
import { emit, event } from '#kit/server/events.ts';
import { task } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { type Conflict, LISTED } from './clashes.ts';
import { enterCompany } from './company.ts';
import { copyFiles } from './files.ts';
import { type Moved, moveRows, type Sides } from './mover.ts';

export const MERGE_TASK = 'identity.merge';
const LOCK_WAIT_MS = 120_000;

/** A company has taken in everything of another one, in the transaction that did it and with the target's context. */
export const companyMerged = event<{ from: string; fromName: string; people: number }>('identity.companyMerged');

export interface MergePayload {
  /** Company that takes everything in. */
  to: string;
}

/** Refusal that names what is in the way, as data and in words. */
export function inTheWay(conflicts: readonly Conflict[]) {
  const words = conflicts.slice(0, LISTED).map(({ title, value }) => `${title} ${value}`);
  return refused(`两家公司存在冲突的数据，无法迁移：${words.join('；')}`, 'B0215', { conflicts });
}

/** Makes both companies read-only until the transaction ends, however it ends. In one order for everybody. */
async function freeze(ctx: Ctx, companies: readonly string[]): Promise<void> {
  await sql`SELECT set_config('lock_timeout', ${`${LOCK_WAIT_MS}ms`}, true)`.execute(ctx.db);
  try {
    for (const id of companies.toSorted()) {
      await sql`SELECT pg_advisory_xact_lock(${sql.raw(companyLock(id))})`.execute(ctx.db);
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === '55P03') throw refused('公司仍有操作正在执行，请稍后再试', 'B0216');
    throw error;
  }
}

interface Names {
  fromName: string;
  toName: string;
}

/** Both companies as they are now that nobody changes them any more. */
async function namesOf(ctx: Ctx, from: string, to: string): Promise<Names> {
  const read = async (id: string) => {
    await enterCompany(ctx, id);
    const { rows } = await sql<{ name: string; status: string }>`
      SELECT name, status FROM identity.company WHERE company_id = ${id}`.execute(ctx.db);
    const [company] = rows;
    if (company?.status !== 'active') throw refused('公司已停用或已迁移，无法迁移', 'B0217');
    return company.name;
  };
  const names = { toName: await read(to), fromName: await read(from) };
  return names;
}

/** Closes the company that moves: nobody comes in any more, and who is in reads why on the log-in page. */
async function close(ctx: Ctx, toName: string): Promise<void> {
  await enterCompany(ctx, ctx.companyId);
  const reason = `公司数据已迁入“${toName}”，请重新登录`;
  await sql`
    UPDATE identity.session SET revoked_at = kit.now(), revoke_reason = ${reason}
     WHERE company_id = ${ctx.companyId} AND (revoked_at IS NULL OR revoked_at > kit.now())`.execute(ctx.db);
}

async function moveAll(ctx: Ctx, principal: Principal, to: string): Promise<Moved> {
  const from = ctx.companyId;
  await freeze(ctx, [from, to]);
  const { fromName, toName } = await namesOf(ctx, from, to);
  const sides: Sides = { from, to, fromName };
  await copyFiles(ctx, to);
  // From here on the log of the company that moves only gets this one row; then it is sealed for good.
  await audit(ctx, { action: '账号迁移：迁出', resource: 'identity.company', resourceId: from, after: { to: toName } });
  await sql`
    UPDATE identity.company SET status = 'merged', merged_into = ${to} WHERE company_id = ${from}`.execute(ctx.db);
  const moved = await moveRows(ctx, sides);
  if (moved.conflicts.length > 0) throw inTheWay(moved.conflicts);
  const theirs = makeCtx(ctx.runtime, { ...principal, companyId: to }, ctx.db, ctx.client, {
    queued: ctx.queued,
    hooks: [],
  });
  const after = { from: fromName, company: from, people: moved.people, rows: moved.rows };
  await audit(theirs, { action: '账号迁移：迁入', resource: 'identity.company', resourceId: to, after });
  await emit(theirs, companyMerged, { from, fromName, people: moved.people });
  await close(ctx, toName);
  return moved;
}

/**
 * Moves a company into another one: all of it in one transaction, or nothing. While it runs both are read-only, by a lock
 * that goes with the transaction; a process that dies in the middle leaves both as they were.
 */
export async function mergeCompanies(runtime: Runtime, principal: Principal, to: string): Promise<Moved> {
  const files = { readOnly: true, timeoutMs: 0 };
  // Most bytes are there before anybody has to wait for them.
  await inTenant(runtime, systemPrincipal(principal.companyId), (ctx) => copyFiles(ctx, to), files);
  return inTenant(runtime, principal, (ctx) => moveAll(ctx, principal, to), { timeoutMs: 0 });
}

export const mergeTask = task<MergePayload>(MERGE_TASK, async (runtime, handle, { to }) => {
  const { companyId, userId, userName } = handle;
  const moved = await mergeCompanies(runtime, { ...systemPrincipal(companyId, userName), userId }, to);
  const rows = Object.values(moved.rows).reduce((sum, count) => sum + count, 0);
  return { detail: `已迁移 ${moved.people} 个账号，${rows} 行数据` };
});
