import type pg from 'pg';
import { extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { streams } from '#modules/marketplace/server/index.ts';
import { catalogue } from '#modules/marketplace/server/sync/catalogue.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { writeConsents } from './consents.ts';

/** Of the stores the largest company holds one in so many; the rest are shared out among the others. */
const LARGEST = 5;

/** Where many stores are connected. `admin` speaks as the owner of the tables, in a session that tells the product's clock. */
export interface StoreWorld {
  admin: Pick<pg.Client, 'query'>;
  runtime: Pick<Runtime, 'modules' | 'secrets'>;
}

/** The place in `companies` of the company of each store: a big one with a fifth of all, the others with as many each. */
function companyOf(index: number, companies: number): number {
  if (index % LARGEST === 0 || companies === 1) return 0;
  return 1 + (index % (companies - 1));
}

/**
 * Streams as they stand after weeks of work: each was read some time within its last pause and is due when that pause
 * is over, so that the calls of an ordinary hour come evenly. Queued are those that come due within so many seconds. Returns
 * how many there are.
 */
async function writeCursors({ admin, runtime }: StoreWorld, withinSec: number): Promise<number> {
  const perSite = new Set(
    extensionsOf(runtime.modules, streams).flatMap((def) => (def.scope === 'marketplace' ? [def.code] : [])),
  );
  const entries = catalogue(runtime)
    .filter(({ mode }) => mode !== 'ads')
    .map(({ code, cadenceSec, priority }) => ({ code, cadenceSec, priority, perSite: perSite.has(code) }));
  const { rowCount } = await admin.query(
    `WITH def AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(code text, "cadenceSec" int, "perSite" boolean)),
          place AS (SELECT company_id, id AS account_id, '' AS site, false AS per FROM marketplace.seller_account
                    UNION ALL
                    SELECT company_id, account_id, marketplace_id, true FROM marketplace.seller_marketplace),
          cursor AS (SELECT company_id, account_id, code, site, "cadenceSec",
                            kit.now() - make_interval(secs => random() * "cadenceSec") AS at
                       FROM place JOIN def ON def."perSite" = place.per),
          turns AS (INSERT INTO marketplace.sync_turn (company_id, class)
                    SELECT id, class
                      FROM (SELECT DISTINCT company_id AS id FROM marketplace.seller_account) AS company,
                           unnest('{live,gap,backfill}'::text[]) AS class)
     INSERT INTO marketplace.sync_cursor
       (company_id, account_id, stream, marketplace_id, watermark, first_from, last_success_at, not_before)
     SELECT company_id, account_id, code, site, at, at - interval '30 days', at, at + make_interval(secs => "cadenceSec")
       FROM cursor`,
    [JSON.stringify(entries)],
  );
  await admin.query(
    `SELECT kit.add_job('marketplace.sync', json_build_object('companyId', company_id, 'cursorId', id), NULL,
                        not_before - kit.clock_shift(), 'sync:' || id, (def.priority)::int, 12, 'replace')
       FROM marketplace.sync_cursor JOIN jsonb_to_recordset($1::jsonb) AS def(code text, priority int) ON def.code = stream
      WHERE not_before < kit.now() + make_interval(secs => $2)`,
    [JSON.stringify(entries), withinSec],
  );
  return rowCount ?? 0;
}

/**
 * Connects `count` accounts of the sandbox to these companies, their streams in the middle of ordinary work, for so many
 * seconds. Returns how many streams that makes.
 */
export async function connectStores(
  world: StoreWorld,
  sandbox: Sandbox,
  count: number,
  companyIds: readonly string[],
  withinSec: number,
): Promise<number> {
  const consents = sandbox.business.accounts
    .slice(0, count)
    .map((account, index) => ({ ...account, companyId: companyIds[companyOf(index, companyIds.length)] ?? '' }));
  await writeConsents(world.admin, world.runtime.secrets, sandbox, consents);
  return writeCursors(world, withinSec);
}

/**
 * Asks for two years of orders, month by month, for one store in `every`, those of the `nth` turn: what a new store wants,
 * behind everybody's work. Returns the number of reports.
 */
export async function askForHistory(admin: Pick<pg.Client, 'query'>, every: number, nth: number): Promise<number> {
  const { rowCount } = await admin.query(
    `WITH asked AS (
       INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids, data_from,
                                               data_to, priority, past)
       SELECT a.company_id, a.id, 'orders.history', 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL',
              (SELECT array_agg(marketplace_id) FROM marketplace.seller_marketplace m
                WHERE m.company_id = a.company_id AND m.account_id = a.id),
              date_trunc('day', kit.now()) - make_interval(days => 30 * n),
              date_trunc('day', kit.now()) - make_interval(days => 30 * n - 30), 10 + n, true
         FROM (SELECT *, row_number() OVER (ORDER BY id) AS number FROM marketplace.seller_account) a,
              generate_series(1, 24) AS n
        WHERE a.number % $1 = $2
       RETURNING company_id, id, priority)
     SELECT kit.add_job('marketplace.report', json_build_object('companyId', company_id, 'requestId', id), NULL, NULL,
                        'report:' || id, priority, 12, 'replace') FROM asked`,
    [every, nth],
  );
  return rowCount ?? 0;
}

/** How old the data of a stream is. */
export interface Freshness {
  stream: string;
  /** Minutes since the last success, of 95 in 100 stores at most and of the oldest. */
  p95: number;
  oldest: number;
  /** What the catalogue promises, minutes. */
  goal: number;
}

/** How fresh each stream of all stores is by now. */
export async function freshness({ admin, runtime }: StoreWorld): Promise<Freshness[]> {
  const { rows } = await admin.query<Omit<Freshness, 'goal'>>(
    `SELECT stream, percentile_cont(0.95) WITHIN GROUP (ORDER BY minutes)::float8 AS p95, max(minutes) AS oldest
       FROM marketplace.sync_cursor,
            LATERAL (SELECT extract(epoch FROM kit.instant() - last_success_at)::float8 / 60 AS minutes) AS age
      GROUP BY stream ORDER BY stream`,
  );
  const goals = new Map(catalogue(runtime).map((entry) => [entry.code, entry.sloMin]));
  return rows.map((row) => ({ ...row, goal: goals.get(row.stream) ?? 0 }));
}
