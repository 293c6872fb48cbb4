import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import { syncNow } from '#modules/marketplace/contract/sync.ts';
import { type ReportPlan, reportPlans, type StreamDef, streams } from '#modules/marketplace/server/index.ts';
import { saveProduct } from '#modules/product/contract/material.ts';
import type { FbaMeasured, SimAccount } from '#sandbox/business/index.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { PATIENCE_MS } from '#test/support/patience.ts';
import { CA, US } from '#test/support/seller.ts';
import type { Person } from '#test/support/world.ts';
import { claimDetail, listClaims } from '../contract/claim-calls.ts';
import { askRemeasure, countFeeAudit, type FeeAuditFilter, type FeeAuditRow, feeAudit } from '../contract/fee-audit.ts';
import { refreshFeeAudit } from '../server/fee-audit/refresh.ts';

const SELLER = 'A1SANDBOX0001';
const PLAN = 'fba.feePreview';
const START = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;
/** The money of this last time is not asked for. */
const LAG_MS = 150_000;

let world: MarketplaceWorld;
let owner: Person;
let account: SimAccount;
let accountId: string;

/** Has the product read previews of fees and the money alone: the seller is a large one, and the rest is told elsewhere. */
function readNothingElse(): void {
  world.runtime.modules = world.runtime.modules.map((module) => ({
    ...module,
    extensions: (module.extensions ?? []).filter(({ point, value }) => {
      if (point === streams.name) return (value as StreamDef).code === 'finances';
      return point !== reportPlans.name || (value as ReportPlan).code === PLAN;
    }),
  }));
}

const truth = (site: string): FbaMeasured[] =>
  world.sandbox.business.mismeasured(account, site, world.sandbox.clock.now());
