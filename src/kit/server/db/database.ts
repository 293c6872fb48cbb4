import { Kysely, type Kysely as KyselyType, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { type Clock, machineClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { type DataScope, scopeStatements } from '../scope.ts';
import { preparing } from './prepared.ts';
import type { DB } from './tables.gen.ts';

/** Tables and their columns, generated from the migrated database. */
export type Database = DB;
export type Db = KyselyType<Database>;

// bigint counts fit a number; days and decimals stay text, because a Date or a float would change them; instants are
// ISO text, as the contract sends them.
const INT8 = 20;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
pg.types.setTypeParser(INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('整数超出安全范围');
  return value;
});
pg.types.setTypeParser(DATE, (text) => text);
pg.types.setTypeParser(TIMESTAMPTZ, (text) => (text.endsWith('infinity') ? text : new Date(text).toISOString()));

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

export interface TransactionOptions {
  readOnly?: boolean;
  /** Statement timeout in ms; 0 means none. */
  timeoutMs?: number;
  /** Rows of the company that the transaction may reach; undefined: all. */
  dataScope?: DataScope | undefined;
  /** Statements are planned once for a connection: for short ones that are sent again and again, see prepared.ts. */
  prepared?: boolean;
}

/** Number of the advisory lock that writers of a company share, as SQL; who holds it alone makes the company read-only. */
export function companyLock(companyId: string): string {
  if (!UUID.test(companyId)) throw new Error('company id is not a uuid');
  return `hashtextextended('kit.company:${companyId}', 0)`;
}

/** Tells the database the product's clock: see kit.now(). */
function clockStatement({ shiftMs }: Clock): string {
  return shiftMs === 0 ? '' : `; SET LOCAL app.clock_shift = '${shiftMs} milliseconds'`;
}

const frozen = () => new AppError(423, 423, '公司数据正在迁移，暂时只能查看，请稍后再试', { code: 'B0210' });

/**
 * The product's connections. The pool speaks as the role erp_app, which owns nothing and is bound by row-level
 * security; a query outside `tenant` or `system` fails, because app.company_id is unset.
 */
export class Connections {
  readonly pool: pg.Pool;
  readonly url: string;
  readonly clock: Clock;
  constructor(url: string, size: number, clock: Clock = machineClock) {
    this.url = url;
    this.clock = clock;
    this.pool = new pg.Pool({ connectionString: url, max: size, options: '-c role=erp_app', application_name: 'erp' });
    // An idle client whose server went away must not end the process; the next query reports it.
    this.pool.on('error', () => {});
    // Nor one that is cut off between two statements of a transaction: the next statement fails, and with it the work.
    this.pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Runs `work` in a transaction that sees the rows of one company only, and counts days in its zone, which `work` is told.
   * Throws AppError 423 for one that may write while somebody holds the company's lock alone.
   */
  tenant<T>(
    companyId: string,
    work: (db: Db, client: pg.PoolClient, zone: string) => Promise<T>,
    options: TransactionOptions = {},
  ) {
    if (!UUID.test(companyId)) throw new Error('company id is not a uuid');
    const lock = options.readOnly ? '' : `, pg_try_advisory_xact_lock_shared(${companyLock(companyId)}) AS open`;
    const enter = `SELECT kit.enter('${companyId}') AS zone${lock}`;
    const settings = `SET LOCAL app.company_id = '${companyId}'${scopeStatements(options.dataScope)}; ${enter}`;
    return this.transaction(settings, work, options);
  }

  /**
   * Runs `work` in a transaction of no company that may also read the few tables that open themselves to the system:
   * log-in, schedulers and the like.
   */
  system<T>(work: (db: Db, client: pg.PoolClient) => Promise<T>, options: TransactionOptions = {}) {
    return this.transaction(
      `SET LOCAL app.company_id = '${NO_COMPANY}'; SET LOCAL app.scope = 'system'`,
      work,
      options,
    );
  }

  private async transaction<T>(
    settings: string,
    work: (db: Db, client: pg.PoolClient, zone: string) => Promise<T>,
    { readOnly = false, timeoutMs = 60_000, prepared = false }: TransactionOptions,
  ): Promise<T> {
    const client = await this.pool.connect();
    // What is only read is read as of one moment: sums agree with their rows, whatever others commit meanwhile.
    const begin = readOnly ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN';
    let result: T;
    try {
      // One round trip for the start of the transaction and its settings.
      const limits = `SET LOCAL statement_timeout = ${timeoutMs}${clockStatement(this.clock)}`;
      const { open, zone } = answered(await client.query(`${begin}; ${limits}; ${settings}`));
      if (open === false) throw frozen();
      result = await work(onClient(client, prepared), client, zone ?? this.clock.zone);
    } catch (error) {
      await ended(client, 'ROLLBACK').catch(() => {});
      throw error;
    }
    const end = ended(client, 'COMMIT');
    // What was only read is not lost if its end fails: the answer need not wait for it.
    if (readOnly) end.catch(() => {});
    else await end;
    return result;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** What the start of a transaction answers: of the results of several statements at once the last one. */
function answered(begun: unknown): { open?: boolean; zone?: string } {
  const last = (Array.isArray(begun) ? begun.at(-1) : begun) as pg.QueryResult<{ open?: boolean; zone?: string }>;
  return last.rows[0] ?? {};
}

/** Ends a transaction and gives the connection back; one that does not even end is closed. */
async function ended(client: pg.PoolClient, statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  try {
    await client.query(statement);
    client.release();
  } catch (cause) {
    client.release(cause instanceof Error ? cause : new Error(String(cause)));
    throw cause;
  }
}

/** A query builder on one connection, inside whatever transaction that connection is in. */
export function onClient(client: pg.PoolClient | pg.Client, prepared = false): Db {
  const query = prepared ? preparing(client) : client.query.bind(client);
  const connection = { query, release: () => {} };
  const pool = { connect: async () => connection, end: async () => {} } as unknown as PostgresPool;
  return new Kysely<Database>({
    dialect: new PostgresDialect({
      pool,
      cursor: Cursor as never,
    }),
  });
}
