import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { PLATFORM } from '../../contract/shared.ts';
import type { ScheduleHandler } from '../tasks/handlers.ts';
import { purgeOldest, verify } from './seal.ts';

/** The log of a company is kept for so long; the database refuses to take out anything younger. */
const KEEP = sql`interval '24 months'`;

interface Company {
  id: string;
  /** Whether its log is put under seal every night anyway. */
  nightly: boolean;
}

/** All companies, closed ones too: of them nothing but the log is left. */
async function companies(runtime: Runtime): Promise<Company[]> {
  const { rows } = await inSystem(
    runtime,
    (db) =>
      sql<Company>`
      SELECT company_id AS id, status = 'active' AND company_id <> ${PLATFORM}::uuid AS nightly
        FROM identity.company ORDER BY company_id`.execute(db),
    { readOnly: true },
  );
  return rows;
}

async function hasOld(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql<{ old: boolean }>`
    SELECT EXISTS (SELECT FROM kit.audit WHERE company_id = ${ctx.companyId} AND id < system.id_at(kit.now() - ${KEEP})) AS old`.execute(
    ctx.db,
  );
  return rows[0]?.old ?? false;
}

/**
 * Forgets what a company did more than 24 months ago. Rows go by whole seals, each checked before, in a transaction of
 * its own: a log that somebody touched stays as it is, and a killed run goes on where it ended. Answers how many rows went.
 */
export async function forgetOperations(runtime: Runtime, company: Company): Promise<number> {
  const principal = systemPrincipal(company.id);
  if (!(await inTenant(runtime, principal, hasOld, { readOnly: true }))) return 0;
  if (!company.nightly) await verify(runtime, principal);
  for (let total = 0; ; ) {
    const gone = await inTenant(runtime, principal, purgeOldest, { timeoutMs: 0 });
    if (gone === 0) return total;
    total += gone;
  }
}

/** Operation logs are kept for 24 months, those of closed companies too. */
export const retentionHandler: ScheduleHandler = {
  key: 'system.purgeAudit',
  title: '清理操作日志',
  group: '安全',
  description: '删除24个月前的操作日志；只删除已封存且校验完整的日志，剩余日志仍可校验',
  scope: 'global',
  defaultCron: '30 4 * * *',
  async run(runtime) {
    let total = 0;
    for (const company of await companies(runtime)) total += await forgetOperations(runtime, company);
    return `删除${total}条`;
  },
};
