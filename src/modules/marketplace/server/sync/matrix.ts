import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { containing } from '#kit/server/list/words.ts';
import { REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import type { MatrixAccount, SyncCell, SyncMatrix, syncMatrix } from '../../contract/sync-matrix.ts';
import { type CatalogueEntry, catalogue } from './catalogue.ts';
import { type CursorRow, cursors, stateOf } from './health.ts';

type State = SyncCell['state'];

/** Of several sites the worst one speaks for the stream. */
const WORST: readonly State[] = [
  'dead',
  'blocked_auth',
  'blocked_role',
  'suspended',
  'retrying',
  'late',
  'paused',
  'running',
  'ready',
];
const STOPPED: readonly State[] = ['dead', 'blocked_auth', 'blocked_role', 'suspended', 'paused'];

interface Filter {
  keyword?: string | undefined;
  region?: Region | undefined;
  state?: 'late' | 'stopped' | undefined;
}

interface AccountRow {
  id: string;
  name: string;
  region: Region;
  status: MatrixAccount['status'];
}

async function accountRows(ctx: Ctx, { keyword, region }: Filter): Promise<AccountRow[]> {
  const like = keyword ? containing(keyword) : undefined;
  const { rows } = await sql<AccountRow>`
    SELECT a.id, s.name, a.region, a.status
      FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
     WHERE a.company_id = ${ctx.companyId} AND a.status NOT IN ('deleted', 'disabled', 'manual')
       ${region ? sql`AND a.region = ${region}` : sql``}
       ${like ? sql`AND (s.name ILIKE ${like} OR a.selling_partner_id ILIKE ${like})` : sql``}
     ORDER BY s.sort_index, s.id, a.region, a.id`.execute(ctx.db);
  return rows;
}

function cellOf(entry: CatalogueEntry, rows: readonly CursorRow[]): SyncCell | undefined {
  const ranked = rows
    .map((row) => ({ row, state: stateOf(row, entry.sloMin) }))
    .sort((a, b) => WORST.indexOf(a.state) - WORST.indexOf(b.state));
  const worst = ranked[0];
  if (!worst) return undefined;
  const delays = rows.flatMap((row) => row.delay_min ?? []);
  return {
    stream: entry.code,
    state: worst.state,
    delayMin: delays.length === rows.length ? Math.max(...delays) : null,
    error: worst.row.last_error,
  };
}

function matches(cells: readonly SyncCell[], state: Filter['state']): boolean {
  if (state === undefined) return true;
  return cells.some((cell) => (state === 'late' ? ['late', 'retrying'].includes(cell.state) : isStopped(cell)));
}

const isStopped = (cell: SyncCell): boolean => STOPPED.includes(cell.state);

interface Work {
  open_reports: number;
  failed_reports: number;
  backfills: number;
  calls: number;
  throttled: number;
}

async function workOf(ctx: Ctx, accountIds: readonly string[]): Promise<Work> {
  const own = sql`company_id = ${ctx.companyId} AND account_id = ANY(${[...accountIds]}::uuid[])`;
  const { rows } = await sql<Work>`
    SELECT (SELECT count(*)::int FROM marketplace.report_request
             WHERE ${own} AND status IN ('planned', 'requested', 'ready', 'downloaded')) AS open_reports,
           (SELECT count(*)::int FROM marketplace.report_request WHERE ${own} AND status = 'failed') AS failed_reports,
           (SELECT count(*)::int FROM marketplace.sync_backfill WHERE ${own} AND state = 'running') AS backfills,
           coalesce(sum(calls), 0)::int AS calls, coalesce(sum(throttled), 0)::int AS throttled
      FROM (SELECT calls, throttled FROM marketplace.sync_run WHERE ${own} AND started_at > kit.now() - interval '24 hours'
             UNION ALL
            SELECT calls, throttled FROM marketplace.report_request
             WHERE ${own} AND created_at > kit.now() - interval '24 hours') AS used`.execute(ctx.db);
  return rows[0] ?? { open_reports: 0, failed_reports: 0, backfills: 0, calls: 0, throttled: 0 };
}

/** Every living account with the state of each stream, and what is going on among them. */
export async function matrixOf(ctx: Ctx, filter: Filter): Promise<Reply<typeof syncMatrix>> {
  const entries = catalogue(ctx.runtime);
  const known = await accountRows(ctx, filter);
  const ids = known.map((account) => account.id);
  const groups = Map.groupBy(ids.length > 0 ? await cursors(ctx, ids) : [], (row) => `${row.account_id} ${row.stream}`);
  const accounts = known
    .map(
      (account): MatrixAccount => ({
        authid: account.id,
        name: account.name,
        region: REGION_NAMES[account.region],
        status: account.status,
        cells: entries.flatMap((entry) => cellOf(entry, groups.get(`${account.id} ${entry.code}`) ?? []) ?? []),
      }),
    )
    .filter((account) => matches(account.cells, filter.state));
  const cells = accounts.flatMap((account) => account.cells);
  const used = new Set(cells.map((cell) => cell.stream));
  return {
    streams: entries
      .filter((entry) => used.has(entry.code))
      .map(({ code, title, sloMin, mode }) => ({ code, title, sloMin, mode })),
    accounts,
    figures: figuresOf(
      cells,
      await workOf(
        ctx,
        accounts.map((account) => account.authid),
      ),
    ),
  };
}

function figuresOf(cells: readonly SyncCell[], work: Work): SyncMatrix['figures'] {
  const of = (...states: State[]) => cells.filter((cell) => states.includes(cell.state)).length;
  return {
    good: of('ready', 'running'),
    all: cells.length,
    running: of('running'),
    late: of('late', 'retrying'),
    stopped: cells.filter(isStopped).length,
    openReports: work.open_reports,
    failedReports: work.failed_reports,
    backfills: work.backfills,
    calls: work.calls,
    throttled: work.throttled,
  };
}
