import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { startTask } from '#kit/server/jobs/enqueue.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import type { MergeForm } from '../../contract/merge.ts';
import { across, callerOf } from '../act.ts';
import { consumeCode, verifyCode } from '../codes/check.ts';
import { proveAccount } from '../login.ts';
import { type LoginMember, obstacleOf, recordLogin } from '../members.ts';
import { acceptsAny, refuseIfFactorLocked, wrongCode } from '../mfa/factor.ts';
import { type Conflict, LISTED } from './clashes.ts';
import { conflictsOf } from './mover.ts';
import { inTheWay, MERGE_TASK, type MergePayload } from './task.ts';

/** A second factor where one is set up; wrong codes count towards its lock. */
async function proveFactor(ctx: OpenCtx, who: LoginMember, code: string | undefined, whose: string): Promise<void> {
  const { secrets } = ctx.runtime;
  const outcome = await across(ctx, async ({ db }) => {
    const own = await db
      .selectFrom('identity.mfa')
      .select('confirmed_at')
      .where('company_id', '=', who.company_id)
      .where('member_id', '=', who.id)
      .executeTakeFirst();
    if (own?.confirmed_at == null) return 'right';
    if (!code) return 'missing';
    await refuseIfFactorLocked(db, who);
    return (await acceptsAny(db, who, code, secrets)) ? 'right' : 'wrong';
  });
  if (outcome === 'missing') throw refused(`请输入${whose}的动态验证码`, 'B0218');
  if (outcome === 'right') return;
  await recordLogin(callerOf(ctx), who.account, who, false, 'mfa');
  throw wrongCode();
}

function refuseTarget(me: LoginMember, target: LoginMember): void {
  const obstacle = obstacleOf(target);
  if (obstacle) throw obstacle;
  if (target.company_id === me.company_id) throw refused('目标账号属于本公司，无需迁移', 'B0212');
  if (target.user_type !== 'owner') throw refused('目标账号必须是其公司的主账号', 'B0213');
}

/** Work that would be lost: it belongs to the company that is closed. */
async function openWork(ctx: Ctx): Promise<Conflict[]> {
  const tasks = await ctx.db
    .selectFrom('kit.task')
    .select('title')
    .where('company_id', '=', ctx.companyId)
    .where('state', 'in', ['queued', 'running'])
    .limit(LISTED)
    .execute();
  return tasks.map(({ title }) => ({ title: '正在执行的任务', value: title }));
}

/** Carries what was found out of a transaction that must leave nothing behind. */
class Looked extends Error {
  readonly conflicts: Conflict[];
  constructor(conflicts: Conflict[]) {
    super('looked');
    this.conflicts = conflicts;
  }
}

async function look(ctx: OpenCtx, me: LoginMember, to: string): Promise<Conflict[]> {
  const sides = { from: me.company_id, to, fromName: me.company_name };
  try {
    return await inTenant(
      ctx.runtime,
      ctx.principal,
      async (own) => {
        const tasks = await openWork(own);
        throw new Looked([...tasks, ...(await conflictsOf(own, sides))]);
      },
      { timeoutMs: 0 },
    );
  } catch (error) {
    if (error instanceof Looked) return error.conflicts;
    throw error;
  }
}

/**
 * Starts the move of the caller's company into another one. Refuses all but owners (B0211), an unproven caller or target,
 * a target that is no owner (B0213), an untyped company name (B0214), and rows in each other's way (B0215 with
 * data.conflicts). Returns the id of the task.
 */
export async function requestMerge(ctx: OpenCtx, form: MergeForm): Promise<{ id: string; state: '迁移中' }> {
  const me = await across(ctx, async (on) => on.me);
  if (me.user_type !== 'owner') throw refused('只有主账号可以迁移公司', 'B0211');
  if (form.company !== me.company_name) throw refused('请输入公司名称以确认迁移', 'B0214');
  if (normalised(form.account) === me.account) throw refused('目标账号属于本公司，无需迁移', 'B0212');
  await proveAccount(callerOf(ctx), { account: me.account, password: form.password });
  const code = { key: form.key, code: form.code, purpose: 'mergeaccount', target: me.account } as const;
  await verifyCode(ctx.runtime, code);
  const target = await proveAccount(callerOf(ctx), { account: form.account, password: form.targetPassword });
  refuseTarget(me, target);
  await proveFactor(ctx, me, form.mfa, '当前账号');
  await proveFactor(ctx, target, form.targetMfa, '目标账号');
  const conflicts = await look(ctx, me, target.company_id);
  if (conflicts.length > 0) throw inTheWay(conflicts);
  await across(ctx, ({ db }) => consumeCode(db, code));
  const options = { requestId: ctx.requestId, ip: ctx.ip };
  const id = await inTenant(ctx.runtime, ctx.principal, (own) => start(own, target), options);
  return { id, state: '迁移中' };
}

async function start(own: Ctx, target: LoginMember): Promise<string> {
  const payload: MergePayload = { to: target.company_id };
  const after = { to: target.company_name, account: target.account };
  await audit(own, { action: '申请账号迁移', resource: 'identity.company', resourceId: own.companyId, after });
  return startTask(own, MERGE_TASK, `账号迁移至“${target.company_name}”`, payload);
}

/** How far the latest move of the caller's company is. */
export async function stateOfMerge(ctx: Ctx) {
  const row = await ctx.db
    .selectFrom('kit.task')
    .select(['state', 'error'])
    .where('company_id', '=', ctx.companyId)
    .where('type', '=', MERGE_TASK)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (!row) return { state: 'none' as const, error: null };
  if (row.state === 'queued' || row.state === 'running') return { state: row.state, error: null } as const;
  return row.state === 'failed'
    ? { state: 'failed' as const, error: row.error }
    : { state: 'none' as const, error: null };
}
