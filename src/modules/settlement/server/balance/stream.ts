import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import {
  type AccountRef,
  type Fetched,
  type LandCounts,
  marketplaceNow,
  type StreamDef,
  type StreamRun,
} from '#modules/marketplace/server/index.ts';
import { holdMoney } from '../coverage.ts';
import { type ApiEventGroup, type EventGroup, parseGroup } from './groups.ts';
import { reconcileClosed, reconcileOpen } from './reconcile.ts';

const DAY = 86_400;
const PAGE_SIZE = 100;

interface Listed {
  payload?: { NextToken?: string | null; FinancialEventGroupList?: ApiEventGroup[] | null } | undefined;
}

async function read({ api, window }: StreamRun): Promise<EventGroup[]> {
  const groups: EventGroup[] = [];
  let nextToken: string | undefined;
  do {
    const { body } = await api.call<Listed>({
      operation: 'listFinancialEventGroups',
      method: 'GET',
      path: '/finances/v0/financialEventGroups',
      query: {
        FinancialEventGroupStartedAfter: window.from,
        FinancialEventGroupStartedBefore: window.to,
        MaxResultsPerPage: PAGE_SIZE,
        NextToken: nextToken,
      },
    });
    groups.push(...(body.payload?.FinancialEventGroupList ?? []).flatMap((group) => parseGroup(group) ?? []));
    nextToken = body.payload?.NextToken || undefined;
  } while (nextToken !== undefined);
  return groups;
}

/** The account's only marketplace with that currency; null for the euro of several. */
function marketplaceBy(account: AccountRef, currency: string): string | null {
  const [only, other] = account.marketplaceIds.filter((id) => marketplaceOf(id)?.currency === currency);
  return other === undefined ? (only ?? null) : null;
}

/** Writes groups as Amazon tells them, in the caller's transaction, and holds the account's books against them. */
export async function landGroups(
  ctx: Ctx,
  account: AccountRef,
  groups: readonly EventGroup[],
  readAt: string,
): Promise<LandCounts> {
  const rows = JSON.stringify(
    groups.map((group) => ({ ...group, marketplaceId: marketplaceBy(account, group.currency) })),
  );
  // Whoever loads a file or lands transactions of the account holds the same groups against them, in an order of its own.
  await holdMoney(ctx, account.id);
  const result = await sql<{ made: boolean }>`
    INSERT INTO settlement.event_group AS g
      (company_id, account_id, group_id, marketplace_id, currency, processing, start_at, end_at, beginning, total,
       transfer_status, transfer_at, converted, converted_currency, trace_id, account_tail, read_at)
    SELECT DISTINCT ON (t."groupId") ${ctx.companyId}::uuid, ${account.id}::uuid, t."groupId", t."marketplaceId",
           t.currency, t.processing, t."startAt", t."endAt", t.beginning, t.total, t."transferStatus", t."transferAt",
           t.converted, t."convertedCurrency", t."traceId", t."accountTail", ${readAt}::timestamptz
      FROM jsonb_to_recordset(${rows}::jsonb) AS t("groupId" text, "marketplaceId" text, currency text, processing text,
           "startAt" timestamptz, "endAt" timestamptz, beginning numeric, total numeric, "transferStatus" text,
           "transferAt" timestamptz, converted numeric, "convertedCurrency" text, "traceId" text, "accountTail" text)
    ON CONFLICT (company_id, account_id, group_id) DO UPDATE
       SET processing = excluded.processing, start_at = excluded.start_at, end_at = excluded.end_at,
           beginning = coalesce(excluded.beginning, g.beginning),
           -- Amazon has left totals out for weeks: what it said of the same state holds.
           total = CASE WHEN excluded.total IS NULL AND g.processing = excluded.processing THEN g.total
                        ELSE excluded.total END,
           transfer_status = coalesce(excluded.transfer_status, g.transfer_status),
           transfer_at = coalesce(excluded.transfer_at, g.transfer_at),
           converted = coalesce(excluded.converted, g.converted),
           converted_currency = coalesce(excluded.converted_currency, g.converted_currency),
           trace_id = coalesce(excluded.trace_id, g.trace_id),
           account_tail = coalesce(excluded.account_tail, g.account_tail), read_at = excluded.read_at
     WHERE g.read_at <= excluded.read_at
    RETURNING xmax = 0 AS made`.execute(ctx.db);
  await reconcileClosed(ctx, account.id);
  await reconcileOpen(ctx, account.id);
  const inserted = result.rows.filter((row) => row.made).length;
  return { rowsIn: groups.length, inserted, updated: result.rows.length - inserted, unchanged: 0 };
}

async function fetchGroups(run: StreamRun): Promise<Fetched> {
  // Before the call: what is posted while it travels belongs to the next reading.
  const readAt = (await marketplaceNow(run.runtime)).toISOString();
  const groups = await read(run);
  return { land: (ctx) => landGroups(ctx, run.account, groups, readAt) };
}

/**
 * Amazon's totals of each period, once a day. A group is found by when it began and changes until its money has arrived, so
 * each run goes back eighty days; with more than 180 days between the ends of a window Amazon answers nothing.
 */
export const eventGroups: StreamDef = {
  code: 'finances.groups',
  title: '账期余额',
  scope: 'account',
  cadenceSec: DAY,
  overlapSec: 80 * DAY,
  safetyLagSec: 120,
  maxWindowSec: 90 * DAY,
  historySec: 90 * DAY,
  priority: 76,
  sloMin: 36 * 60,
  whileSuspended: true,
  fetch: fetchGroups,
};
