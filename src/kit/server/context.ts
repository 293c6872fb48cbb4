import type pg from 'pg';
import type { Clock } from './clock.ts';
import type { Db } from './db/database.ts';
import type { QueuedJob } from './jobs/define.ts';
import type { Runtime } from './runtime.ts';
import type { DataScope } from './scope.ts';

/** Who is calling: made from a session, or from a job that works for a company. */
export interface Principal {
  sessionId: string | null;
  companyId: string;
  userId: string | null;
  userName: string;
  /** Every permission code that holds; undefined means all (jobs of the system itself). */
  permissions: ReadonlySet<string> | undefined;
  /** What the running call may reach; undefined: the whole company. */
  dataScope?: DataScope | undefined;
  /** Throws where the session may not make a call just now, whatever its permissions; `path` is the endpoint's. */
  gate?: ((path: string) => void) | undefined;
  /** Data scope that the caller has with a permission; the HTTP layer asks it for each call. */
  scopeWith?: ((permission: string) => DataScope | undefined) | undefined;
}

/** The caller with the data scope that he has by one of his permissions, for work that stands under another call. */
export function scopedTo(principal: Principal, permission: string): Principal {
  return { ...principal, dataScope: principal.scopeWith?.(permission) };
}

export interface AuditEntry {
  action: string;
  resource: string;
  resourceId?: string | null;
  before?: unknown;
  after?: unknown;
}

/**
 * What every rule gets: the caller, and a query builder inside the caller's tenant transaction. All that happens with
 * one context happens together or not at all.
 */
export interface Ctx {
  readonly runtime: Runtime;
  /** The product's clock with the days of the company. */
  readonly clock: Clock;
  readonly sessionId: string | null;
  readonly db: Db;
  /** The same transaction's connection, for COPY and cursors. */
  readonly client: pg.PoolClient;
  readonly companyId: string;
  readonly userId: string | null;
  readonly userName: string;
  readonly permissions: ReadonlySet<string> | undefined;
  readonly dataScope: DataScope | undefined;
  /** How many parts of the work are just now done for the whole company: see unscoped(). */
  unbound: number;
  readonly requestId: string;
  readonly ip: string | null;
  /** Jobs that are written as the transaction's last statement: see enqueue(). */
  readonly queued: QueuedJob[];
  /** Runs after a successful commit; failures there are logged and change nothing. */
  afterCommit(work: () => void | Promise<void>): void;
  /** Set when an audit row was written, so that the HTTP layer need not write a general one. */
  audited: boolean;
}

export function can(ctx: Pick<Ctx, 'permissions'>, code: string): boolean {
  return ctx.permissions === undefined || ctx.permissions.has(code);
}

export interface CtxOptions {
  requestId?: string;
  ip?: string | null;
}

/** What a transaction leaves to be done at its end. */
export interface Afterwards {
  /** Written before the commit. */
  queued: QueuedJob[];
  /** Run after it. */
  hooks: (() => void | Promise<void>)[];
}

/** A context on an open transaction; `afterwards` collects what is done at its end. */
export function makeCtx(
  runtime: Runtime,
  principal: Principal,
  db: Db,
  client: pg.PoolClient,
  afterwards: Afterwards,
  options: CtxOptions & { zone?: string } = {},
): Ctx {
  const { clock } = runtime;
  return {
    runtime,
    clock: options.zone === undefined ? clock : clock.in(options.zone),
    sessionId: principal.sessionId,
    db,
    client,
    companyId: principal.companyId,
    userId: principal.userId,
    userName: principal.userName,
    permissions: principal.permissions,
    dataScope: principal.dataScope,
    unbound: 0,
    requestId: options.requestId ?? '',
    ip: options.ip ?? null,
    queued: afterwards.queued,
    afterCommit: (work) => void afterwards.hooks.push(work),
    audited: false,
  };
}
