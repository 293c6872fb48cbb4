import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { createCompany } from '#modules/identity/server/index.ts';
import { ensureDemoOperator, hireDemoPeople } from './demo-people.ts';
import { connectDemoStores } from './demo-stores.ts';

export const DEMO = {
  account: 'demo@example.com',
  password: 'Demo-2026!',
  company: '启航家居',
  name: '演示管理员',
} as const;

/**
 * Makes the demo company in an empty database; everything else it shows comes over the marketplace's wire. Returns
 * whether the demo account exists.
 */
export async function ensureDemo(runtime: Runtime): Promise<boolean> {
  const companies = await inSystem(runtime, async (db) => {
    const { rows } = await sql<{ n: number; demo: boolean }>`
      SELECT count(*) AS n, coalesce(bool_or(account = ${DEMO.account}), false) AS demo
        FROM identity.company LEFT JOIN identity.member USING (company_id)
       WHERE user_type IS DISTINCT FROM 'operator'`.execute(db);
    return rows[0];
  });
  if ((companies?.n ?? 0) > 0) return companies?.demo ?? false;
  const companyId = randomUUID();
  const userId = await runtime.connections.tenant(companyId, (db) =>
    createCompany(
      db,
      companyId,
      {
        name: DEMO.company,
        owner: { account: DEMO.account, password: DEMO.password, name: DEMO.name, email: DEMO.account },
      },
      runtime.secrets.pepper,
    ),
  );
  const principal = { sessionId: null, companyId, userId, userName: DEMO.name, permissions: undefined };
  if (runtime.config.sandbox) await connectDemoStores(runtime, principal);
  await hireDemoPeople(runtime, principal, DEMO.password);
  await ensureDemoOperator(runtime, DEMO.password);
  return true;
}
