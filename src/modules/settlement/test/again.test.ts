import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal, sum } from '#kit/contract/decimal.ts';
import type { AccountRef, ApiRequest, SpApi, StreamDef } from '#modules/marketplace/server/index.ts';
import { type Sandbox, startSandbox } from '#sandbox/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { summarySettlements } from '../contract/settlements.ts';
import type { ApiTransaction } from '../server/leaves.ts';
import { finances, financesAgain } from '../server/stream.ts';
import { apiOf } from './sandbox-api.ts';
import { makeAccount, US } from './support.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

let world: World;
let sandbox: Sandbox;
let api: SpApi;
let owner: Person;
let account: AccountRef;

beforeAll(async () => {
  world = await createWorld();
  sandbox = await startSandbox({
    scenario: 'tiny',
    seed: 'again-test',
    startAt: START,
    clock: { mode: 'frozen', at: START + 50 * DAY },
    reportDelayMs: [0, 0],
    rateFactor: 1_000_000,
  });
  const [seller] = sandbox.business.accounts;
  if (!seller) throw new Error('the sandbox has no seller');
  api = await apiOf(sandbox, seller);
  owner = await world.owner();
  account = await makeAccount(world, owner, { region: seller.region, marketplaceIds: seller.marketplaceIds });
});
afterAll(async () => {
  await sandbox.close();
  await world.close();
});

const iso = (at: number) => new Date(at).toISOString();

/** One run of a stream, its watermark being `mark`; returns the new one. */
async function runOf(def: StreamDef, through: SpApi, mark: number): Promise<number> {
  const to = sandbox.clock.now() - def.safetyLagSec * 1000;
  const window = { from: iso(mark - def.overlapSec * 1000), to: iso(to) };
  const fetched = await def.fetch({ runtime: world.runtime, account, marketplaceId: undefined, window, api: through });
  await world.as(owner, fetched.land);
  return to;
}

/** The marketplace, its releases not naming what they release: such identifiers are there when available. */
const forgetful: SpApi = {
  async call<T>(request: ApiRequest) {
    const answer = await api.call<{ payload?: { transactions?: ApiTransaction[] } }>(request);
    for (const one of answer.body.payload?.transactions ?? []) {
      one.relatedIdentifiers = (one.relatedIdentifiers ?? []).filter(
        ({ relatedIdentifierName }) => relatedIdentifierName !== 'DEFERRED_TRANSACTION_ID',
      );
    }
    return answer as { body: T; requestId: string | undefined };
  },
};

/** What the marketplace holds now, by currency: deferred, and released without a settlement. */
function truth(): Record<string, { deferred: string; released: string }> {
  const now = sandbox.clock.now();
  const [seller] = sandbox.business.accounts;
  if (!seller) return {};
  const all = sandbox.business.transactions(seller, { from: START, to: now - 120_000 }, now);
  const of = (currency: string, status: string) =>
    plainDecimal(
      sum(
        all
          .filter((one) => one.currency === currency && one.status === status && one.settlementId === undefined)
          .map(({ total }) => total),
      ),
    );
  const currencies = [...new Set(all.map(({ currency }) => currency))].sort();
  return Object.fromEntries(
    currencies.map((currency) => [
      currency,
      { deferred: of(currency, 'DEFERRED'), released: of(currency, 'RELEASED') },
    ]),
  );
}

