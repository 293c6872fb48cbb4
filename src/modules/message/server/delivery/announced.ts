import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { addressesOf, channelsOf, positionOf } from '#modules/identity/server/index.ts';
import type { Audience } from '../../contract/announcements.ts';
import { isFor } from '../audience.ts';
import { sendOut } from './plan.ts';

const ANNOUNCED = 'message.announced';
export const ANNOUNCEMENT_EVENT = 'message.announcement';

interface Payload {
  companyId: string;
  id: string;
}

/** Announcements go out from the background, a company at a time: most of their readers want them on the site only. */
export function queueAnnounced(db: Db, payload: Payload): Promise<void> {
  return enqueue({ db }, ANNOUNCED, payload, { key: `${ANNOUNCED}:${payload.companyId}:${payload.id}` });
}

export const announcedJob = job<Payload>(ANNOUNCED, async (runtime, { companyId, id }) => {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    const { rows } = await sql<{ audience: Audience | null }>`
      SELECT audience FROM message.message
       WHERE company_id = ${companyId} AND id = ${id} AND ended_at IS NULL`.execute(ctx.db);
    const [message] = rows;
    if (!message) return;
    const ids = (await addressesOf(ctx)).map((person) => person.id);
    const chosen = await channelsOf(ctx, ids, ANNOUNCEMENT_EVENT);
    const readers: string[] = [];
    for (const [user, channels] of chosen) {
      if (channels.every((channel) => channel === 'site')) continue;
      const position = await positionOf(ctx, user);
      if (position && isFor(message.audience, position)) readers.push(user);
    }
    await sendOut(ctx, id, ANNOUNCEMENT_EVENT, readers);
  });
});
