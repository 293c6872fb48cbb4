import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { remind } from '#modules/message/server/index.ts';
import { BIND } from '../contract/index.ts';

/** Event that people subscribe to. */
export const EXPIRY_EVENT = 'alibaba.expiring';
/** Days before the end of a consent on which people are reminded of it. */
const STEPS = [30, 7, 1];

interface Ending {
  id: string;
  login: string;
  day: string;
  days: number;
}

/** Reminds whoever can bind accounts of consents that end in 30, 7 and 1 days, once for each; days of the company. */
export async function remindOfExpiry(ctx: Ctx): Promise<void> {
  const { rows } = await sql<Ending>`
    SELECT id, login_id AS login, to_char(refresh_expires_at AT TIME ZONE kit.zone(), 'YYYY-MM-DD') AS day,
           kit.day(refresh_expires_at) - kit.today() AS days
      FROM alibaba.buyer
     WHERE company_id = ${ctx.companyId} AND state = 'active' AND refresh_expires_at > kit.now()
       AND refresh_expires_at < kit.now() + interval '31 days'`.execute(ctx.db);
  for (const { id, login, day, days } of rows) {
    const step = STEPS.findLast((one) => days <= one);
    if (step === undefined) continue;
    await remind(ctx, {
      to: { permission: BIND },
      title: `1688账号【${login}】的授权将于 ${day} 到期`,
      content: '到期后不能下单，也不再同步订单。请在「1688账号」中重新授权。',
      event: EXPIRY_EVENT,
      dedupeKey: `${EXPIRY_EVENT}:${id}:${day}:${step}`,
    });
  }
}
