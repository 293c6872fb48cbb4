import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';

export interface Lease {
  id: string;
  accountId: string;
  stream: string;
  marketplaceId: string;
  watermark: string | null;
  firstFrom: string | null;
  leaseVersion: number;
  attempts: number;
}

/**
 * Takes the lease of a cursor that is due, or nothing. Its version is what every commit of this run must still find: a
 * worker that was thought dead matches no row and rolls back.
 */
export async function claim(runtime: Runtime, companyId: string, cursorId: string): Promise<Lease | undefined> {
  return inTenant(
    runtime,
    systemPrincipal(companyId),
    async (ctx) => {
      const { rows } = await sql<Lease>`
      UPDATE marketplace.sync_cursor c
         SET lease_version = lease_version + 1, lease_until = kit.now() + make_interval(secs => ${runtime.config.leaseSec})
        FROM marketplace.seller_account a
       WHERE c.company_id = ${companyId} AND c.state = 'ready'
         AND c.id = (SELECT id FROM marketplace.sync_cursor
                      WHERE company_id = ${companyId} AND id = ${cursorId} FOR UPDATE SKIP LOCKED)
         AND (c.lease_until IS NULL OR c.lease_until < kit.now())
         AND a.company_id = c.company_id AND a.id = c.account_id AND a.status IN ('active', 'expiring', 'suspended')
      RETURNING c.id, c.account_id AS "accountId", c.stream, c.marketplace_id AS "marketplaceId", c.watermark,
                c.first_from AS "firstFrom", c.lease_version AS "leaseVersion", c.attempts`.execute(ctx.db);
      return rows[0];
    },
    { prepared: true },
  );
}

/** When the lease that keeps a ready cursor from being claimed runs out; undefined where nothing holds it. */
export async function heldUntil(runtime: Runtime, companyId: string, cursorId: string): Promise<Date | undefined> {
  return inTenant(
    runtime,
    systemPrincipal(companyId),
    async (ctx) => {
      const row = await ctx.db
        .selectFrom('marketplace.sync_cursor')
        .select('lease_until')
        .where('company_id', '=', companyId)
        .where('id', '=', cursorId)
        .where('state', '=', 'ready')
        .where('lease_until', '>', sql<string>`kit.now()`)
        .executeTakeFirst();
      return row?.lease_until ? new Date(row.lease_until) : undefined;
    },
    { prepared: true },
  );
}

export class LeaseLost extends Error {}

/** Keeps a lease alive while a run takes long; returns how to stop that. */
export function keepAlive(runtime: Runtime, companyId: string, lease: Lease): () => void {
  const timer = setInterval(
    () => {
      inTenant(runtime, systemPrincipal(companyId), (ctx) =>
        ctx.db
          .updateTable('marketplace.sync_cursor')
          .set({ lease_until: sql`kit.now() + make_interval(secs => ${runtime.config.leaseSec})` })
          .where('company_id', '=', companyId)
          .where('id', '=', lease.id)
          .where('lease_version', '=', lease.leaseVersion)
          .execute(),
      ).catch((error: unknown) => runtime.log.warn({ err: error }, 'lease heartbeat failed'));
    },
    (runtime.config.leaseSec * 1000) / 3,
  );
  return () => clearInterval(timer);
}

export interface CursorChange {
  watermark?: string | null;
  firstFrom?: string | null;
  notBefore: Date;
  /** Whether the present has not been reached. */
  behind?: boolean;
  state?: string;
  attempts?: number;
  error?: string | null;
  success?: boolean;
}

/** Writes the outcome of a run and gives the lease back. Throws LeaseLost when somebody else holds it by now. */
export async function release(ctx: Ctx, lease: Lease, change: CursorChange): Promise<void> {
  const row = await ctx.db
    .updateTable('marketplace.sync_cursor')
    .set({
      lease_until: null,
      not_before: change.notBefore,
      attempts: change.attempts ?? 0,
      last_error: change.error ?? null,
      ...(change.watermark === undefined ? {} : { watermark: change.watermark }),
      ...(change.firstFrom === undefined ? {} : { first_from: change.firstFrom }),
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.behind === undefined ? {} : { behind: change.behind }),
      ...(change.success ? { last_success_at: sql<string>`kit.now()` } : {}),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', lease.id)
    .where('lease_version', '=', lease.leaseVersion)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new LeaseLost('another worker took this stream over');
}
