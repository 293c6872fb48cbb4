import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { adsStreams } from './streams.ts';

/**
 * A cursor for every advertising stream of the consent's linked profiles; existing ones go on. They are due at once, but
 * while the account's own first synchronisation runs, a while later: nobody waits for them then.
 */
export async function openProfiles(ctx: Ctx, connectionId: string): Promise<void> {
  const defs = extensionsOf(ctx.runtime.modules, adsStreams);
  if (defs.length === 0) return;
  const codes = defs.map((def) => def.code);
  const { rows } = await sql<{ id: string; stream: string; not_before: string }>`
    INSERT INTO marketplace.sync_cursor AS c (company_id, account_id, stream, marketplace_id, not_before)
    SELECT p.company_id, p.account_id, s.code, p.marketplace_id,
           CASE WHEN EXISTS (SELECT FROM marketplace.sync_cursor AS o
                              WHERE o.company_id = p.company_id AND o.account_id = p.account_id
                                AND o.stream <> ALL(${codes}::text[]) AND o.last_success_at IS NULL)
                THEN kit.now() + make_interval(secs => ${ctx.runtime.config.backgroundDelaySec}) ELSE kit.now() END
      FROM marketplace.ads_profile AS p CROSS JOIN unnest(${codes}::text[]) AS s(code)
     WHERE p.company_id = ${ctx.companyId} AND p.connection_id = ${connectionId} AND p.active
       AND p.account_id IS NOT NULL
    ON CONFLICT (company_id, account_id, stream, marketplace_id) DO UPDATE
       SET state = 'ready', not_before = kit.now(), attempts = 0, last_error = NULL
     WHERE c.state IN ('blocked_auth', 'blocked_role', 'dead', 'ready')
    RETURNING id, stream, not_before`.execute(ctx.db);
  for (const row of rows) {
    const priority = defs.find((def) => def.code === row.stream)?.priority ?? 0;
    const payload = { companyId: ctx.companyId, cursorId: row.id };
    await enqueue(ctx, 'marketplace.sync', payload, {
      key: `sync:${row.id}`,
      priority,
      runAt: new Date(row.not_before),
    });
  }
}

/** Links profiles that were authorised before their seller account was, and begins to read them. */
export async function linkProfiles(ctx: Ctx, accountId: string): Promise<void> {
  const { rows } = await sql<{ connection_id: string }>`
    UPDATE marketplace.ads_profile AS p SET account_id = a.id
      FROM marketplace.seller_account AS a, marketplace.ads_connection AS c
     WHERE p.company_id = ${ctx.companyId} AND p.account_id IS NULL AND p.active
       AND a.company_id = p.company_id AND a.id = ${accountId} AND a.selling_partner_id = p.advertiser_id
       AND c.company_id = p.company_id AND c.id = p.connection_id AND c.region = a.region
    RETURNING p.connection_id`.execute(ctx.db);
  for (const id of new Set(rows.map((row) => row.connection_id))) await openProfiles(ctx, id);
}
