import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound, refused } from '#kit/server/errors.ts';
import { departmentsOf, rolesOf } from '#modules/identity/server/index.ts';
import { type Announcement, type Audience, PREFIXES, TEAM_PREFIXES } from '../contract/announcements.ts';
import { FTYPE } from '../contract/messages.ts';
import { queueAnnounced } from './delivery/announced.ts';
import { plain, sanitised } from './html.ts';
import { acrossCompanies, PLATFORM, speaksForPlatform } from './platform.ts';

const LOCK = 7_261_009;

/** Companies by id, for the platform's people only; nothing for anybody else. */
export async function companiesFor(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  if (!speaksForPlatform(ctx)) return [];
  return acrossCompanies(ctx, async () => {
    const { rows } = await sql<{ id: string; name: string }>`
      SELECT company_id AS id, name FROM identity.company
       WHERE status = 'active' AND company_id <> ${PLATFORM} ORDER BY name, company_id`.execute(ctx.db);
    return rows;
  });
}

function refuseUnknown(asked: readonly string[] | undefined, known: readonly { id: string }[], what: string): void {
  const ids = new Set(known.map((one) => one.id));
  if (asked?.some((id) => !ids.has(id))) throw notFound(`${what}不存在或已删除`);
}

async function checkAudience(ctx: Ctx, audience: Audience): Promise<void> {
  const platform = speaksForPlatform(ctx);
  if (!platform && (audience.companies?.length || (audience.plan && audience.plan !== 'all'))) {
    throw refused('只能向本公司成员发布公告', 'B0701');
  }
  if (platform && (audience.roles?.length || audience.departments?.length)) {
    throw refused('平台公告不能按部门或角色发送', 'B0702');
  }
  if (audience.departments?.length) refuseUnknown(audience.departments, await departmentsOf(ctx), '部门');
  if (audience.roles?.length) refuseUnknown(audience.roles, await rolesOf(ctx), '角色');
  if (audience.companies?.length) refuseUnknown(audience.companies, await companiesFor(ctx), '公司');
}

/** A company that pays has a day on which its term ends; one that tries the product out has none. */
async function copyToCompanies(ctx: Ctx, id: string, audience: Audience): Promise<void> {
  const companies = audience.companies?.length ? [...audience.companies] : null;
  const plan = audience.plan ?? 'all';
  const copies = await acrossCompanies(ctx, () =>
    sql<{ company_id: string }>`
      INSERT INTO message.message (company_id, id, ftype, title, content, event, created_at, created_by_name, expires_at,
                                   prefix, timely, audience, platform)
      SELECT c.company_id, m.id, m.ftype, m.title, m.content, m.event, m.created_at, '平台', m.expires_at,
             m.prefix, m.timely, m.audience - 'companies' - 'plan', true
        FROM message.message m, identity.company c
       WHERE m.company_id = ${PLATFORM} AND m.id = ${id} AND c.company_id <> ${PLATFORM} AND c.status = 'active'
         AND (${companies}::uuid[] IS NULL OR c.company_id = ANY (${companies}::uuid[]))
         AND (${plan} = 'all' OR (${plan} = 'paid') = (c.expire_date IS NOT NULL))
      RETURNING company_id`.execute(ctx.db),
  );
  for (const { company_id: companyId } of copies.rows) await queueAnnounced(ctx.db, { companyId, id });
}

/**
 * Publishes an announcement to the caller's company, or, spoken for the platform, to all companies it is for. Its
 * readers get it when they come by. Answers its id.
 * @throws refused B0701, B0702 for an audience that is not the caller's, B0704 for the platform's prefix
 */
export async function publish(ctx: Ctx, input: Announcement): Promise<string> {
  const content = sanitised(input.content);
  if (plain(content) === '') throw invalid([{ field: 'content', title: '内容', msg: '内容不能为空' }]);
  if (input.expiresAt && Date.parse(input.expiresAt) <= ctx.runtime.clock.ms()) {
    throw invalid([{ field: 'expiresAt', title: '到期时间', msg: '到期时间应晚于当前时间' }]);
  }
  if (input.prefix && !(input.prefix in TEAM_PREFIXES) && !speaksForPlatform(ctx)) {
    throw refused(`标题前缀「${input.prefix}」只能由平台使用，请选择其他前缀`, 'B0704');
  }
  await checkAudience(ctx, input.audience);
  // One at a time, so that ids come in the order in which they can be seen: readers keep only how far they have come.
  await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(ctx.db);
  const { id } = await ctx.db
    .insertInto('message.message')
    .values({
      company_id: ctx.companyId,
      ftype: FTYPE.announcement,
      title: input.title,
      content,
      event: 'message.announcement',
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      expires_at: input.expiresAt ?? null,
      prefix: input.prefix ? PREFIXES[input.prefix] : null,
      timely: input.action === 'timely',
      audience: JSON.stringify(input.audience),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await queueAnnounced(ctx.db, { companyId: ctx.companyId, id });
  if (speaksForPlatform(ctx)) await copyToCompanies(ctx, id, input.audience);
  await audit(ctx, {
    action: '发布公告',
    resource: 'message.announcement',
    resourceId: id,
    after: { title: input.title, action: input.action, audience: input.audience, expiresAt: input.expiresAt ?? null },
  });
  return id;
}

/** Takes an announcement out of every inbox; the counters of those who had not read it go down with it. */
export async function retract(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .updateTable('message.message')
    .set({ retracted_at: sql<string>`kit.now()`, retracted_by_name: ctx.userName, ended_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('ftype', '=', FTYPE.announcement)
    .where('platform', '=', false)
    .where('ended_at', 'is', null)
    .returning(['id', 'title'])
    .executeTakeFirst();
  if (!row) throw notFound('公告不存在、已撤回或已过期');
  const clear = () => sql`DELETE FROM message.inbox WHERE company_id = ${ctx.companyId} AND message_id = ${id}`;
  await clear().execute(ctx.db);
  if (speaksForPlatform(ctx)) {
    await acrossCompanies(ctx, async () => {
      await sql`
        WITH copies AS (
          UPDATE message.message SET retracted_at = kit.now(), retracted_by_name = '平台', ended_at = kit.now()
           WHERE id = ${id} AND platform RETURNING company_id)
        DELETE FROM message.inbox i USING copies c WHERE i.company_id = c.company_id AND i.message_id = ${id}`.execute(
        ctx.db,
      );
    });
  }
  await audit(ctx, {
    action: '撤回公告',
    resource: 'message.announcement',
    resourceId: id,
    before: { title: row.title },
  });
}
