import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef, ReportSource, SpApi } from '#modules/marketplace/server/index.ts';
import { type Sandbox, startSandbox } from '#sandbox/index.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { settlementLoader } from '../server/loader.ts';
import { finances } from '../server/stream.ts';
import { apiOf } from './sandbox-api.ts';
import { makeAccount, V2 } from './support.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const NOW = START + 50 * DAY;

let world: World;
let sandbox: Sandbox;
let api: SpApi;

beforeAll(async () => {
  world = await createWorld();
  sandbox = await startSandbox({
    scenario: 'tiny',
    seed: 'settlement-test',
    startAt: START,
    clock: { mode: 'frozen', at: NOW },
    reportDelayMs: [0, 0],
    rateFactor: 1_000_000,
  });
  const [seller] = sandbox.business.accounts;
  if (!seller) throw new Error('the sandbox has no seller');
  api = await apiOf(sandbox, seller);
});
afterAll(async () => {
  await sandbox.close();
  await world.close();
});

interface Remote {
  reportDocumentId: string;
  marketplaceIds: string[];
}

async function settlementReports(): Promise<Remote[]> {
  const { body } = await api.call<{ reports: Remote[] }>({
    operation: 'getReports',
    method: 'GET',
    path: '/reports/2021-06-30/reports',
    query: { reportTypes: V2, pageSize: 100, createdSince: new Date(START).toISOString() },
  });
  return body.reports;
}

async function reportSource(account: AccountRef, remote: Remote): Promise<ReportSource> {
  const { body } = await api.call<{ url: string; compressionAlgorithm?: string }>({
    operation: 'getReportDocument',
    method: 'GET',
    path: `/reports/2021-06-30/documents/${remote.reportDocumentId}`,
  });
  const response = await fetch(body.url);
  const raw = Buffer.from(await response.arrayBuffer());
  const bytes = body.compressionAlgorithm === 'GZIP' ? gunzipSync(raw) : raw;
  return {
    account,
    reportType: V2,
    marketplaceIds: remote.marketplaceIds,
    open: async function* () {
      yield bytes;
    },
    charset: response.headers.get('content-type') ?? undefined,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    documentId: randomUUID(),
    fileName: 'settlement.txt',
  };
}

async function seller(): Promise<{ owner: Person; account: AccountRef }> {
  const [one] = sandbox.business.accounts;
  const owner = await world.owner();
  const account = await makeAccount(world, owner, {
    region: one?.region ?? 'na',
    marketplaceIds: one?.marketplaceIds ?? [],
  });
  return { owner, account };
}

async function loadFiles(owner: Person, account: AccountRef, pick = (_: number) => true): Promise<void> {
  const reports = await settlementReports();
  expect(reports.length).toBeGreaterThan(3);
  for (const [i, remote] of reports.entries()) {
    if (!pick(i)) continue;
    const report = await reportSource(account, remote);
    await world.as(owner, (ctx) => settlementLoader.load(ctx, report));
  }
}

async function readTransactions(owner: Person, account: AccountRef, from: number, to: number): Promise<void> {
  const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const fetched = await finances.fetch({ runtime: world.runtime, account, marketplaceId: undefined, window, api });
  await world.as(owner, fetched.land);
}

/** Everything that counts, by kind of money: one list that two ways of getting there must agree on. */
async function books(owner: Person): Promise<string[]> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ line: string }>`
      SELECT concat_ws(' ', l.stage, l.marketplace_id, l.posted_date, l.sku, l.fee_code, l.order_id,
                       sum(l.amount), sum(l.quantity)) AS line
        FROM settlement.money_line AS l
        JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id
       WHERE l.company_id = ${ctx.companyId} AND d.state = 'ACTIVE'
       GROUP BY l.stage, l.marketplace_id, l.posted_date, l.sku, l.fee_code, l.order_id
       ORDER BY 1`.execute(ctx.db);
    return rows.map((row) => row.line);
  });
}

const LATEST = NOW - 121_000;

describe('a simulated seller, read over the wire', () => {
  it('gives the same books in whatever order files and transactions arrive, equal to the truth', async () => {
    const first = await seller();
    await loadFiles(first.owner, first.account);
    await readTransactions(first.owner, first.account, START, START + 25 * DAY);
    await readTransactions(first.owner, first.account, START + 25 * DAY, LATEST);

    const second = await seller();
    await readTransactions(second.owner, second.account, START + 20 * DAY, LATEST);
    await loadFiles(second.owner, second.account, (i) => i % 2 === 1);
    await readTransactions(second.owner, second.account, START, START + 25 * DAY);
    await loadFiles(second.owner, second.account);
    await loadFiles(second.owner, second.account);
    await readTransactions(second.owner, second.account, START, LATEST);

    const expected = await books(first.owner);
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.some((line) => line.startsWith('DEFERRED'))).toBe(true);
    expect(expected.some((line) => line.startsWith('RELEASED'))).toBe(true);
    expect(await books(second.owner)).toEqual(expected);

    const [account] = sandbox.business.accounts;
    for (const marketplaceId of account?.marketplaceIds ?? []) {
      const query = new URLSearchParams({
        sellingPartnerId: account?.sellingPartnerId ?? '',
        region: account?.region ?? '',
        marketplaceId,
      });
      const truth = (await (await fetch(`${sandbox.url}/control/truth?${query}`)).json()) as {
        settlements: { settlementId: string; total: string; lineCount: number }[];
      };
      const stored = await world.as(first.owner, (ctx) =>
        ctx.db
          .selectFrom('settlement.settlement')
          .select(['settlement_id', 'total_amount', 'line_count', 'unmapped_count'])
          .where('company_id', '=', ctx.companyId)
          .where('marketplace_id', '=', marketplaceId)
          .orderBy('end_at')
          .execute(),
      );
      const told = truth.settlements.map((row) => [row.settlementId, plainDecimal(row.total), row.lineCount]);
      const kept = stored.map((row) => [row.settlement_id, plainDecimal(row.total_amount ?? ''), row.line_count]);
      expect(kept.toSorted()).toEqual(told.toSorted());
      expect(stored.every((row) => row.unmapped_count === 0)).toBe(true);
    }
  });

  it('leaves nothing of a sale twice: no order counts in two stages for the same shipment', async () => {
    const { owner, account } = await seller();
    await readTransactions(owner, account, START, LATEST);
    await loadFiles(owner, account);
    const twice = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ order_id: string }>`
        SELECT l.order_id FROM settlement.money_line AS l
          JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id
         WHERE l.company_id = ${ctx.companyId} AND d.state = 'ACTIVE' AND l.fee_code = 'PRINCIPAL'
         GROUP BY l.order_id HAVING count(DISTINCT l.stage) > 1`.execute(ctx.db);
      return rows;
    });
    expect(twice).toEqual([]);
  });
});
