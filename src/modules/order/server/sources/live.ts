import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import {
  type AccountRef,
  ApiRefused,
  ComeBackLater,
  type Fetched,
  type LandCounts,
  type StreamDef,
  type StreamRun,
} from '#modules/marketplace/server/index.ts';
import type { Refused } from '../landing/fact.ts';
import { landOrders } from '../landing/land.ts';
import { type ApiOrder, apiRows, withoutPeople } from './api-order.ts';
import { LIVE, ORDER_HISTORY } from './codes.ts';

const PAGE = 100;
const OVERLAP_SEC = 600;
const DAY_MS = 86_400_000;
/**
 * Everything but the buyer. Of the recipient only country and state are taken over: without a role for personal data Amazon
 * tells little more (sellers report empty names and streets, and no refusal), and with it we keep nothing that we must not.
 */
export const INCLUDED = [
  'PROCEEDS',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'TAX',
  'RECIPIENT',
] as const;

interface Search {
  /** ISO instants. */
  from: string;
  to: string;
  marketplaceIds: readonly string[];
  /** Of the next page of a search that was broken off. */
  token: string | undefined;
}

interface Answer {
  orders: ApiOrder[];
  pagination?: { nextToken?: string };
}

async function* pages(
  { api }: StreamRun,
  search: Search,
): AsyncGenerator<{ orders: ApiOrder[]; next: string | undefined }> {
  let { token } = search;
  do {
    const { body } = await api.call<Answer>({
      operation: 'searchOrders',
      method: 'GET',
      path: '/orders/2026-01-01/orders',
      query: {
        marketplaceIds: search.marketplaceIds,
        lastUpdatedAfter: search.from,
        lastUpdatedBefore: search.to,
        maxResultsPerPage: PAGE,
        includedData: INCLUDED,
        paginationToken: token,
      },
    });
    token = body.pagination?.nextToken;
    yield { orders: (body.orders ?? []).map(withoutPeople), next: token };
  } while (token);
}

async function* once<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}

/** Lands orders of the API; orders bought after `latest` (ISO) by a clock that runs ahead are set aside. */
export function landApiOrders(
  ctx: Ctx,
  account: AccountRef,
  orders: readonly ApiOrder[],
  latest?: string,
): Promise<LandCounts> {
  const refused: Refused[] = [];
  const rows = apiRows(orders, 0, refused);
  return landOrders(ctx, account, {
    source: 'api',
    kind: LIVE,
    rows: once(rows),
    refused,
    ...(latest ? { latest } : {}),
  });
}

/** A broken-off search; `token` is null once it has been read to its end. */
type Progress = Omit<Search, 'token'> & { token: string | null };

async function readProgress(run: StreamRun): Promise<Progress | undefined> {
  const { account, runtime } = run;
  return inTenant(
    runtime,
    systemPrincipal(account.companyId),
    async (ctx) => {
      const row = await ctx.db
        .selectFrom('order.search_progress')
        .select(['covered_from', 'window_from', 'window_to', 'marketplace_ids', 'next_token'])
        .where('company_id', '=', account.companyId)
        .where('account_id', '=', account.id)
        // Amazon forgets a token after a day.
        .where((eb) =>
          eb.or([eb('next_token', 'is', null), eb('at', '>', sql<string>`kit.now() - interval '20 hours'`)]),
        )
        .executeTakeFirst();
      // Nor does anybody go on with a search for a time that something else has brought since.
      if (!row || row.covered_from > run.window.from || row.window_to <= run.window.from) return undefined;
      return {
        from: row.window_from,
        to: row.window_to,
        marketplaceIds: row.marketplace_ids,
        token: row.next_token,
      };
    },
    { readOnly: true },
  );
}

async function clearProgress(ctx: Ctx, account: AccountRef): Promise<void> {
  await ctx.db
    .deleteFrom('order.search_progress')
    .where('company_id', '=', account.companyId)
    .where('account_id', '=', account.id)
    .execute();
}

