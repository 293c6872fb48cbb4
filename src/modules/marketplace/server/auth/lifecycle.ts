import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { remindOfBlock } from '../reminders.ts';
import { blockStreams } from './block.ts';

/** Days before its end from which on a consent counts as 即将到期. */
export const EXPIRING_DAYS = 30;

interface Due {
  company_id: string;
  id: string;
  status: string;
  target: 'expiring' | 'expired';
}

/** Accounts whose consent is about to end, or has ended, and that do not say so yet. */
function dueAt(runtime: Runtime, at: Date): Promise<Due[]> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<Due>`
      SELECT company_id, id, status, CASE WHEN expires_at <= ${at} THEN 'expired' ELSE 'expiring' END AS target
        FROM marketplace.seller_account
       WHERE (status IN ('active', 'expiring', 'suspended') AND expires_at <= ${at})
          OR (status = 'active' AND expires_at <= ${at}::timestamptz + make_interval(days => ${EXPIRING_DAYS}))
       ORDER BY expires_at LIMIT 5000`.execute(db);
    return rows;
  });
}

async function move(runtime: Runtime, due: Due): Promise<void> {
  await inTenant(runtime, systemPrincipal(due.company_id), async (ctx) => {
    const moved = await ctx.db
      .updateTable('marketplace.seller_account')
      .set({ status: due.target, version: sql`version + 1` })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', due.id)
      .where('status', '=', due.status)
      .returning('id')
      .executeTakeFirst();
    if (!moved) return;
    await audit(ctx, {
      action: due.target === 'expired' ? '店铺授权已过期' : '店铺授权即将到期',
      resource: 'marketplace.sellerAccount',
      resourceId: due.id,
      before: { status: due.status },
      after: { status: due.target },
    });
    if (due.target !== 'expired') return;
    await blockStreams(ctx, due.id);
    await remindOfBlock(ctx, due.id, 'blocked_auth', '授权已满 365 天');
  });
}

/** Moves every account whose consent nears its end, or has reached it at `at`, to the state that says so. */
export async function ageConsents(runtime: Runtime, at: Date): Promise<void> {
  for (const due of await dueAt(runtime, at)) await move(runtime, due);
}

/** Every hour, by the database's clock. */
export const agingJob = job<object>('marketplace.ageConsents', async (runtime) => {
  const at = await inSystem(runtime, async (db) => {
    const { rows } = await sql<{ now: string }>`SELECT kit.now()`.execute(db);
    return new Date(rows[0]?.now ?? runtime.clock.ms());
  });
  await ageConsents(runtime, at);
});
