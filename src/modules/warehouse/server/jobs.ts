import { sql } from 'kysely';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { remindBroken, remindLeases } from './health/remind.ts';
import { foldSnapshots, runHealth } from './health/run.ts';
import { expire, overdue } from './stock/expiry.ts';

async function companies(runtime: Runtime): Promise<string[]> {
  const { rows } = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company`.execute(db),
  );
  return rows.map((row) => row.id);
}

/** Runs `work` for every company that keeps stock; one that fails does not keep the others from their turn. */
async function each(runtime: Runtime, work: (companyId: string) => Promise<void>): Promise<void> {
  for (const companyId of await companies(runtime)) {
    try {
      const kept = await inTenant(runtime, systemPrincipal(companyId), async (ctx) => {
        const row = await ctx.db
          .selectFrom('warehouse.stock_posting')
          .select('id')
          .where('company_id', '=', companyId)
          .limit(1)
          .executeTakeFirst();
        return row !== undefined;
      });
      if (kept) await work(companyId);
    } catch (error) {
      runtime.log.error({ err: error, companyId }, 'stock job failed');
    }
  }
}

/** Brings the snapshots up to the ledger, every few minutes. */
const fold: JobDef = job('warehouse.fold', (runtime: Runtime) =>
  each(runtime, async (companyId) => {
    await inTenant(runtime, systemPrincipal(companyId), (ctx) => foldSnapshots(ctx), { timeoutMs: 10 * 60_000 });
  }),
);

/** Gives back what documents held for longer than they may, each document in a transaction of its own. */
const expiry: JobDef = job('warehouse.expiry', (runtime: Runtime) =>
  each(runtime, async (companyId) => {
    const found = await inTenant(runtime, systemPrincipal(companyId), overdue);
    for (const document of found) await inTenant(runtime, systemPrincipal(companyId), (ctx) => expire(ctx, document));
  }),
);

/** Proves the ledger of every company in the night and tells those who may see it what is broken. */
const health: JobDef = job('warehouse.health', (runtime: Runtime) =>
  each(runtime, async (companyId) => {
    await inTenant(
      runtime,
      systemPrincipal(companyId),
      async (ctx) => {
        const { broken } = await runHealth(ctx);
        if (broken > 0) await remindBroken(ctx, broken);
        await remindLeases(ctx);
      },
      { timeoutMs: 60 * 60_000 },
    );
  }),
);

/** Makes the partitions of the months to come. */
const months: JobDef = job('warehouse.months', async (runtime: Runtime) => {
  await inSystem(runtime, (db) => sql`SELECT warehouse.make_months()`.execute(db));
});

export const jobs: JobDef[] = [fold, expiry, health, months];

export const crons = [
  { pattern: '*/5 * * * *', job: 'warehouse.fold' },
  { pattern: '*/10 * * * *', job: 'warehouse.expiry' },
  { pattern: '40 18 * * *', job: 'warehouse.health' },
  { pattern: '5 16 * * *', job: 'warehouse.months' },
];