async function setToken(ctx: Ctx, account: AccountRef, token: string | null): Promise<void> {
  await ctx.db
    .updateTable('order.search_progress')
    .set({ next_token: token, at: sql`kit.now()` })
    .where('company_id', '=', account.companyId)
    .where('account_id', '=', account.id)
    .execute();
}

/** Lands what a broken-off search has brought so far, with the place where it goes on, and frees the worker. */
async function saveProgress(run: StreamRun, search: Search, next: string, orders: readonly ApiOrder[]): Promise<void> {
  const { account, runtime } = run;
  await inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
    await landApiOrders(ctx, account, orders);
    await clearProgress(ctx, account);
    await ctx.db
      .insertInto('order.search_progress')
      .values({
        company_id: account.companyId,
        account_id: account.id,
        covered_from: run.window.from,
        window_from: search.from,
        window_to: search.to,
        marketplace_ids: [...search.marketplaceIds],
        next_token: next,
      })
      .execute();
  });
}

/**
 * Reads a search to its end. The limit of this call is low (a page in three minutes once the saved-up calls are spent),
 * so a long search may be told to come back later: then the pages read so far are kept, and the next run goes on.
 */
async function readAll(run: StreamRun, search: Search): Promise<ApiOrder[]> {
  const orders: ApiOrder[] = [];
  let next = search.token;
  try {
    for await (const page of pages(run, search)) {
      orders.push(...page.orders);
      next = page.next;
    }
  } catch (error) {
    if (error instanceof ComeBackLater && next !== undefined && orders.length > 0) {
      await saveProgress(run, search, next, orders);
    }
    // A token that Amazon no longer takes: the next run begins the search anew.
    if (error instanceof ApiRefused && search.token !== undefined) {
      await inTenant(run.runtime, systemPrincipal(run.account.companyId), (ctx) => clearProgress(ctx, run.account));
      throw new ComeBackLater(1_000, '翻页令牌已失效，重新查询');
    }
    throw error;
  }
  return orders;
}

/** Goes on with a broken-off search, if there is one; returns from where on the window is still to be read. */
async function resume(run: StreamRun): Promise<string> {
  const { account, runtime, window } = run;
  const progress = await readProgress(run);
  if (!progress) return window.from;
  const { token } = progress;
  if (token !== null) {
    const orders = await readAll(run, { ...progress, token });
    await inTenant(runtime, systemPrincipal(account.companyId), async (ctx) => {
      await landApiOrders(ctx, account, orders);
      // Kept until the watermark moves: the call that follows may be the one that has to wait.
      await setToken(ctx, account, null);
    });
  }
  // An order that changed while its page was waited for has left that search for the time after it.
  const next = Date.parse(progress.to) - OVERLAP_SEC * 1000;
  return new Date(Math.max(next, Date.parse(window.from))).toISOString();
}

async function fetch(run: StreamRun): Promise<Fetched> {
  const { account, window } = run;
  const from = await resume(run);
  const search = { from, to: window.to, marketplaceIds: account.marketplaceIds, token: undefined };
  const orders = from < window.to ? await readAll(run, search) : [];
  const latest = new Date(Date.parse(window.to) + DAY_MS).toISOString();
  return {
    land: async (ctx) => {
      await clearProgress(ctx, account);
      return landApiOrders(ctx, account, orders, latest);
    },
  };
}

/** Changed orders of an account, every five minutes. */
export const liveOrders: StreamDef = {
  code: LIVE,
  wokenBy: ['ORDER_CHANGE', 'FBA_OUTBOUND_SHIPMENT_STATUS'],
  // searchOrders is allowed 484 times a day.
  wakeRestSec: 180,
  title: '订单（实时）',
  scope: 'account',
  cadenceSec: 300,
  overlapSec: OVERLAP_SEC,
  safetyLagSec: 180,
  maxWindowSec: 86_400,
  historySec: 2 * 86_400,
  backfillBy: ORDER_HISTORY,
  priority: 0,
  sloMin: 15,
  fetch,
};
