import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';
import type { saveWatchRule, WatchRule } from '../contract/findings.ts';
import { WATCH_CODES, WATCH_KINDS } from '../contract/kinds.ts';
import { markAll } from './look.ts';
import { rulesOf } from './rules-of.ts';

/** All kinds with what holds for the company. */
export async function readRules(ctx: Ctx): Promise<WatchRule[]> {
  const rules = await rulesOf(ctx);
  return WATCH_CODES.map((kind) => {
    const { help, unit, threshold: usual } = WATCH_KINDS[kind];
    return { kind, help, unit, usual, ...rules[kind] };
  });
}

/** Sets what holds for a kind, and has the orders of the last days looked at anew. @throws conflict */
export async function saveRule(ctx: Ctx, input: z.output<typeof saveWatchRule.body>): Promise<{ version: number }> {
  const { kind, threshold, enabled, version } = input;
  const { rows } = await sql<{ version: number; before: string | null }>`
    INSERT INTO orderwatch.rule AS r (company_id, kind, threshold, enabled, updated_by_name)
    SELECT ${ctx.companyId}, ${kind}, ${threshold}::numeric, ${enabled}, ${ctx.userName}
     WHERE ${version} = 0 OR EXISTS (SELECT FROM orderwatch.rule WHERE company_id = ${ctx.companyId} AND kind = ${kind})
    ON CONFLICT (company_id, kind) DO UPDATE
       SET threshold = excluded.threshold, enabled = excluded.enabled, version = r.version + 1, updated_at = kit.now(),
           updated_by_name = excluded.updated_by_name
     WHERE r.version = ${version}
    RETURNING version, old.threshold::text AS before`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw conflict();
  await audit(ctx, {
    action: '修改异常订单规则',
    resource: 'orderwatch.rule',
    resourceId: kind,
    before: row.before === null ? null : { threshold: row.before },
    after: { kind: WATCH_KINDS[kind].title, threshold, enabled },
  });
  await markAll(ctx);
  return { version: row.version };
}
