import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { emit, event } from '#kit/server/events.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { type Across, across } from '../act.ts';
import { groupOf, release } from '../bind/groups.ts';
import { consumeCode, verifyCode } from '../codes/check.ts';
import { enterCompany } from '../merge/company.ts';
import { companiesTakenIn } from '../merge/taken-in.ts';
import { provePassword } from '../mfa/routes.ts';
import { memberLeft } from '../organisation/people/state.ts';
import { closeSessionsOf } from '../sessions.ts';
import { closingCompanies, eraseCompany } from './erasure.ts';

const COOLING_DAYS = 7;

/** A company is being erased, in the transaction that does it: modules give up what they hold of the outside world. */
export const companyErased = event<Record<string, never>>('identity.companyErased');

interface CloseForm {
  password: string;
  key: string;
  code: string;
  company?: string | undefined;
}

async function refuseOwner(on: Across, form: CloseForm): Promise<void> {
  if (form.company !== on.me.company_name) throw refused('请输入公司名称以确认注销', 'B0181');
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM identity.member WHERE company_id = ${on.me.company_id} AND id <> ${on.me.id}
       AND deleted_at IS NULL AND NOT is_disabled`.execute(on.db);
  if ((rows[0]?.n ?? 0) > 0) throw refused('公司下仍有正常使用的子账号，请先停用或删除', 'B0182');
}

/**
 * Takes down the caller's wish to be forgotten, by password and code. An owner takes his company along: he types its
 * name, must be the last one in it, and has seven days in which a log-in takes it back. Anybody else is gone at once.
 * Returns when it takes effect (ISO instant).
 */
export async function requestClosure(ctx: OpenCtx, form: CloseForm): Promise<{ effectiveAt: string }> {
  const { account } = await across(ctx, async ({ me }) => me);
  await provePassword(ctx, form.password);
  const code = { key: form.key, code: form.code, purpose: 'closeaccount', target: account } as const;
  await verifyCode(ctx.runtime, code);
  return across(ctx, async (on) => {
    const { db, me } = on;
    const owner = me.user_type === 'owner';
    if (owner) await refuseOwner(on, form);
    await consumeCode(db, code);
    const { rows } = await sql<{ effective_at: string }>`
      INSERT INTO identity.closure (company_id, member_id, whole_company, effective_at)
      VALUES (${me.company_id}, ${me.id}, ${owner}, kit.now() + make_interval(days => ${owner ? COOLING_DAYS : 0}))
      ON CONFLICT (company_id, member_id) DO UPDATE SET requested_at = kit.now(), effective_at = excluded.effective_at
      RETURNING effective_at`.execute(db);
    if (!owner) await depart(on);
    await closeSessionsOf(on, { companyId: me.company_id, memberId: me.id }, '账号已申请注销');
    await on.record({ action: '申请注销账号', resource: 'identity.member', resourceId: me.id, after: { owner } });
    return { effectiveAt: rows[0]?.effective_at ?? ctx.runtime.clock.now().toISOString() };
  });
}

async function depart({ db, me }: Across): Promise<void> {
  await sql`UPDATE identity.member SET deleted_at = kit.now() WHERE company_id = ${me.company_id} AND id = ${me.id}`.execute(
    db,
  );
  const groupId = await groupOf(db, me);
  if (groupId) await release(db, me, groupId);
}

interface Due {
  company_id: string;
  member_id: string;
  whole_company: boolean;
}

/** Takes from a member's rows all that says who he was. What he did stays in the log under his id. */
async function anonymise(runtime: Runtime, due: Due): Promise<void> {
  await inTenant(runtime, systemPrincipal(due.company_id), async (ctx) => {
    const open = await sql<Due>`
      SELECT member_id FROM identity.closure WHERE company_id = ${ctx.companyId} AND member_id = ${due.member_id}
         AND erased_at IS NULL AND effective_at <= kit.now() FOR UPDATE`.execute(ctx.db);
    if (open.rows.length === 0) return;
    if (due.whole_company) await emit(ctx, companyErased, {});
    else await emit(ctx, memberLeft, { memberId: due.member_id });
    const whom = due.whole_company ? sql`true` : sql`id = ${due.member_id}`;
    const member = due.whole_company ? sql`true` : sql`member_id = ${due.member_id}`;
    await sql`
      UPDATE identity.member SET account = 'erased-' || id, name = '已注销用户', tel = NULL, email = NULL,
             email_verified = false, image_file_id = NULL, password_hash = '!', deleted_at = coalesce(deleted_at, kit.now()),
             dept_id = CASE WHEN ${due.whole_company} THEN NULL ELSE dept_id END
       WHERE company_id = ${ctx.companyId} AND ${whom}`.execute(ctx.db);
    for (const table of [
      'account_bind',
      'external_identity',
      'mfa',
      'mfa_challenge',
      'channel_preference',
      'password_history',
      'oauth_grant',
    ]) {
      await sql`DELETE FROM ${sql.table(`identity.${table}`)} WHERE company_id = ${ctx.companyId} AND ${member}`.execute(
        ctx.db,
      );
    }
    await sql`
      DELETE FROM identity.sso_session WHERE company_id = ${ctx.companyId} AND session_id IN (
        SELECT id FROM identity.session WHERE company_id = ${ctx.companyId} AND ${member})`.execute(ctx.db);
    await sql`
      UPDATE identity.session SET ip = NULL, user_agent = NULL, uid = NULL, revoked_at = coalesce(revoked_at, kit.now())
       WHERE company_id = ${ctx.companyId} AND ${member}`.execute(ctx.db);
    if (due.whole_company) await giveUp(ctx);
    await sql`
      UPDATE identity.closure SET erased_at = kit.now() WHERE company_id = ${ctx.companyId} AND member_id = ${due.member_id}`.execute(
      ctx.db,
    );
    await audit(ctx, { action: '清除已注销账号', resource: 'identity.member', resourceId: due.member_id });
  });
}

/** Leaves the caller's company, and the logs of those that it has taken in, to the erasure of their rows. */
async function giveUp(ctx: Ctx): Promise<void> {
  for (const id of [...(await companiesTakenIn(ctx)).map((company) => company.id), ctx.companyId]) {
    await enterCompany(ctx, id);
    await sql`
      UPDATE identity.company SET status = 'closing', merged_into = NULL, name = '已注销公司', remark = NULL
       WHERE company_id = ${id}`.execute(ctx.db);
  }
}

/**
 * Erases whoever asked for it and did not take it back in time: first all that says who somebody was, then the rows and
 * files of whole companies. Answers how many people and companies. A company that fails does not keep the others waiting;
 * throws at the end, so that the job is tried again and goes on where it stopped.
 */
export async function eraseDue(runtime: Runtime): Promise<number> {
  const due = await inSystem(
    runtime,
    async (db) =>
      (
        await sql<Due>`
          SELECT company_id, member_id, whole_company FROM identity.closure
           WHERE erased_at IS NULL AND effective_at <= kit.now() ORDER BY effective_at LIMIT 500`.execute(db)
      ).rows,
    { readOnly: true },
  );
  for (const each of due) await anonymise(runtime, each);
  const companies = await closingCompanies(runtime);
  const failures: unknown[] = [];
  for (const id of companies) {
    await eraseCompany(runtime, id).catch((error: unknown) => {
      runtime.log.error({ err: error, company: id }, 'a company could not be erased');
      failures.push(error);
    });
  }
  if (failures.length > 0) throw new AggregateError(failures, 'companies are left to be erased');
  return due.filter((each) => !each.whole_company).length + companies.length;
}

/** Runs daily, so that seven days to think it over and the erasure stay far below the thirty that the page promises. */
export const eraseJob = job('identity.erase', async (runtime) => void (await eraseDue(runtime)));
