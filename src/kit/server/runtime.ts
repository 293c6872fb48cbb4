import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { type Afterwards, type Ctx, type CtxOptions, makeCtx, type Principal } from './context.ts';
import type { Connections, Db, TransactionOptions } from './db/database.ts';
import type { FileStore } from './files.ts';
import type { TaskHandle } from './jobs/define.ts';
import { addQueued } from './jobs/enqueue.ts';
import type { ModuleDef } from './module.ts';
import type { Secrets } from './secrets.ts';

/** What a running process holds; handed to jobs and to the HTTP layer, never imported as a global. */
export interface Runtime {
  config: Config;
  /** Now, as business rules count it. Its days are Beijing's: those of a company are its context's. */
  clock: Clock;
  connections: Connections;
  files: FileStore;
  secrets: Secrets;
  log: Logger;
  modules: readonly ModuleDef[];
  /** Every permission code of every module: what the owner of a company holds. */
  codes: ReadonlySet<string>;
  /** What the operator of the product holds, and nobody else. */
  operatorCodes: ReadonlySet<string>;
  /** Codes of companies that the operator holds too, in his own company. */
  sharedCodes: ReadonlySet<string>;
}

/** Runs `work` for a company in one transaction and, after its commit, what it left to be done afterwards. */
export async function inTenant<T>(
  runtime: Runtime,
  principal: Principal,
  work: (ctx: Ctx) => Promise<T>,
  options: TransactionOptions & CtxOptions = {},
): Promise<T> {
  const afterwards: Afterwards = { queued: [], hooks: [] };
  const result = await runtime.connections.tenant(
    principal.companyId,
    async (db, client, zone) => {
      const done = await work(makeCtx(runtime, principal, db, client, afterwards, { ...options, zone }));
      await addQueued(db, afterwards.queued);
      return done;
    },
    { ...options, dataScope: principal.dataScope },
  );
  for (const hook of afterwards.hooks) {
    try {
      await hook();
    } catch (error) {
      runtime.log.error({ err: error }, 'work after commit failed');
    }
  }
  return result;
}

/** Principal of work that the product does for a company by itself. */
export function systemPrincipal(companyId: string, name = '系统'): Principal {
  return { sessionId: null, companyId, userId: null, userName: name, permissions: undefined };
}

/** Principal of a long task: its starter, who sees no more than he saw when he started it. */
export function taskPrincipal(task: TaskHandle): Principal {
  const { companyId, userId, userName, dataScope } = task;
  return { sessionId: null, companyId, userId, userName, permissions: undefined, dataScope };
}

/** Runs `work` across companies on the tables that open themselves to the system. */
export function inSystem<T>(
  runtime: Pick<Runtime, 'connections'>,
  work: (db: Db) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return runtime.connections.system(work, options);
}
