import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { saveWriteDown, WriteDownRow } from '../contract/months.ts';
import { rebuildLater } from './make/later.ts';
import { NAMES, usual } from './make/percent.ts';
import { requireOpen } from './months.ts';

/** What holds today of each disposition, and all that was set. */
export async function readAll(ctx: Ctx): Promise<{ now: WriteDownRow[]; history: WriteDownRow[] }> {
  const { rows } = await sql<WriteDownRow>`
    SELECT disposition, valid_from::text AS "validFrom", percent::text AS percent FROM worth.write_down
     WHERE company_id = ${ctx.companyId} ORDER BY valid_from DESC, disposition`.execute(ctx.db);
  const today = ctx.clock.today();
  const now = NAMES.map((disposition): WriteDownRow => {
    const set = rows.find((row) => row.disposition === disposition && (row.validFrom ?? '') <= today);
    return set ?? { disposition, validFrom: null, percent: usual(disposition) };
  });
  return { now, history: rows };
}

/** Sets a percentage from a day on and has the days since made anew. @throws refused where the day's month is frozen */
export async function save(ctx: Ctx, input: z.output<typeof saveWriteDown.body>): Promise<{ saved: true }> {
  const { disposition, validFrom, percent } = input;
  await requireOpen(ctx, validFrom);
  const { now } = await readAll(ctx);
  await sql`
    INSERT INTO worth.write_down (company_id, disposition, valid_from, percent, updated_by_name)
    VALUES (${ctx.companyId}, ${disposition}, ${validFrom}::date, ${percent}::numeric, ${ctx.userName})
    ON CONFLICT (company_id, disposition, valid_from) DO UPDATE
       SET percent = excluded.percent, updated_by_name = excluded.updated_by_name, updated_at = kit.now()`.execute(
    ctx.db,
  );
  await audit(ctx, {
    action: '修改减值比例',
    resource: 'worth.writeDown',
    resourceId: disposition,
    before: now.find((row) => row.disposition === disposition) ?? null,
    after: { validFrom, percent },
  });
  if (validFrom > ctx.clock.today()) return { saved: true };
  await rebuildLater(ctx, validFrom);
  return { saved: true };
}
