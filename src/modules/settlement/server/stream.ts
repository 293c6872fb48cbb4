import type { Fetched, StreamDef, StreamRun } from '#modules/marketplace/server/index.ts';
import { FINANCES, landTransactions } from './land.ts';
import type { ApiTransaction } from './leaves.ts';
import { type ParsedTransaction, parseTransaction } from './transactions.ts';

const DAY = 86_400;

interface Listed {
  payload?: { nextToken?: string | null; transactions?: ApiTransaction[] | null } | undefined;
}

/** Reads a window page by page. Pages may be empty before the last; the same arguments go with every token. */
async function read({ api, window }: StreamRun): Promise<ParsedTransaction[]> {
  const list: ParsedTransaction[] = [];
  let nextToken: string | undefined;
  do {
    const { body } = await api.call<Listed>({
      operation: 'listTransactions',
      method: 'GET',
      path: '/finances/2024-06-19/transactions',
      query: { postedAfter: window.from, postedBefore: window.to, nextToken },
    });
    for (const transaction of body.payload?.transactions ?? []) {
      const parsed = parseTransaction(transaction);
      if (parsed) list.push(parsed);
    }
    nextToken = body.payload?.nextToken ?? undefined;
  } while (nextToken !== undefined);
  return list;
}

async function fetchTransactions(run: StreamRun): Promise<Fetched> {
  const list = await read(run);
  return { land: (ctx) => landTransactions(ctx, run.account, list) };
}

/**
 * What is not settled yet. Events appear up to two days late, so each run looks back three; the API allows windows of
 * 180 days and answers nothing younger than two minutes. A run reads a month at most, to stay small in memory.
 */
export const finances: StreamDef = {
  code: FINANCES,
  title: '账务交易',
  scope: 'account',
  cadenceSec: 30 * 60,
  overlapSec: 3 * DAY,
  safetyLagSec: 120,
  maxWindowSec: 30 * DAY,
  historySec: 120 * DAY,
  priority: 40,
  sloMin: 90,
  whileSuspended: true,
  fetch: fetchTransactions,
};
