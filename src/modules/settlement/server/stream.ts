import type { Ctx } from '#kit/server/context.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import type { Fetched, LandCounts, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { reconcileOpen } from './balance/reconcile.ts';
import { FINANCES, landTransactions } from './land.ts';
import type { ApiTransaction } from './leaves.ts';
import { type ParsedTransaction, parseTransaction } from './transactions.ts';

const DAY = 86_400;
/** Transactions that are in memory at once, some ten MB. Each landing looks at all of the account's open ones. */
const BATCH = 5000;
const LAND_TIMEOUT_MS = 10 * 60_000;

interface Listed {
  payload?: { nextToken?: string | null; transactions?: ApiTransaction[] | null } | undefined;
}

/** The pages of a window. Any may be empty; the same arguments go with every token. */
async function* pages({ api, window }: StreamRun): AsyncGenerator<ParsedTransaction[]> {
  let nextToken: string | undefined;
  do {
    const { body } = await api.call<Listed>({
      operation: 'listTransactions',
      method: 'GET',
      path: '/finances/2024-06-19/transactions',
      query: { postedAfter: window.from, postedBefore: window.to, nextToken },
    });
    yield (body.payload?.transactions ?? []).flatMap((transaction) => parseTransaction(transaction) ?? []);
    nextToken = body.payload?.nextToken ?? undefined;
  } while (nextToken !== undefined);
}

const added = (a: LandCounts, b: LandCounts): LandCounts => ({
  rowsIn: a.rowsIn + b.rowsIn,
  inserted: a.inserted + b.inserted,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
  quarantined: (a.quarantined ?? 0) + (b.quarantined ?? 0),
});

/**
 * Reads a window in constant memory: whenever a batch is full it is landed at once, in a transaction of its own. Landing
 * is repeatable and its order does not matter, so a run that dies in between has only done a part of the next one's
 * work. The last batch, for most sellers the only one, lands with the watermark.
 */
async function fetchTransactions(run: StreamRun): Promise<Fetched> {
  const { account, runtime } = run;
  let counts: LandCounts = { rowsIn: 0, inserted: 0, updated: 0, unchanged: 0, quarantined: 0 };
  let batch: ParsedTransaction[] = [];
  for await (const page of pages(run)) {
    batch.push(...page);
    if (batch.length < BATCH) continue;
    const full = batch;
    batch = [];
    const work = (ctx: Ctx) => landTransactions(ctx, account, full);
    const landed = await inTenant(runtime, systemPrincipal(account.companyId), work, { timeoutMs: LAND_TIMEOUT_MS });
    counts = added(counts, landed);
  }
  return {
    async land(ctx) {
      counts = added(counts, await landTransactions(ctx, account, batch));
      await reconcileOpen(ctx, account.id);
      return counts;
    },
  };
}

/**
 * What is not settled yet. Events appear up to two days late, so each run looks back three; the API allows windows of
 * 180 days and answers nothing younger than two minutes.
 */
export const finances: StreamDef = {
  code: FINANCES,
  title: '账务交易',
  scope: 'account',
  cadenceSec: 30 * 60,
  overlapSec: 3 * DAY,
  safetyLagSec: 150,
  maxWindowSec: 30 * DAY,
  historySec: 120 * DAY,
  priority: 40,
  sloMin: 90,
  whileSuspended: true,
  fetch: fetchTransactions,
};

/**
 * The same again for sixty days, once a day. A transaction keeps the day on which it was posted when its state changes: a
 * deferred sale is released weeks later, and which settlement paid a transaction is known when that closes.
 */
export const financesAgain: StreamDef = {
  ...finances,
  code: 'finances.again',
  title: '账务交易复查',
  cadenceSec: DAY,
  overlapSec: 60 * DAY,
  // Everything has just been read when an account is new.
  historySec: DAY,
  priority: 75,
  sloMin: 36 * 60,
};
