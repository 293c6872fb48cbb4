import pg from 'pg';
import { expect } from 'vitest';
import { reportTasks } from '#modules/marketplace/contract/report-tasks.ts';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import type { Region } from '#sandbox/business/types.ts';
import type { FaultRule } from '#sandbox/wire/faults.ts';
import { connectStore, type MarketplaceWorld, untilSynced } from '../support/marketplace.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { expectBooks, truthFigures } from '../support/truth.ts';
import type { Person } from '../support/world.ts';

/** One fault and how it is told. */
export type Story = FaultRule & { name: string };

/** Who sells where. */
export interface Seller {
  sellingPartnerId: string;
  region: Region;
  marketplaceId: string;
}

export const AMERICAN: Seller = { sellingPartnerId: 'A1SANDBOX0001', region: 'na', marketplaceId: 'ATVPDKIKX0DER' };
export const SETTLEMENTS = 'GET_V2_SETTLEMENT_REPORT_DATA_FLAT_FILE_V2';
export const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
/** Long enough for a whole story on a busy machine. */
export const STORY_MS = 900_000;

/** Switches a fault on; the returned function switches all faults off and insists that this one has struck. */
export function switchOn(world: MarketplaceWorld, { name: _, ...rule }: Story): () => void {
  const { faults } = world.sandbox.world;
  const { id } = faults.add(rule);
  return () => {
    const struck = faults.list().find((active) => active.id === id)?.struck ?? 0;
    faults.clear();
    expect(struck, 'times that the fault struck').toBeGreaterThan(0);
  };
}

export function connect(owner: Person, seller: Seller): Promise<{ accountId: string; storeId: string }> {
  return connectStore(owner, seller.sellingPartnerId, seller.marketplaceId);
}

/** The product's figures are the marketplace's, to the cent. */
export async function expectSameBooks(
  world: MarketplaceWorld,
  owner: Person,
  accountId: string,
  seller: Seller = AMERICAN,
): Promise<void> {
  const truth = truthFigures(world.sandbox, seller.sellingPartnerId, seller.region);
  expect(Object.keys(truth.settlements).length).toBeGreaterThan(0);
  await expectBooks(world, owner, accountId, truth);
}

/** Runs a statement as the database's owner, for what only time or an operator can do. */
export async function asOperator(world: MarketplaceWorld, statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

/** Whatever a story ended with: no fault is on, and the sellers, who work for one company only, are free again. */
export async function clearStage(world: MarketplaceWorld): Promise<void> {
  world.sandbox.world.faults.clear();
  await asOperator(world, "UPDATE marketplace.seller_account SET status = 'disabled'");
}

/** What 报表任务 shows of one type of report of a store. */
export async function tasksOf(owner: Person, accountId: string, reportType: string) {
  const filter = { authid: [accountId], reportType: [reportType] };
  return (await owner.call(reportTasks, { body: { filter, pagesize: 100 } })).records;
}

/** 立即同步, and the wait until it has brought everything. */
export async function syncAgain(owner: Person, accountId: string): Promise<void> {
  await owner.call(syncNow, { body: { authid: accountId } });
  await untilSynced(owner, accountId);
}

/**
 * A company connects its store while a fault is on, and when everything has been read its books agree with the
 * marketplace's own.
 */
export async function tell(world: MarketplaceWorld, story: Story, seller: Seller = AMERICAN): Promise<void> {
  const owner = await world.owner(story.name);
  const switchOff = switchOn(world, story);
  const { accountId } = await connect(owner, seller);
  await untilSynced(owner, accountId);
  switchOff();
  await untilQuiet(owner, accountId);
  await expectSameBooks(world, owner, accountId, seller);
}

/** Waits until no report of a store is under way: what Amazon had nothing for counts as read and is asked for once more. */
async function untilQuiet(owner: Person, accountId: string): Promise<void> {
  const filter = { authid: [accountId], status: ['planned', 'requested', 'ready', 'downloaded'] as never };
  const open = async () => (await owner.call(reportTasks, { body: { filter } })).total;
  await expect.poll(open, { timeout: PATIENCE_MS }).toBe(0);
}
