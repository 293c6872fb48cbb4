import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { createHouse, type House, stocked } from '#test/support/house.ts';
import { DE, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { COST, VIEW, type WorthFilter } from '../contract/fields.ts';
import { exportWorth, listWorth, worthDetail, worthSummary, worthTrend } from '../contract/worth.ts';
import { keepUp } from '../server/make/job.ts';
import { brought, type Site, shipped, tellStock } from './support.ts';

const FR = 'A13V1IB3VIYZZH';
let world: World;
let house: House;
let owner: Person;
let account: string;
let europe: string;
let europeStore: string;
let site: Site;

beforeAll(async () => {
  world = await createWorld();
  house = await createHouse(world, ['A-1', 'B-1', 'C-1', 'N-1']);
  owner = house.owner;
  account = (await makeSellerAccount(world, owner, { name: '美国店' })).id;
  const eu = await makeSellerAccount(world, owner, { name: '欧洲店', region: 'eu', marketplaceIds: [DE, FR] });
  europe = eu.id;
  europeStore = eu.storeId;
  site = { account, marketplaceId: US, msku: 'A-1' };
});
afterAll(() => world.close());

const summed = (filter: WorthFilter = {}) => owner.call(worthSummary, { body: { filter } });
const money = (text: string | null | undefined) => (text == null ? null : new Decimal(text).toFixed(2));
const keep = () => keepUp(world.runtime, owner.companyId);

async function stages(filter: WorthFilter = {}): Promise<Record<string, string>> {
  const { stages: rows } = await summed(filter);
  return Object.fromEntries(rows.map((row) => [row.stage, `${row.qty}×=${money(row.gross)}-${money(row.reserve)}`]));
}

test('example 17: what is on its way is counted once, and what cannot be sold is written down', async () => {
  const components = { purchase: '24000', firstLeg: '6000', duty: '1200' };
  await brought(world, house, 'A-1', 1200, { unit: '26', components });
  await shipped(world, house, 'A-1', account, 'US', 1000, 1000);
  await shipped(world, house, 'A-1', account, 'US', 200, 140);
  // 205 of what arrived were sold. Amazon is receiving the 60 that our own shipment has on its way.
  await noteSent(60);
  await tellStock(world, house, site, { fulfillable: 800, reserved: 120, unsellable: 15, receiving: 60, working: 500 });
  await keep();
  expect(await stages()).toEqual({
    FIRST_LEG: '60×=1560.00-0.00',
    FBA_FULFILLABLE: '800×=20800.00-0.00',
    FBA_RESERVED: '120×=3120.00-0.00',
    FBA_UNSELLABLE: '15×=390.00-390.00',
  });
  const { all, known, missingStocks, uncostedSkus, proof } = await summed();
  expect([all.gross, all.reserve, all.net, all.purchase, all.firstLeg, all.duty].map(money)).toEqual([
    '25870.00',
    '390.00',
    '25480.00',
    '19900.00',
    '4975.00',
    '995.00',
  ]);
  expect({ known, missingStocks, uncostedSkus }).toEqual({ known: true, missingStocks: 0, uncostedSkus: 0 });
  expect(money(proof?.difference)).toBe('0.00');
});

/** A ship order of ours that has pieces on their way: Amazon's own count of them says nothing new. */
function noteSent(qty: number) {
  return world.as(owner, async (ctx) => {
    const id = randomUUID();
    await sql`
      INSERT INTO shipping.ship_order (company_id, id, number, state, account_id, marketplace_id, warehouse_id, pack_type,
        transport, stock_mode, shipped_at)
      VALUES (${ctx.companyId}, ${id}, 'FH17', 'receiving', ${account}, ${US}, ${house.main}, 'MIXED', 'SEA', 'LOCAL', kit.now())`.execute(
      ctx.db,
    );
    await sql`
      INSERT INTO shipping.ship_order_line (company_id, order_id, line_no, msku, qty, picked_qty, shipped_qty, received_qty,
        label_owner, prep_owner)
      VALUES (${ctx.companyId}, ${id}, 1, 'A-1', 200, 200, 200, ${200 - qty}, 'NONE', 'NONE')`.execute(ctx.db);
  });
}

test('what Amazon receives beyond our own shipments is counted on top, what is only announced is not', async () => {
  await tellStock(world, house, site, {
    fulfillable: 800,
    reserved: 120,
    unsellable: 15,
    receiving: 70,
    shipped: 30,
    working: 500,
  });
  await keep();
  expect(await stages({ stages: ['FBA_INBOUND'] })).toEqual({ FBA_INBOUND: '40×=1040.00-0.00' });
  await tellStock(world, house, site, { fulfillable: 800, reserved: 120, unsellable: 15, receiving: 60 });
  await keep();
  expect(await stages({ stages: ['FBA_INBOUND'] })).toEqual({});
});

test('a stock that two sites tell is counted once, at the cost of the newest that arrived', async () => {
  await brought(world, house, 'B-1', 100, { unit: '10' });
  await shipped(world, house, 'B-1', europe, 'EU', 100, 100);
  await brought(world, house, 'B-1', 50, { unit: '14' });
  await shipped(world, house, 'B-1', europe, 'EU', 50, 50);
  for (const marketplaceId of [DE, FR])
    await tellStock(
      world,
      house,
      { account: europe, marketplaceId, msku: 'b-1' },
      { fulfillable: 70, researching: 10 },
    );
  await keep();
  // 50 at 14 and 30 at 10, shared over 70 and 10 pieces.
  expect(await stages({ accounts: [europe] })).toEqual({
    FBA_FULFILLABLE: '70×=875.00-0.00',
    FBA_RESEARCHING: '10×=125.00-0.00',
  });
});

test('pieces beyond all layers cost what their purchase cost on the day, or nobody knows', async () => {
  await tellStock(world, house, { ...site, msku: 'C-1' }, { fulfillable: 7 });
  await tellStock(world, house, { ...site, msku: 'GHOST' }, { fulfillable: 3 });
  await keep();
  expect(await summed()).toMatchObject({ uncostedSkus: 2, all: { uncosted: 10 } });
  const { records } = await owner.call(listWorth, { body: { filter: { by: 'PRODUCT', uncosted: true } } });
  expect(records.map((row) => `${row.first} ${row.qty} ${row.gross} ${row.source}`).sort()).toEqual([
    'C-1 7 null NONE',
    'GHOST 3 null NONE',
  ]);
  await world.as(owner, (ctx) =>
    sql`INSERT INTO product.sku_cost (company_id, sku, valid_from, unit_cost, updated_by_name)
        VALUES (${ctx.companyId}, 'C-1', ${ctx.clock.today()}::date, 3.5, '测试'),
               (${ctx.companyId}, 'C-1', ${ctx.clock.today()}::date + 1, 99, '测试')`.execute(ctx.db),
  );
  await keep();
  expect(await summed()).toMatchObject({ uncostedSkus: 1, all: { uncosted: 3 } });
  const { records: known } = await owner.call(listWorth, { body: { filter: { by: 'MSKU', keyword: 'C-1' } } });
  expect(known.map((row) => [row.first, money(row.gross), row.source])).toEqual([['C-1', '24.50', 'COST']]);
});

test('own warehouses agree with the ledger, groups add up, a row opens down to its layers', async () => {
  await brought(world, house, 'N-1', 9, {
    unit: '3.3333',
    components: { purchase: '19.9998', localFreight: '9.9999' },
  });
  await brought(world, house, 'N-1', 4, { unit: '5' }, house.overseas);
  await stocked(world, house, 'N-1', 2, '5', house.defective);
  await keep();
  const { all, proof, stages: byStage } = await summed();
  expect(money(proof?.difference)).toBe('0.00');
  const total = (rows: readonly { gross: string | null }[]) =>
    rows.reduce((sum, row) => sum.plus(row.gross ?? 0), new Decimal(0)).toFixed();
  expect(new Decimal(total(byStage)).eq(all.gross ?? 0)).toBe(true);
  for (const by of ['PLACE', 'STORE', 'PRODUCT', 'MSKU', 'BRAND', 'CATEGORY', 'DISPOSITION'] as const) {
    const { records, totals } = await owner.call(listWorth, {
      body: { pagesize: 100, filter: { by, within: 'STAGE' } },
    });
    expect(new Decimal(total(records)).eq(all.gross ?? 0), by).toBe(true);
    expect(money(String(totals?.net))).toBe(money(all.net));
  }
  const { records } = await owner.call(listWorth, {
    body: { filter: { by: 'PRODUCT', within: 'PLACE', keyword: 'n-1', stages: ['LOCAL'] } },
  });
  const [row] = records;
  expect(row).toMatchObject({ first: 'N-1', second: '深圳仓', qty: 9, source: 'LAYER', unitCost: '3.3333' });
  expect([row?.purchase, row?.other].map(money)).toEqual(['20.00', '10.00']);
  const opened = await owner.call(worthDetail, {
    body: {
      filter: { by: 'PRODUCT', within: 'PLACE', stages: ['LOCAL'] },
      firstKey: row?.firstKey ?? '',
      secondKey: row?.secondKey ?? null,
    },
  });
  expect(opened.lines).toHaveLength(1);
  expect(opened.layers.map((layer) => [layer.number, layer.qty, money(layer.amount)]).sort()).toEqual([
    ['RK9', 9, '30.00'],
  ]);
  const whole = await owner.call(worthDetail, {
    body: { filter: { by: 'PRODUCT' }, firstKey: row?.firstKey ?? '', secondKey: null },
  });
  expect(whole.layers.map((layer) => [layer.number, layer.qty, money(layer.amount)]).sort()).toEqual([
    ['QC1', 2, '10.00'],
    ['RK4', 4, '20.00'],
    ['RK9', 9, '30.00'],
  ]);
});

test('who may not see costs sees pieces; who sees one store sees no other stock; nobody sees another company', async () => {
  const picker = await world.member(owner, [VIEW]);
  const { records, totals } = await picker.call(listWorth, { body: { filter: { by: 'PRODUCT' } } });
  expect(records.length).toBeGreaterThan(2);
  expect(records.every((row) => !('gross' in row) && !('unitCost' in row))).toBe(true);
  expect(totals).toEqual({ qty: expect.anything(), uncosted: expect.anything() });
  const hidden = await picker.call(worthSummary, { body: { filter: {} } });
  expect(hidden.all).toEqual({ qty: expect.any(Number), uncosted: expect.any(Number) });
  expect(hidden.proof).toBeNull();
  expect((await picker.send(worthTrend, { body: { from: '2026-11-01', to: '2026-11-18', filter: {} } })).code).not.toBe(
    0,
  );
  expect((await picker.send(listWorth, { body: { sort: 'net', order: 'desc' } })).code).not.toBe(0);
  const seller = await world.member(owner, [VIEW, COST]);
  await world.as(owner, (ctx) =>
    sql`INSERT INTO identity.member_scope (company_id, member_id, dimension, mode, ids)
        VALUES (${ctx.companyId}, ${seller.userId}, 'store', 'LIST', ARRAY[${europeStore}]::uuid[]),
               (${ctx.companyId}, ${seller.userId}, 'warehouse', 'LIST', ARRAY[${house.overseas}]::uuid[])`.execute(
      ctx.db,
    ),
  );
  const seen = await seller.call(listWorth, { body: { filter: { by: 'PLACE' } } });
  expect(seen.records.map((row) => row.first).sort()).toEqual(['欧洲店 欧洲 FBA', '美西仓']);
  const stranger = await world.owner();
  expect((await stranger.call(worthSummary, { body: { filter: {} } })).known).toBe(false);
  expect((await stranger.call(listWorth, { body: {} })).records).toEqual([]);
});

test('the file has the rows of the list, for the day that is asked for', async () => {
  const { raw, status } = await owner.send(exportWorth, { body: { format: 'csv', filter: { by: 'STAGE' } } });
  expect(status).toBe(200);
  expect(raw.toString('utf8')).toContain('FBA可售');
  const unknown = await owner.send(exportWorth, { body: { format: 'csv', filter: { day: '2020-01-01' } } });
  expect(unknown.msg).toBe('当日无库存快照');
});
