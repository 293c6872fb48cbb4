import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf, type Region } from '../../contract/marketplaces.ts';
import type { StreamRow } from '../../contract/sync.ts';
import { IS_READ } from '../reports/step.ts';
import { type CursorRow, cursors, promises, repeatedPlans, stateOf } from './health.ts';

/** How the streams of one account go, and how far its first synchronisation has come. */
export interface AccountSync {
  accountId: string;
  store: string;
  region: Region;
  status: string;
  streams: Pick<StreamRow, 'id' | 'title' | 'country' | 'state' | 'delayMin' | 'sloMin' | 'error'>[];
  /** ISO instant of the newest success of any stream. */
  lastSyncAt: string | null;
  /** Streams that were read once and reports that have ended, of all there are. */
  firstSync: { done: number; total: number };
}

interface AccountRow {
  id: string;
  store: string;
  region: Region;
  status: string;
  reports: number;
  reports_done: number;
}

async function accountRows(ctx: Ctx, accountIds: readonly string[]): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    SELECT a.id, s.name AS store, a.region, a.status, coalesce(r.reports, 0) AS reports,
           coalesce(r.done, 0) AS reports_done
      FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
      LEFT JOIN (SELECT account_id, count(*)::int AS reports,
                        count(*) FILTER (WHERE status = 'failed' OR ${IS_READ})::int AS done
                   FROM marketplace.report_request
                  WHERE company_id = ${ctx.companyId} AND plan <> 'manual' AND plan <> ALL(${repeatedPlans(ctx)}::text[])
                  GROUP BY 1) AS r
        ON r.account_id = a.id
     WHERE a.company_id = ${ctx.companyId} AND a.status NOT IN ('deleted', 'disabled')
       ${accountIds.length > 0 ? sql`AND a.id = ANY (${[...accountIds]}::uuid[])` : sql``}
     ORDER BY s.sort_index, s.id, a.id`.execute(ctx.db);
  return rows;
}

/** Every living account (of those named, if any) in the order of 店铺管理, with its streams in the same words. */
export async function syncOfAccounts(ctx: Ctx, accountIds: readonly string[] = []): Promise<AccountSync[]> {
  const known = promises(ctx);
  const byAccount = Map.groupBy(await cursors(ctx, accountIds), (row) => row.account_id);
  const streamOf = (row: CursorRow) => {
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
  };
  return (await accountRows(ctx, accountIds)).map((account) => {
    const own = byAccount.get(account.id) ?? [];
    const times = own.flatMap((row) => row.last_success_at ?? []).sort();
    return {
      accountId: account.id,
      store: account.store,
      region: account.region,
      status: account.status,
      streams: own.map(streamOf),
      lastSyncAt: times.at(-1) ?? null,
      firstSync: {
        done: own.filter((row) => row.last_success_at !== null).length + account.reports_done,
        total: own.length + account.reports,
      },
    };
  });
}