async function books(): Promise<Record<string, { deferred: string; released: string }>> {
  const { cards } = await owner.call(summarySettlements, { body: {} });
  return Object.fromEntries(
    cards
      .map(({ currency, deferred, released }): [string, { deferred: string; released: string }] => [
        currency,
        { deferred: plainDecimal(deferred), released: plainDecimal(released) },
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe('a transaction that changes more than three days after it was posted', () => {
  it('is read again: what is open is what the marketplace holds, twelve days later', async () => {
    const first = await runOf(finances, forgetful, START + 3 * DAY);
    expect(await books()).toEqual(truth());
    expect(Number(truth().USD?.deferred)).toBeGreaterThan(0);

    sandbox.world.commandClock({ advanceMs: 12 * DAY });
    await runOf(finances, forgetful, first);
    await runOf(financesAgain, forgetful, first);
    expect(await books()).toEqual(truth());
    const stale = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ n: number }>`
        SELECT count(*) AS n FROM settlement.source_doc
         WHERE company_id = ${ctx.companyId} AND status = 'DEFERRED' AND matures_at < ${iso(sandbox.clock.now())}`.execute(
        ctx.db,
      );
      return rows[0]?.n;
    });
    expect(stale).toBe(0);
  });

  it('finds nothing to do where nothing has changed', async () => {
    const before = await books();
    const to = sandbox.clock.now() - 120_000;
    const window = { from: iso(to - 60 * DAY), to: iso(to) };
    const fetched = await financesAgain.fetch({
      runtime: world.runtime,
      account,
      marketplaceId: undefined,
      window,
      api: forgetful,
    });
    const counts = await world.as(owner, fetched.land);
    expect(counts.rowsIn).toBeGreaterThan(500);
    expect(counts).toMatchObject({ inserted: 0, updated: 0, unchanged: counts.rowsIn, quarantined: 0 });
    expect(await books()).toEqual(before);
  });
});

describe('a window of many pages', () => {
  const PAGES = 14;
  const usd = (currencyAmount: number) => ({ currencyCode: 'USD', currencyAmount });
  const fee = (page: number, no: number): ApiTransaction => ({
    transactionId: `FEE-${page}-${no}`,
    transactionType: 'ServiceFee',
    transactionStatus: 'RELEASED',
    postedDate: '2026-01-05T10:00:00Z',
    totalAmount: usd(-0.01),
    marketplaceDetails: { marketplaceId: US },
    items: [],
    breakdowns: [{ breakdownType: 'Expenses', breakdownAmount: usd(-0.01), breakdowns: [] }],
  });

  /** Pages of five hundred; `breaksAt` is the page at which the marketplace fails. */
  const paged = (breaksAt?: number): SpApi => ({
    async call<T>({ query = {} }: ApiRequest) {
      const page = Number(query.nextToken ?? 0);
      if (page === breaksAt) throw new Error('InternalFailure');
      const transactions = Array.from({ length: 500 }, (_, no) => fee(page, no));
      const payload = { transactions, ...(page + 1 < PAGES ? { nextToken: String(page + 1) } : {}) };
      return { body: { payload } as T, requestId: undefined };
    },
  });

  it('lands while it is read, and a run that died in it leaves nothing twice', async () => {
    const person = await world.owner();
    const own = await makeAccount(world, person);
    const window = { from: iso(START), to: iso(START + 30 * DAY) };
    const run = (through: SpApi) =>
      finances.fetch({ runtime: world.runtime, account: own, marketplaceId: undefined, window, api: through });
    const kept = () =>
      world.as(person, async (ctx) => {
        const { rows } = await sql<{ documents: number; amount: string | null }>`
          SELECT count(*) AS documents, sum(l.amount) AS amount FROM settlement.source_doc AS d
            JOIN settlement.money_line AS l ON l.company_id = d.company_id AND l.source_doc_id = d.id
           WHERE d.company_id = ${ctx.companyId} AND d.state = 'ACTIVE'`.execute(ctx.db);
        return rows[0];
      });
    await expect(run(paged(12))).rejects.toThrow('InternalFailure');
    expect(await kept()).toEqual({ documents: 5000, amount: '-50.0000' });
    const { land } = await run(paged());
    const counts = await world.as(person, land);
    expect(counts).toMatchObject({ rowsIn: 7000, inserted: 2000, updated: 0, unchanged: 5000 });
    expect(await kept()).toEqual({ documents: 7000, amount: '-70.0000' });
  });
});
