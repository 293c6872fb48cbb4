import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Position, positionOf } from '#modules/identity/server/index.ts';
import type { Audience } from '../contract/announcements.ts';
import { FTYPE } from '../contract/messages.ts';
import { isFor } from './audience.ts';

interface Arrival {
  id: string;
  audience: Audience | null;
}

/** Standing announcements beyond the caller's watermark and not older than his account, oldest first. */
async function beyond(ctx: Ctx, since: string): Promise<Arrival[]> {
  const { rows } = await sql<Arrival>`
    SELECT id, audience FROM message.message
     WHERE company_id = ${ctx.companyId} AND ftype = ${FTYPE.announcement} AND ended_at IS NULL
       AND (expires_at IS NULL OR expires_at > kit.now()) AND created_at >= ${since}::timestamptz
       AND id > coalesce((SELECT seen_id FROM message.reader
                           WHERE company_id = ${ctx.companyId} AND user_id = ${ctx.userId}),
                         '00000000-0000-0000-0000-000000000000')
     ORDER BY id`.execute(ctx.db);
  return rows;
}

/** Whether any announcement lies beyond the caller's watermark; one step into an index. */
async function anyBeyond(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    SELECT EXISTS (SELECT FROM message.message
     WHERE company_id = ${ctx.companyId} AND ftype = ${FTYPE.announcement} AND ended_at IS NULL
       AND id > coalesce((SELECT seen_id FROM message.reader
                           WHERE company_id = ${ctx.companyId} AND user_id = ${ctx.userId}),
                         '00000000-0000-0000-0000-000000000000')) AS found`.execute(ctx.db);
  return rows[0]?.found ?? false;
}

async function arrivalsFor(ctx: Ctx): Promise<{ last: string | undefined; mine: string[] }> {
  const nothing = { last: undefined, mine: [] };
  if (ctx.userId === null || !(await anyBeyond(ctx))) return nothing;
  const position: Position | undefined = await positionOf(ctx, ctx.userId);
  if (!position) return nothing;
  const arrivals = await beyond(ctx, position.since);
  return {
    last: arrivals.at(-1)?.id,
    mine: arrivals.filter((arrival) => isFor(arrival.audience, position)).map((arrival) => arrival.id),
  };
}

/** How many announcements wait to be brought to the caller; writes nothing. */
export async function waiting(ctx: Ctx): Promise<number> {
  return (await arrivalsFor(ctx)).mine.length;
}

/**
 * Brings announcements beyond the caller's watermark into his inbox and moves it; answers how many came. Publishing is
 * one at a time (see publish), so ids beyond the watermark never appear below it later.
 */
export async function pull(ctx: Ctx): Promise<number> {
  if (ctx.userId === null || !(await anyBeyond(ctx))) return 0;
  // Two pages of one person at once: the second waits here and then finds nothing new.
  await sql`
    INSERT INTO message.reader AS r (company_id, user_id) VALUES (${ctx.companyId}, ${ctx.userId})
    ON CONFLICT (company_id, user_id) DO UPDATE SET seen_id = r.seen_id`.execute(ctx.db);
  const { last, mine } = await arrivalsFor(ctx);
  if (last === undefined) return 0;
  await sql`
    INSERT INTO message.inbox (company_id, user_id, message_id, ftype)
    SELECT ${ctx.companyId}::uuid, ${ctx.userId}::uuid, id, ${FTYPE.announcement}::smallint
      FROM unnest(${mine}::uuid[]) AS id ON CONFLICT DO NOTHING`.execute(ctx.db);
  await sql`
    UPDATE message.reader SET seen_id = ${last}
     WHERE company_id = ${ctx.companyId} AND user_id = ${ctx.userId}`.execute(ctx.db);
  return mine.length;
}
