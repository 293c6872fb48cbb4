import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { CHECKS } from './checks.ts';

const SAMPLES = 20;

export interface CheckResult {
  code: string;
  title: string;
  text: string;
  /** Offenders found; 0 is the proof. */
  broken: number;
  samples: { what: string; expected: string; found: string }[];
}

/** Proves the laws of the ledger for the caller's company. Repairs nothing. */
export async function checkLedger(ctx: Ctx): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { code, title, text, sql: query } of CHECKS) {
    const { rows } = await ctx.client.query<{ what: string; expected: string; found: string; n: number }>(
      `SELECT x.*, count(*) OVER () AS n FROM (${query}) AS x LIMIT ${SAMPLES}`,
      [ctx.companyId],
    );
    const samples = rows.map(({ what, expected, found }) => ({ what, expected, found }));
    results.push({ code, title, text, broken: rows[0]?.n ?? 0, samples });
  }
  return results;
}

/** Brings the snapshots up to the ledger; `anew` writes all of them from the entries. Answers the rows written. */
export async function foldSnapshots(ctx: Ctx, anew = false): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT warehouse.fold_snapshots(${anew}) AS n`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** Writes the balances anew from the entries. Answers how many were wrong, which is 0 unless somebody tampered. */
export async function rebuildBalances(ctx: Ctx): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT warehouse.rebuild_balances() AS n`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** Proves the ledger of the whole company and keeps what was found; answers the id of the run. */
export async function runHealth(ctx: Ctx): Promise<{ id: string; broken: number }> {
  const begin = performance.now();
  await foldSnapshots(ctx);
  const results = await unscoped(ctx, () => checkLedger(ctx));
  const broken = results.reduce((sum, result) => sum + result.broken, 0);
  const { id } = await ctx.db
    .insertInto('warehouse.health_run')
    .values({
      company_id: ctx.companyId,
      ms: Math.round(performance.now() - begin),
      results: JSON.stringify(results),
      broken,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '库存自检', resource: 'warehouse.health', resourceId: id, after: { broken } });
  return { id, broken };
}
