import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { companyLock } from '#kit/server/db/database.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { parentsFirst, type TenantTable, tenantTables } from '../merge/catalogue.ts';

/** Rows that go in one transaction: few enough that nobody who works on the same tables notices. */
const BATCH = 10_000;

/** A table whose rows stay when a company is erased. */
export interface KeptRows {
  /** "schema.table" */
  table: string;
  why: string;
}

/** Where modules declare which of their rows an erased company leaves behind; undeclared ones go. */
export const keptRows = extensionPoint<KeptRows>('identity.keptRows');

const OWN: Readonly<Record<string, string>> = {
  'kit.audit': 'who did what is kept for at least 24 months; a changed row would break the chain over it',
  'identity.login_log': 'logs of a network are kept for at least six months (网络安全法 第二十一条)',
  'identity.company': 'a row without a name, so that the log belongs to somebody and the id is never used again',
};

/** Rows in these are open to no company: they go in a transaction of the system. */
const OF_THE_SYSTEM = ['kit.outbox'];

/** Companies whose rows have to go, the longest waiting first; also those that a killed worker left half erased. */
export async function closingCompanies(runtime: Runtime): Promise<string[]> {
  const { rows } = await inSystem(
    runtime,
    (db) =>
      sql<{ id: string }>`
        SELECT company_id AS id FROM identity.company WHERE status = 'closing' ORDER BY created_at`.execute(db),
    { readOnly: true },
  );
  return rows.map(({ id }) => id);
}

/** Tables whose rows go, children first. */
async function goingTables(runtime: Runtime, companyId: string): Promise<TenantTable[]> {
  const all = await inTenant(runtime, systemPrincipal(companyId), (ctx) => tenantTables(ctx.client), {
    readOnly: true,
  });
  const kept = new Set([...Object.keys(OWN), ...extensionsOf(runtime.modules, keptRows).map(({ table }) => table)]);
  const going = all.filter(({ name }) => !kept.has(name) && !OF_THE_SYSTEM.includes(name));
  return parentsFirst(going.map(withoutDepartment)).toReversed();
}

/** Departments have leaders and leaders departments: people of a company that closes are in none any more. */
function withoutDepartment(table: TenantTable): TenantTable {
  if (table.name !== 'identity.member') return table;
  return { ...table, references: table.references.filter(({ columns }) => !columns.includes('dept_id')) };
}

/** A row may refer to another one of its own table: of such a table all rows go in one statement. */
const atOnce = (table: TenantTable) => table.references.some(({ to }) => to === table.quoted);

async function eraseTable(runtime: Runtime, companyId: string, table: TenantTable): Promise<number> {
  let total = 0;
  for (;;) {
    const gone = await inTenant(
      runtime,
      systemPrincipal(companyId),
      async ({ client }) => {
        const most = atOnce(table) ? null : BATCH;
        const { rows } = await client.query<{ n: number }>('SELECT identity.erase_rows($1::regclass, $2) AS n', [
          table.quoted,
          most,
        ]);
        return rows[0]?.n ?? 0;
      },
      { timeoutMs: 0 },
    );
    total += gone;
    if (gone === 0 || atOnce(table)) return total;
  }
}

/** What came in while the rows went goes as well, with every writer kept out; then the company is erased for good. */
async function finish(runtime: Runtime, companyId: string, tables: readonly TenantTable[], rows: number) {
  await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
    await sql`SELECT pg_advisory_xact_lock(${sql.raw(companyLock(companyId))})`.execute(ctx.db);
    for (const { quoted } of tables) await ctx.client.query('SELECT identity.erase_rows($1::regclass, NULL)', [quoted]);
    await sql`
      UPDATE identity.company SET status = 'erased', plan_name = NULL, plan_limits = '{}', scope_dimensions = '{}'
       WHERE company_id = ${companyId}`.execute(ctx.db);
    const entry = { action: '清除已注销公司', resource: 'identity.company', resourceId: companyId };
    await audit(ctx, { ...entry, after: { rows } });
  });
}

/**
 * Takes away all rows and files of a company that is closing (status 'closing'; refused by the database for any other),
 * but for those that are declared to stay (keptRows). Table by table and in batches, each in a transaction of its own: killed in the middle, it goes
 * on from what is left when it is called again.
 */
export async function eraseCompany(runtime: Runtime, companyId: string): Promise<void> {
  const tables = await goingTables(runtime, companyId);
  let rows = 0;
  for (const table of tables) rows += await eraseTable(runtime, companyId, table);
  await inSystem(runtime, (db) => db.deleteFrom('kit.outbox').where('company_id', '=', companyId).execute());
  await runtime.files.forget(companyId);
  await finish(runtime, companyId, tables, rows);
}