const control = async (body: object): Promise<{ mismeasured: { sku: string; marketplaceId: string }[] }> => {
  const reply = await fetch(`${world.sandbox.url}/control/fees`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na', ...body }),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as never;
};

/** Every row of a filter, by SKU. */
async function rowsOf(filter: FeeAuditFilter): Promise<FeeAuditRow[]> {
  const { records, total } = await owner.call(feeAudit.list, {
    body: { pagesize: 100, filter, sort: 'product', order: 'asc' },
  });
  expect(records).toHaveLength(total);
  return records;
}
const inUs = (filter: FeeAuditFilter = {}) => rowsOf({ sites: [`${US}-${accountId}`], ...filter });
const skusOf = (rows: readonly { product: { code: string } }[]): string[] =>
  rows.map(({ product }) => product.code).sort();

/** Asks for the previews of this moment, as a week later the engine would. */
async function readAgain(): Promise<void> {
  const newest = (await inUs())[0]?.day ?? '';
  await world.as(owner, (ctx) =>
    sql`UPDATE marketplace.sync_cursor SET not_before = kit.now(), last_success_at = NULL
         WHERE company_id = ${ctx.companyId}`.execute(ctx.db),
  );
  await owner.call(syncNow, { body: { authid: accountId } });
  await expect.poll(async () => (await inUs())[0]?.day, { timeout: PATIENCE_MS }).not.toBe(newest);
}

beforeAll(async () => {
  world = await createMarketplaceWorld({
    scenario: 'demo',
    startAt: START,
    clock: { mode: 'frozen', at: START + 75 * DAY },
  });
  owner = await world.owner();
  const found = world.sandbox.business.accounts.find((one) => one.sellingPartnerId === SELLER && one.region === 'na');
  if (!found) throw new Error('no seller');
  account = found;
  // Our own products, measured as they are.
  for (const { product } of world.sandbox.business.listings(account, US, world.sandbox.clock.now())) {
    const { sku, lengthCm, widthCm, heightCm, weightKg } = product;
    await owner.call(saveProduct, {
      body: {
        sku,
        name: sku,
        dimensions: [
          {
            role: 'packed',
            length: String(lengthCm),
            width: String(widthCm),
            height: String(heightCm),
            weight: String(weightKg),
            unitsPerCarton: null,
          },
        ],
      },
    });
  }
  ({ accountId } = await connectStore(owner, SELLER));
  readNothingElse();
  await world.work();
  await vi.waitFor(
    async () => {
      const { rows } = await world.as(owner, (ctx) =>
        sql<{ read: string | null }>`
          SELECT watermark AS read FROM marketplace.sync_cursor
           WHERE company_id = ${ctx.companyId} AND stream = 'finances'`.execute(ctx.db),
      );
      expect(Date.parse(rows[0]?.read ?? '')).toBeGreaterThan(world.sandbox.clock.now() - 600_000);
      expect(await inUs()).not.toEqual([]);
    },
    { timeout: PATIENCE_MS, interval: 300 },
  );
  // As every night.
  await world.as(owner, (ctx) => refreshFeeAudit(ctx, accountId));
}, 2 * PATIENCE_MS);
afterAll(() => world.close());

it('finds every product that Amazon measured too large, and no other one', async () => {
  const planted = truth(US);
  expect(planted).toHaveLength(3);
  expect(skusOf(await inUs({ tab: 'over' }))).toEqual(planted.map(({ sku }) => sku).sort());
  const rows = await inUs();
  expect(rows.length).toBeGreaterThan(35);
  const others = rows.filter(({ product }) => !planted.some(({ sku }) => sku === product.code));
  // Fees of all others are ours to the cent.
  expect(others.filter(({ verdict }) => verdict !== 'EQUAL').map((row) => [row.product.code, row.verdict])).toEqual([]);
  for (const { sku, charged, due } of planted) {
    const row = rows.find(({ product }) => product.code === sku);
    expect(row && [row.amazonFee, row.ownFee].map((fee) => plainDecimal(fee ?? '0'))).toEqual(
      [charged, due].map(plainDecimal),
    );
  }
  // Where no card is known, nothing is found and the reason is told.
  expect(truth(CA)).not.toEqual([]);
  const canada = await rowsOf({ sites: [`${CA}-${accountId}`] });
  expect(new Set(canada.map(({ gap }) => gap))).toEqual(new Set(['NO_CARD']));
});

it('tells what was charged per piece beside the preview: by the wrong measurement, too', async () => {
  const rows = await inUs();
  const told = rows.filter(({ charged }) => charged !== null);
  // Fees as the marketplace took them of each piece that it sent in thirty days, from its own books.
  const now = world.sandbox.clock.now();
  const taken = new Map<string, { fee: Decimal; units: number }>();
  const until = told[0]?.day ?? '';
  for (const { transactionType, status, items, postedAt } of world.sandbox.business.transactions(
    account,
    { from: 0, to: now, marketplaceId: US },
    now,
  )) {
    // A deferred sale that was released counts by its release; the youngest minutes are not read yet.
    if (status === 'DEFERRED_RELEASED' || postedAt >= now - LAG_MS) continue;
    const day = new Date(postedAt - 7 * 3_600_000).toISOString().slice(0, 10);
    if (transactionType !== 'Shipment' || Date.parse(until) - Date.parse(day) >= 30 * DAY) continue;
    for (const { sku = '', quantity = 0, breakdowns } of items) {
      const fee = breakdowns.find(({ path }) => path.at(-1) === 'FBAPerUnitFulfillmentFee')?.amount;
      if (fee === undefined) continue;
      const sum = taken.get(sku) ?? { fee: new Decimal(0), units: 0 };
      taken.set(sku, { fee: sum.fee.minus(fee), units: sum.units + quantity });
    }
  }
  const expected = [...taken].map(([sku, { fee, units }]) => [sku, units, fee.div(units).toFixed(4)]).sort();
  expect(
    told.map(({ product, chargedUnits, charged }) => [
      product.code,
      chargedUnits,
      new Decimal(charged ?? 0).toFixed(4),
    ]),
  ).toEqual(expected);
  const more = (await inUs({ tab: 'charged' })).map(({ charging, chargedDiff }) => [charging, Number(chargedDiff) > 0]);
  expect(more.every(([charging, isMore]) => charging === 'MORE' && isMore)).toBe(true);
});

it('a measurement planted later is found by the next preview, and gone once Amazon measures again', async () => {
  const before = truth(US).map(({ sku }) => sku);
  const sound = (await inUs()).find(({ product, verdict }) => verdict === 'EQUAL' && product.code.includes('LCL'));
  const sku = sound?.product.code ?? '';
  const { mismeasured } = await control({ action: 'mismeasure', sku, sides: 1.6, weight: 1.5 });
  expect(mismeasured.filter(({ marketplaceId }) => marketplaceId === US).map((one) => one.sku)).toContain(sku);
  world.sandbox.world.commandClock({ advanceMs: 8 * DAY });
  await readAgain();
  const over = await inUs({ tab: 'over' });
  expect(skusOf(over)).toEqual([...before, sku].sort());

  const { claims } = await owner.call(askRemeasure, { body: { ids: over.map(({ id }) => id) } });
  expect(claims.map((one) => one.sku).sort()).toEqual(skusOf(over));
  for (const one of [...before, sku]) await control({ action: 'remeasure', sku: one });
  expect(truth(US)).toEqual([]);
  world.sandbox.world.commandClock({ advanceMs: 8 * DAY });
  await readAgain();
  expect(await inUs({ tab: 'over' })).toEqual([]);
  const counts = await owner.call(countFeeAudit, { body: { filter: { sites: [`${US}-${accountId}`] } } });
  expect(counts).toMatchObject({ over: 0, higher: 0, lower: 0, none: 0 });
  await expect
    .poll(
      async () => {
        const { records } = await owner.call(listClaims, { body: { filter: { types: ['FEE_OVERCHARGE'] } } });
        return records.map(({ state }) => state);
      },
      { timeout: PATIENCE_MS },
    )
    .toEqual(claims.map(() => 'resolved'));
  const [first] = claims;
  const { claim } = await owner.call(claimDetail, { params: { id: first?.id ?? '' } });
  expect(claim.qty).toBe(0);
});
