import { sql } from 'kysely';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

/** One call as the log keeps it: `ms` until the answer, `attempt` from 1. */
export interface CallEntry {
  companyId: string;
  /** The seller's account, or whoever else called. */
  accountId: string;
  /** Name of a caller that is no seller's account. */
  caller?: string;
  operation: string;
  method: string;
  path: string;
  status: number | null;
  ms: number;
  requestId: string | null;
  rate: number | null;
  attempt: number;
  problem: string | null;
  /** What went and came with a call that failed, masked; null for one that did not. */
  requestBody: string | null;
  responseBody: string | null;
}

const FLUSH_MS = 500;
const FLUSH_AT = 200;
const KEPT_DAYS = 14;
const BODIES_KEPT_DAYS = 3;
const SECRET = /(token|secret|password|signature|sig)=[^&]*/gi;

/** Address without what opens anything: page tokens and signatures. */
export function maskedPath(path: string): string {
  return path.replace(SECRET, '$1=***').slice(0, 500);
}

interface Buffer {
  rows: (CallEntry & { at: string })[];
  timer: NodeJS.Timeout | undefined;
}

const buffers = new WeakMap<object, Buffer>();

function bufferOf(runtime: Pick<Runtime, 'connections'>): Buffer {
  const known = buffers.get(runtime.connections);
  if (known) return known;
  const fresh: Buffer = { rows: [], timer: undefined };
  buffers.set(runtime.connections, fresh);
  return fresh;
}

async function write(runtime: Pick<Runtime, 'connections'>, rows: Buffer['rows']): Promise<void> {
  await inSystem(runtime, async (db) => {
    await sql`
      WITH r AS MATERIALIZED (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r("companyId" uuid, "accountId" uuid, caller text,
               at timestamptz, operation text, method text, path text, status int, ms int, "requestId" text,
               rate float8, attempt int, problem text, "requestBody" text, "responseBody" text)),
      logged AS (
        INSERT INTO marketplace.api_call
          (company_id, account_id, caller, at, operation, method, path, status, ms, request_id, rate, attempt, problem,
           request_body, response_body)
        SELECT "companyId", "accountId", caller, at, operation, method, path, status, ms, "requestId", rate, attempt, problem,
               "requestBody", "responseBody" FROM r)
      INSERT INTO marketplace.call_hour AS h (company_id, account_id, operation, hour, caller, calls, throttled, failed, ms)
      SELECT "companyId", "accountId", operation, date_bin('1 hour', at, timestamptz '2000-01-01 00:00:00+00') AS hour,
             max(caller), count(*),
             count(*) FILTER (WHERE status = 429),
             count(*) FILTER (WHERE status IS NULL OR (status >= 400 AND status <> 429)), sum(ms)
        FROM r GROUP BY 1, 2, 3, 4
       -- Everybody in the same order, so that nobody waits for somebody who waits for him.
       ORDER BY 1, 2, 3, 4
      ON CONFLICT (company_id, account_id, operation, hour) DO UPDATE
         SET calls = h.calls + excluded.calls, throttled = h.throttled + excluded.throttled,
             failed = h.failed + excluded.failed, ms = h.ms + excluded.ms`.execute(db);
  });
}

/** Writes what is waiting. A log that cannot be written stops nothing: the calls themselves were made. */
export async function flushCalls(runtime: Pick<Runtime, 'connections' | 'log'>): Promise<void> {
  const buffer = bufferOf(runtime);
  clearTimeout(buffer.timer);
  buffer.timer = undefined;
  const rows = buffer.rows.splice(0);
  if (rows.length === 0) return;
  await write(runtime, rows).catch((error: unknown) => runtime.log.debug({ err: error }, 'api log not written'));
}

/** Notes a call; rows go to the database together, twice a second, so that no call waits for its log. */
export function logCall(runtime: Pick<Runtime, 'connections' | 'log' | 'clock'>, entry: CallEntry): void {
  const buffer = bufferOf(runtime);
  buffer.rows.push({ ...entry, path: maskedPath(entry.path), at: runtime.clock.now().toISOString() });
  if (buffer.rows.length >= FLUSH_AT) void flushCalls(runtime);
  else buffer.timer ??= setTimeout(() => void flushCalls(runtime), FLUSH_MS).unref();
}

/** Every night: what is older than two weeks goes, and the bodies of failed calls after three days. */
export const purgeCalls = job<object>('marketplace.purgeApiCalls', async (runtime) => {
  await inSystem(runtime, async (db) => {
    await sql`
      UPDATE marketplace.api_call SET request_body = NULL, response_body = NULL
       WHERE at < kit.now() - make_interval(days => ${BODIES_KEPT_DAYS})
         AND (request_body IS NOT NULL OR response_body IS NOT NULL)`.execute(db);
    await db
      .deleteFrom('marketplace.api_call')
      .where('at', '<', sql<string>`kit.now() - make_interval(days => ${KEPT_DAYS})`)
      .execute();
    await db
      .deleteFrom('marketplace.call_hour')
      .where('hour', '<', sql<string>`kit.now() - make_interval(days => ${KEPT_DAYS})`)
      .execute();
  });
});
