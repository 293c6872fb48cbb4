import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import type { DelegationRow } from '../contract/delegation.ts';
import { baseOf } from './engine/rates.ts';
import { kindOf, titleOf } from './kinds.ts';
import { settings } from './setting.ts';

const DAY_MS = 86_400_000;

/** Delegations from and to the caller, the newest first. */
export async function delegationsOf(ctx: Ctx): Promise<DelegationRow[]> {
  const base = await baseOf(ctx);
  const { rows } = await sql<Omit<DelegationRow, 'base' | 'docTitles'> & { types: string[] }>`
    SELECT id, from_name AS "fromName", to_name AS "toName", doc_types AS types, amount_max AS "amountMax",
           starts_at AS "startsAt", ends_at AS "endsAt", reason, from_id = ${ctx.userId} AS mine,
           CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN ends_at <= kit.now() THEN 'over'
                WHEN starts_at > kit.now() THEN 'coming' ELSE 'active' END AS state
      FROM approval.delegation
     WHERE company_id = ${ctx.companyId} AND (from_id = ${ctx.userId} OR to_id = ${ctx.userId})
     ORDER BY id DESC LIMIT 100`.execute(ctx.db);
  return rows.map(({ types, ...row }) => ({
    ...row,
    base,
    docTitles: types.map((type) => titleOf(ctx.runtime, type)),
  }));
}

interface Wanted {
  toId: string;
  docTypes: string[];
  amountMax: string | null;
  startsAt: string;
  endsAt: string;
  reason?: string | undefined;
}

async function requirePossible(ctx: Ctx, { docTypes, startsAt, endsAt }: Wanted): Promise<void> {
  for (const type of docTypes) kindOf(ctx.runtime, type);
  const length = Date.parse(endsAt) - Date.parse(startsAt);
  if (length <= 0) throw refused('结束时间须晚于开始时间', 'B0860');
  if (Date.parse(endsAt) <= ctx.runtime.clock.ms()) throw refused('结束时间须晚于当前时间', 'B0860');
  const limits = (await settings(ctx)).filter(({ docType }) => docTypes.length === 0 || docTypes.includes(docType));
  const days = Math.min(90, ...limits.map(({ delegationDays }) => delegationDays));
  if (length > days * DAY_MS) throw refused(`委托期最长${days}天`, 'B0861');
}

/** Lets somebody decide for the caller for a while. @throws refused beyond the company's longest time */
export async function delegate(ctx: Ctx, wanted: Wanted): Promise<{ id: string }> {
  if (ctx.userId === null || wanted.toId === ctx.userId) throw refused('不能委托给本人', 'B0862');
  const chart = await chartOf(ctx);
  const to = chart.members.get(wanted.toId);
  if (!to?.active) throw refused('所选人员不存在或已离职', 'B0852');
  await requirePossible(ctx, wanted);
  const row = await ctx.db
    .insertInto('approval.delegation')
    .values({
      company_id: ctx.companyId,
      from_id: ctx.userId,
      from_name: ctx.userName,
      to_id: wanted.toId,
      to_name: to.name,
      doc_types: wanted.docTypes,
      amount_max: wanted.amountMax,
      starts_at: wanted.startsAt,
      ends_at: wanted.endsAt,
      reason: wanted.reason ?? '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '新建审批委托',
    resource: 'approval.delegation',
    resourceId: row.id,
    after: { to: to.name, from: wanted.startsAt, until: wanted.endsAt },
  });
  return row;
}

/** @throws notFound for somebody else's */
export async function revoke(ctx: Ctx, id: string): Promise<null> {
  const { rows } = await sql<{ name: string }>`
    UPDATE approval.delegation SET revoked_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${id} AND from_id = ${ctx.userId} AND revoked_at IS NULL
    RETURNING to_name AS name`.execute(ctx.db);
  if (!rows[0]) throw notFound();
  await audit(ctx, {
    action: '取消审批委托',
    resource: 'approval.delegation',
    resourceId: id,
    before: { to: rows[0].name },
  });
  return null;
}
