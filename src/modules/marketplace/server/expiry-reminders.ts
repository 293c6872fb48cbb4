import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extend } from '#kit/server/extension.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { messageEvents } from '#modules/identity/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { type ScheduleHandler, schedules } from '#modules/system/server/index.ts';

/** Days before the end of a consent on which people are reminded of it. */
const STEPS = [30, 14, 7, 3, 1] as const;
const EVENT = 'marketplace.authorisationExpiring';

/**
 * The reminder that is due with so many days left: the last step that was reached. A day on which nothing ran is made
 * up for the day after. Undefined where it is too early, or over.
 */
export function stepDue(daysLeft: number): number | undefined {
  if (daysLeft < 0) return undefined;
  return STEPS.findLast((step) => daysLeft <= step);
}

interface Ending {
  id: string;
  store: string;
  store_id: string;
  region: string;
  /** Last day in the company's zone, yyyy-MM-dd. */
  day: string;
  days_left: number;
}

async function endings(ctx: Ctx, at: string): Promise<Ending[]> {
  const { rows } = await sql<Ending>`
    SELECT a.id, s.name AS store, s.id AS store_id, a.region,
           to_char(a.expires_at AT TIME ZONE c.time_zone, 'YYYY-MM-DD') AS day,
           (a.expires_at AT TIME ZONE c.time_zone)::date - (${at}::timestamptz AT TIME ZONE c.time_zone)::date AS days_left
      FROM marketplace.seller_account a
      JOIN marketplace.store s ON s.company_id = a.company_id AND s.id = a.store_id
      JOIN identity.company c ON c.company_id = a.company_id
     WHERE a.company_id = ${ctx.companyId} AND a.status IN ('active', 'expiring') AND a.expires_at > ${at}::timestamptz
       AND a.expires_at < ${at}::timestamptz + make_interval(days => ${STEPS[0] + 1})
     ORDER BY a.expires_at, a.id`.execute(ctx.db);
  return rows;
}

/**
 * Reminds those who can authorise stores of consents that end in 30, 14, 7, 3 and 1 days, once for each; days are the
 * company's. A renewed consent ends on another day and is reminded of anew. Answers how many reminders were sent.
 * @param at instant from which days are counted (ISO 8601)
 */
export async function remindOfExpiry(ctx: Ctx, at: string): Promise<number> {
  let sent = 0;
  for (const ending of await endings(ctx, at)) {
    const step = stepDue(ending.days_left);
    if (step === undefined) continue;
    const left = ending.days_left === 0 ? '今天' : `${ending.days_left}天后`;
    const id = await remind(ctx, {
      to: { permission: 'amz:store:authorize' },
      title: `店铺授权${left}到期：${ending.store}（${ending.region.toUpperCase()}）`,
      content: `授权将于 ${ending.day} 到期，到期后订单、库存等数据停止同步。\n请在店铺管理中续期，续期后数据自动衔接。`,
      event: EVENT,
      documentType: 'store',
      documentId: ending.store_id,
      dedupeKey: `${EVENT}:${ending.id}:${ending.day}:${step}`,
    });
    if (id !== null) sent += 1;
  }
  return sent;
}

/** Every morning, so that somebody is there to renew. */
const handler: ScheduleHandler = {
  key: 'marketplace.expiryReminders',
  title: '店铺授权到期提醒',
  group: '授权',
  description: '店铺授权到期前30、14、7、3、1天提醒有店铺授权权限的成员',
  scope: 'company',
  defaultCron: '0 9 * * *',
  async run(runtime, { companyId, fireTime }) {
    const sent = await inTenant(runtime, systemPrincipal(companyId), (ctx) => remindOfExpiry(ctx, fireTime));
    return `提醒${sent}条`;
  },
};

/** Goes into the manifest: the schedule, and the event that people subscribe to. */
export const expiryExtensions = [
  extend(schedules, handler),
  extend(messageEvents, {
    event: EVENT,
    title: '店铺授权即将到期',
    group: '授权',
    channels: ['site', 'email'],
  }),
];
