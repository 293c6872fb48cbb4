import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { membersAmong } from '#modules/identity/server/index.ts';

/** Changes alerts that are all the caller's to change, or none. @throws notFound */
async function change(ctx: Ctx, ids: readonly string[], set: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql`
    UPDATE alert.alert SET ${set}, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) RETURNING id`.execute(ctx.db);
  if (rows.length < new Set(ids).size) throw notFound('部分预警不存在，请刷新后重试');
  return rows.length;
}

/** Keeps alerts silent for so many days, or lets them speak again. @throws notFound */
export async function mute(ctx: Ctx, input: { ids: readonly string[]; days: number; reason: string }) {
  const { ids, days, reason } = input;
  const until = days === 0 ? null : new Date(ctx.runtime.clock.ms() + days * 86_400_000).toISOString();
  const changed = await change(
    ctx,
    ids,
    sql`muted_until = ${until}::timestamptz, mute_reason = ${until === null ? '' : reason}`,
  );
  await audit(ctx, {
    action: days === 0 ? '取消静音' : '静音预警',
    resource: 'alert.alert',
    after: { ids, days, reason },
  });
  return { changed };
}

/** Has somebody see to alerts. @throws notFound; refused B1701 for who does not work here */
export async function assign(ctx: Ctx, input: { ids: readonly string[]; memberId: string | null }) {
  const { ids, memberId } = input;
  if (memberId !== null && (await membersAmong(ctx, [memberId])).length === 0)
    throw refused('负责人不存在或已离职', 'B1701');
  const changed = await change(ctx, ids, sql`assignee_id = ${memberId}::uuid`);
  await audit(ctx, { action: '指派预警', resource: 'alert.alert', after: { ids, memberId } });
  return { changed };
}
