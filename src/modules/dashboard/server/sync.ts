import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { countryOf, REGION_NAMES, type Region } from '#modules/marketplace/contract/marketplaces.ts';
import { reportPlans, streams } from '#modules/marketplace/server/index.ts';
import type { HomeFilter, SyncAccount, sync } from '../contract.ts';
import { ofAccounts } from './source.ts';

interface CursorRow {
  id: string;
  account_id: string;
  stream: string;
  marketplace_id: string;
  state: string;
  attempts: number;
  running: boolean;
  delay_min: number | null;
  last_success_at: string | null;
  last_error: string | null;
}

interface AccountRow {
  id: string;
  store: string;
  region: Region;
  status: string;
  reports: number;
  reports_done: number;
}

type Stream = SyncAccount['streams'][number];

/** The same words as 店铺管理 uses: what stands still, what is being tried again, what is behind its promise. */
function stateOf(row: CursorRow, sloMin: number): Stream['state'] {
  if (row.state !== 'ready') return row.state as Stream['state'];
  if (row.running) return 'running';
  if (row.attempts > 0) return 'retrying';
  return row.delay_min !== null && row.delay_min > sloMin ? 'late' : 'ready';
}

async function cursorsOf(ctx: Ctx, filter: HomeFilter): Promise<CursorRow[]> {
  const { rows } = await sql<CursorRow>`
    SELECT s.id, s.account_id, s.stream, s.marketplace_id, s.state, s.attempts, s.last_success_at, s.last_error,
           coalesce(s.lease_until > now(), false) AS running,
           floor(extract(epoch FROM now() - s.last_success_at) / 60)::int AS delay_min
      FROM marketplace.sync_cursor AS s
     WHERE s.company_id = ${ctx.companyId} AND ${ofAccounts('s', filter.accountIds)}
     ORDER BY s.stream, s.marketplace_id`.execute(ctx.db);
  return rows;
}

/** How each stream of each account goes, and how far a first synchronisation has come. */
export async function syncOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof sync>> {
  const { modules } = ctx.runtime;
  const known = new Map(
    [...extensionsOf(modules, streams), ...extensionsOf(modules, reportPlans)].map((one) => [one.code, one]),
  );
  const { rows } = await sql<AccountRow>`
    SELECT a.id, s.name AS store, a.region, a.status, coalesce(r.reports, 0) AS reports,
           coalesce(r.done, 0) AS reports_done
      FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
      LEFT JOIN (SELECT account_id, count(*)::int AS reports,
                        count(*) FILTER (WHERE status IN ('loaded', 'empty', 'failed'))::int AS done
                   FROM marketplace.report_request WHERE company_id = ${ctx.companyId} GROUP BY 1) AS r
        ON r.account_id = a.id
     WHERE a.company_id = ${ctx.companyId} AND a.status NOT IN ('deleted', 'disabled')
       ${filter.accountIds.length > 0 ? sql`AND a.id = ANY (${filter.accountIds}::uuid[])` : sql``}
     ORDER BY s.sort_index, s.id, a.id`.execute(ctx.db);
  const cursors = Map.groupBy(await cursorsOf(ctx, filter), (row) => row.account_id);
  return {
    accounts: rows.map((account) => {
      const own = cursors.get(account.id) ?? [];
      const times = own.flatMap((row) => row.last_success_at ?? []).sort();
      return {
        accountId: account.id,
        store: account.store,
        region: REGION_NAMES[account.region],
        status: account.status,
        streams: own.map((row) => {
          const promise = known.get(row.stream);
          const sloMin = promise?.sloMin ?? 60;
          return {
            id: row.id,
            title: promise?.title ?? row.stream,
            country: row.marketplace_id ? countryOf(row.marketplace_id) : null,
            state: stateOf(row, sloMin),
            delayMin: row.delay_min,
            sloMin,
            error: row.last_error,
          };
        }),
        lastSyncAt: times.at(-1) ?? null,
        firstSync: {
          done: own.filter((row) => row.last_success_at !== null).length + account.reports_done,
          total: own.length + account.reports,
        },
      };
    }),
  };
}
