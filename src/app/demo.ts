import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { createCompany } from '#modules/identity/server/index.ts';
import { ensureDemoOperator, hireDemoPeople, OPERATOR } from './demo-people.ts';
import { connectDemoStores } from './demo-stores.ts';

export const DEMO = {
  account: 'demo@example.com',
  password: 'Demo-2026!',
  company: '启航家居',
  name: '演示管理员',
} as const;

/**
 * Makes the demo company and the operator in an empty database; everything else the demo shows comes over the
 * marketplace's wire. Returns which accounts of the demo exist: an older database, or one that people took for their own,
 * need not have them.
 */
export async function ensureDemo(runtime: Runtime): Promise<string[]> {
  const empty = await inSystem(runtime, async (db) => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM identity.company LEFT JOIN identity.member USING (company_id)
       WHERE user_type IS DISTINCT FROM 'operator'`.execute(db);
    return rows[0]?.n === 0;
  });
  if (empty) await makeDemo(runtime);
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<{ account: string }>`
      SELECT account FROM identity.member
       WHERE account = ANY(${[DEMO.account, OPERATOR.account]}::text[]) AND deleted_at IS NULL
       ORDER BY account`.execute(db);
    return rows.map((row) => row.account);
  });
}

async function makeDemo(runtime: Runtime): Promise<void> {
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
}
