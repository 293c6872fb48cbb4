import { sql } from 'kysely';
import type pg from 'pg';
import { audit } from '#kit/server/audit.ts';
import { type AuditEntry, makeCtx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';
import { notFound } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { type LoginMember, memberById } from './members.ts';

/** Work across companies on the tables open to the system, on behalf of a caller. */
export interface Across {
  db: Db;
  /** The caller as a log-in knows him. */
  me: LoginMember;
  /** Runs after a successful commit. */
  afterCommit(work: () => void | Promise<void>): void;
  /** Writes what was done into the log of a company: the caller's, unless another is named. */
  record(entry: AuditEntry, companyId?: string): Promise<void>;
}

/**
 * Runs a caller's work that concerns accounts of several companies, in one transaction of the system together with its
 * audit rows. 404 for a caller who is gone.
 */
export async function across<T>(ctx: OpenCtx, work: (on: Across) => Promise<T>): Promise<T> {
  const hooks: (() => void | Promise<void>)[] = [];
  const result = await ctx.runtime.connections.system(async (db, client) => {
    const me = await memberById(db, ctx.principal.companyId, ctx.principal.userId ?? '');
    if (!me) throw notFound();
    const record = (entry: AuditEntry, companyId = ctx.principal.companyId) =>
      recordIn(ctx, db, client, companyId, entry);
    return work({ db, me, record, afterCommit: (hook) => void hooks.push(hook) });
  });
  for (const hook of hooks) await hook();
  return result;
}

async function recordIn(ctx: OpenCtx, db: Db, client: pg.PoolClient, companyId: string, entry: AuditEntry) {
  const principal = { ...ctx.principal, companyId };
  const nothingLeft = { queued: [], hooks: [] };
  const context = makeCtx(ctx.runtime, principal, db, client, nothingLeft, { requestId: ctx.requestId, ip: ctx.ip });
  // Audit rows belong to one company each and are open to no other transaction.
  await sql`SELECT set_config('app.company_id', ${companyId}, true)`.execute(db);
  await audit(context, entry);
}

/** Where an open call comes from, as log-ins want to know it. */
export function callerOf(ctx: Pick<OpenCtx, 'runtime' | 'ip' | 'userAgent'>) {
  return { runtime: ctx.runtime, ip: ctx.ip, userAgent: ctx.userAgent };
}
