import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { countryOf, REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import type { BackfillRow, StreamRunRow, streamDetail } from '../../contract/sync-matrix.ts';
import { backfillDaysOf, type CatalogueEntry, catalogue } from './catalogue.ts';
import { type CursorRow, stateOf } from './health.ts';

/** An account of the caller's reach and a stream of this version. @throws 404 */
export async function streamOf(
  ctx: Ctx,
  authid: string,
  stream: string,
): Promise<{ entry: CatalogueEntry; account: string }> {
  const entry = catalogue(ctx.runtime).find((one) => one.code === stream);
  const { rows } = await sql<{ name: string; region: Region }>`
    SELECT s.name, a.region FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
     WHERE a.company_id = ${ctx.companyId} AND a.id = ${authid} AND a.status <> 'deleted'`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound('授权不存在或已删除');
  if (!entry) throw notFound('数据流不存在');
  return { entry, account: `${row.name}-${REGION_NAMES[row.region]}` };
}

const site = (marketplaceId: string): string | null => (marketplaceId === '' ? null : countryOf(marketplaceId));

type SiteRow = CursorRow & { first_from: string | null; next_at: string | null };

async function sitesOf(ctx: Ctx, authid: string, entry: CatalogueEntry) {
  const { rows } = await sql<SiteRow>`
    SELECT id, account_id, stream, marketplace_id, state, watermark, first_from, last_success_at, last_error, attempts,
           coalesce(lease_until > kit.now(), false) AS running, CASE WHEN state = 'ready' THEN not_before END AS next_at,
           floor(extract(epoch FROM kit.now() - last_success_at) / 60)::int AS delay_min
      FROM marketplace.sync_cursor
     WHERE company_id = ${ctx.companyId} AND account_id = ${authid} AND stream = ${entry.code}
     ORDER BY marketplace_id`.execute(ctx.db);
  return rows.map((row) => ({
    id: row.id,
    country: site(row.marketplace_id),
    state: stateOf(row, entry.sloMin),
    watermark: row.watermark,
    firstFrom: row.first_from,
    lastSuccessAt: row.last_success_at,
    nextAt: row.next_at,
    delayMin: row.delay_min,
    attempts: row.attempts,
    error: row.last_error,
  }));
}

const RUNS = 50;

async function runsOf(ctx: Ctx, authid: string, stream: string): Promise<StreamRunRow[]> {
  const { rows } = await sql<Omit<StreamRunRow, 'country'> & { marketplace_id: string }>`
    SELECT id, marketplace_id, window_from AS "windowFrom", window_to AS "windowTo", started_at AS "startedAt",
           greatest(0, extract(epoch FROM ended_at - started_at) * 1000)::int AS ms, calls, throttled,
           rows_in AS "rowsIn", inserted, updated, unchanged, quarantined, error
      FROM marketplace.sync_run
     WHERE company_id = ${ctx.companyId} AND account_id = ${authid} AND stream = ${stream}
     ORDER BY started_at DESC LIMIT ${RUNS}`.execute(ctx.db);
  return rows.map(({ marketplace_id, ...row }) => ({ ...row, country: site(marketplace_id) }));
}

async function backfillsOf(ctx: Ctx, authid: string, stream: string): Promise<BackfillRow[]> {
  const { rows } = await sql<Omit<BackfillRow, 'country'> & { marketplace_id: string }>`
    SELECT id, marketplace_id, data_from AS "from", data_to AS "to", read_down_to AS "readDownTo", state, rows,
           created_by_name AS "byName", error,
           -- time left = time so far x what is left / what is done
           CASE WHEN state = 'running' AND read_down_to < data_to THEN
             ceil(extract(epoch FROM kit.now() - created_at) / 60 * extract(epoch FROM read_down_to - data_from)
                  / extract(epoch FROM data_to - read_down_to))::int END AS "etaMin"
      FROM marketplace.sync_backfill
     WHERE company_id = ${ctx.companyId} AND account_id = ${authid} AND stream = ${stream}
     ORDER BY id DESC LIMIT 10`.execute(ctx.db);
  return rows.map(({ marketplace_id, ...row }) => ({ ...row, country: site(marketplace_id) }));
}

/** What a stream of an account reads, how far it has come, its last runs and its backfills. */
export async function detailOf(ctx: Ctx, authid: string, stream: string): Promise<Reply<typeof streamDetail>> {
  const { entry, account } = await streamOf(ctx, authid, stream);
  return {
    authid,
    account,
    stream,
    title: entry.title,
    mode: entry.mode,
    sloMin: entry.sloMin,
    cadenceSec: entry.cadenceSec,
    overlapSec: entry.window?.overlapSec ?? null,
    maxWindowSec: entry.window?.maxWindowSec ?? null,
    backfillDays: backfillDaysOf(entry),
    sites: await sitesOf(ctx, authid, entry),
    runs: await runsOf(ctx, authid, stream),
    backfills: await backfillsOf(ctx, authid, stream),
  };
}
