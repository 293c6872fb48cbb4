import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainDecimal } from '#kit/contract/decimal.ts';
import {
  type AccountRef,
  fulfilledShipments,
  inventoryByCountry,
  merchantReturns as merchantReader,
  overageFees as overageReader,
  recommendedRemovals,
} from '#modules/marketplace/server/index.ts';
import { DE, JP, makeSellerAccount } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { overageFees } from '../contract/fees.ts';
import { merchantReturns } from '../contract/merchant-returns.ts';
import { shipments } from '../contract/shipments.ts';
import { countryStock, removalAdvice } from '../contract/stock-reports.ts';
import { type Cells, type Load, loading, tsv } from './facts-support.ts';

const UK = 'A1F83G8C2ARO7P';
const FR = 'A13V1IB3VIYZZH';
let world: World;
let owner: Person;
let load: Load;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
  load = loading(world, owner);
});
afterAll(() => world.close());

const inEurope = () => makeSellerAccount(world, owner, { region: 'eu', marketplaceIds: [DE, UK, FR] });
const sitesOf = ({ id }: AccountRef, ...sites: string[]) => ({ sites: sites.map((site) => `${site}-${id}`) });

/** What a table holds of an account, as text: nothing can hide in a column that no list shows. */
async function everything(account: AccountRef, table: string): Promise<string> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ text: string }>`
      SELECT string_agg(t::text, E'\n') AS text FROM ${sql.table(`inventory.${table}`)} AS t
       WHERE company_id = ${ctx.companyId} AND account_id = ${account.id}`.execute(ctx.db);
    return rows[0]?.text ?? '';
  });
}

/** A period of business days of a zone two hours ahead, asked for at some hour. */
const period = (from: string, to: string, at: string) => ({
  from: `${from}T22:00:00.000Z`,
  to: `${to}T22:00:00.000Z`,
  at: `2026-07-01T${at}:00.000Z`,
  wholeDays: true,
});

describe('shipments to buyers', () => {
  // As a German seller gets them: names of some columns and decimal commas are German.
  const COLUMNS = [
    'amazon-order-id',
    'shipment-id',
    'shipment-item-id',
    'purchase-date',
    'shipment-date',
    'reporting-date',
    'buyer-email',
    'buyer-name',
    'buyer-phone-number',
    'Händler-SKU',
    'Produktname',
    'quantity-shipped',
    'currency',
    'item-price',
    'recipient-name',
    'ship-address-1',
    'ship-city',
    'ship-state',
    'ship-postal-code',
    'ship-country',
    'carrier',
    'tracking-number',
    'estimated-arrival-date',
    'fulfillment-center-id',
    'sales-channel',
  ];
  const PRIVATE = {
    'buyer-email': 'kaeufer@example.com',
    'buyer-name': 'Erika Muster',
    'buyer-phone-number': '+49 30 1234567',
    'recipient-name': 'Erika Muster',
    'ship-address-1': 'Musterweg 7',
    'ship-city': 'Potsdam',
    'ship-postal-code': 'D-14467',
  };
  const parcel = (item: string, more: Cells = {}): Cells => ({
    'amazon-order-id': '302-1111111-1111111',
    'shipment-id': 'D1',
    'shipment-item-id': item,
    'purchase-date': '2026-05-31T08:00:00+00:00',
    'shipment-date': '2026-06-01T22:30:00+00:00',
    'reporting-date': '2026-06-01T23:00:00+00:00',
    ...PRIVATE,
    'Händler-SKU': 'A',
    Produktname: 'Größe 1 Flasche',
    'quantity-shipped': 2,
    currency: 'EUR',
    'item-price': '1.299,95',
    'ship-state': 'Brandenburg',
    'ship-country': 'DE',
    carrier: 'DHL',
    'tracking-number': `JJD${item}`,
    'estimated-arrival-date': '2026-06-04T20:00:00+00:00',
    'fulfillment-center-id': 'LEJ1',
    'sales-channel': 'Amazon.de',
    ...more,
  });
  const bring = (account: AccountRef, rows: readonly Cells[]) =>
    load(account, fulfilledShipments.type, tsv(COLUMNS, rows), period('2026-05-31', '2026-06-30', '10:00'), [
      DE,
      UK,
      FR,
    ]);

  it('of all sites of an account stand in one report, each on the day of its site, and without the buyer', async () => {
    const account = await inEurope();
    const british = parcel('I2', { 'sales-channel': 'Amazon.co.uk', currency: 'GBP', 'ship-country': 'GB' });
    const elsewhere = parcel('I3', { 'sales-channel': 'Non-Amazon DE' });
    const bad = parcel('I4', { 'quantity-shipped': 'drei' });
    const counts = await bring(account, [parcel('I1'), british, elsewhere, bad]);
    expect(counts).toMatchObject({ rowsIn: 4, inserted: 3, quarantined: 1 });
    expect(counts.refused).toEqual([{ lineNo: 5, reason: expect.stringContaining('不是整数') }]);

    const body = { filter: sitesOf(account, DE, UK, FR), sort: 'product', order: 'asc' as const };
    const { records, totals } = await owner.call(shipments.list, { body });
    expect(records.map((row) => [row.tracking, row.day, row.store.country]).sort()).toEqual([
      ['JJDI1', '2026-06-02', 'DE'],
      ['JJDI2', '2026-06-01', 'UK'],
      ['JJDI3', '2026-06-02', 'DE'],
    ]);
    expect(totals).toEqual({ quantity: 6 });
    const found = await owner.call(shipments.list, { body: { filter: { ...body.filter, keyword: 'jjdi1' } } });
    expect(found.records).toMatchObject([
      {
        orderId: '302-1111111-1111111',
        shippedAt: '2026-06-01T22:30:00.000Z',
        arrivesAt: '2026-06-04T20:00:00.000Z',
        product: { code: 'A', name: 'Größe 1 Flasche' },
        centre: 'LEJ1',
        carrier: 'DHL',
        country: 'DE',
        state: 'Brandenburg',
        currency: 'EUR',
      },
    ]);
    expect(plainDecimal(found.records[0]?.goodsAmount ?? '')).toBe('1299.95');
    const held = await everything(account, 'fulfilled_shipment');
    expect(held).toContain('LEJ1');
    for (const word of Object.values(PRIVATE)) expect(held).not.toContain(word);
  });

  it('told twice change nothing; of two versions the one that was reported later holds', async () => {
    const account = await inEurope();
    const first = [parcel('I1'), parcel('I2', { 'tracking-number': '' })];
    expect(await bring(account, first)).toMatchObject({ inserted: 2 });
    const before = await everything(account, 'fulfilled_shipment');
    expect(await bring(account, [...first].reverse())).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
    expect(await everything(account, 'fulfilled_shipment')).toBe(before);

    const later = { 'reporting-date': '2026-06-02T06:00:00+00:00' };
    expect(await bring(account, [parcel('I2', { ...later, 'tracking-number': 'NEU' })])).toMatchObject({ updated: 1 });
    expect(await bring(account, first)).toMatchObject({ inserted: 0, updated: 0 });
    const { records } = await owner.call(shipments.list, { body: { filter: sitesOf(account, DE) } });
    expect(records.map((row) => row.tracking).sort()).toEqual(['JJDI1', 'NEU']);
  });

  it('are shown without amounts to whoever may not see them, and not at all to another company', async () => {
    const account = await inEurope();
    await bring(account, [parcel('I1')]);
    const viewer = await world.member(owner, ['amz:inventory:view']);
    const body = { filter: sitesOf(account, DE) };
    const { records } = await viewer.call(shipments.list, { body });
    expect(records).toHaveLength(1);
    expect(records[0]).not.toHaveProperty('goodsAmount');
    const stranger = await world.owner('别家');
    expect((await stranger.call(shipments.list, { body })).total).toBe(0);
    const blind = await world.member(owner, ['amz:listing:view']);
    expect((await blind.send(shipments.list, { body })).status).toBe(403);
  });
});

describe('stock by country', () => {
  const COLUMNS = [
    'Händler-SKU',
    'fulfillment-channel-sku',
    'asin',
    'condition-type',
    'country',
    'quantity-for-local-fulfillment',
  ];
  const lying = (country: string, quantity: number | string): Cells => ({
    'Händler-SKU': 'A',
    'fulfillment-channel-sku': 'X1',
    asin: 'B000000001',
    'condition-type': 'NewItem',
    country,
    'quantity-for-local-fulfillment': quantity,
  });
  const at = (time: string) => ({ from: time, to: time, at: time, wholeDays: true });

  it('is that of the newest report, wherever the goods lie; earlier days can be looked at', async () => {
    const account = await inEurope();
    const bring = (rows: readonly Cells[], time: string) =>
      load(account, inventoryByCountry.type, tsv(COLUMNS, rows), at(time), [DE, UK, FR]);
    const first = [lying('DE', 7), lying('PL', '1.000'), lying('FR', ''), lying('GB', 4)];
    expect(await bring(first, '2026-06-01T10:00:00Z')).toMatchObject({ inserted: 3, quarantined: 1 });
    expect(await bring(first, '2026-06-01T10:00:00Z')).toMatchObject({ inserted: 0, updated: 0, unchanged: 3 });
    await bring([lying('DE', 6), lying('CZ', 3)], '2026-06-02T10:00:00Z');

    const filter = sitesOf(account, DE, UK, FR, 'A1C3SOZRARQ6R3');
    const list = async (more: object) => {
      const { records, totals } = await owner.call(countryStock.list, { body: { filter: { ...filter, ...more } } });
      return [records.map((row) => `${row.country} ${row.localQuantity}`).sort(), totals];
    };
    expect(await list({})).toEqual([['CZ 3', 'DE 6'], { localQuantity: 9 }]);
    expect(await list({ dates: { from: '2026-06-01', to: '2026-06-01' } })).toEqual([
      ['DE 7', 'GB 4', 'PL 1000'],
      { localQuantity: 1011 },
    ]);
    expect(await list({ countries: ['CZ'] })).toEqual([['CZ 3'], { localQuantity: 3 }]);
  });
});

describe('returns to the seller', () => {
  const COLUMNS = [
    'Order ID',
    'Order date',
    'Return request date',
    'Return request status',
    'Amazon RMA ID',
    'Label cost',
    'Currency code',
    'Return carrier',
    'Tracking ID',
    'A-to-Z Claim',
    'ASIN',
    'Merchant SKU',
    'Item Name',
    'Return quantity',
    'Return Reason',
    'In policy',
    'Return delivery date',
    'Order Amount',
    'Refunded Amount',
  ];
  const back = (rma: string, more: Cells = {}): Cells => ({
    'Order ID': '302-2222222-2222222',
    'Order date': '28-May-2026',
    'Return request date': '10-Jun-2026',
    'Return request status': 'Approved',
    'Amazon RMA ID': rma,
    'Label cost': '4,14',
    'Currency code': 'EUR',
    'Return carrier': 'DHL',
    'Tracking ID': '9202',
    'A-to-Z Claim': 'N',
    ASIN: 'B000000001',
    'Merchant SKU': 'A',
    'Item Name': 'Flasche',
    'Return quantity': 1,
    'Return Reason': 'CR-DEFECTIVE',
    'In policy': 'Y',
    'Order Amount': '21,38',
    ...more,
  });
  const bring = (account: AccountRef, rows: readonly Cells[], hour: string, site = DE) =>
    load(account, merchantReader.type, tsv(COLUMNS, rows), period('2026-05-31', '2026-06-30', hour), [site]);

  it('move on from report to report, also those without an RMA; a row that cannot be read waits aside', async () => {
    const account = await inEurope();
    const returnless = back('', { 'Tracking ID': '', 'Label cost': '' });
    const other = back('', { 'Tracking ID': '', 'Label cost': '', 'Merchant SKU': 'B' });
    const bad = back('D9', { 'Return request date': '31-Jun-2026' });
    const rows = [back('D1'), returnless, other, bad];
    expect(await bring(account, rows, '10:00')).toMatchObject({ rowsIn: 4, inserted: 3, quarantined: 1 });
    expect(await bring(account, rows, '10:30')).toMatchObject({ inserted: 0, updated: 0, unchanged: 3 });

    const done = {
      'Return request status': 'Completed',
      'Refunded Amount': '21,38',
      'Return delivery date': '15-Jun-2026',
    };
    expect(await bring(account, [back('D1', done), returnless, other], '12:00')).toMatchObject({
      inserted: 0,
      updated: 1,
    });
    // Asked for earlier, and only now delivered: it knows less.
    expect(await bring(account, rows, '11:00')).toMatchObject({ inserted: 0, updated: 0 });

    const filter = sitesOf(account, DE);
    const { records, totals } = await owner.call(merchantReturns.list, { body: { filter } });
    expect(totals).toEqual({ quantity: 3 });
    expect(records.map((row) => `${row.rma} ${row.product.code} ${row.returnState}`).sort()).toEqual([
      ' A Approved',
      ' B Approved',
      'D1 A Completed',
    ]);
    const found = await owner.call(merchantReturns.list, { body: { filter: { ...filter, states: ['Completed'] } } });
    expect(found.records).toMatchObject([
      { day: '2026-06-10', orderedOn: '2026-05-28', deliveredOn: '2026-06-15', reason: 'CR-DEFECTIVE', claim: 'N' },
    ]);
    const [row] = found.records;
    expect([row?.labelCost, row?.orderAmount, row?.refundedAmount].map((one) => plainDecimal(one ?? ''))).toEqual([
      '4.14',
      '21.38',
      '21.38',
    ]);
  });

  it('without an RMA are known by their order and product: each keeps its name when the others are taken back', async () => {
    const account = await inEurope();
    const [one, other] = [back(''), back('', { 'Merchant SKU': 'B' })];
    const names = async () => {
      const { records } = await owner.call(merchantReturns.list, { body: { filter: sitesOf(account, DE) } });
      return Object.fromEntries(records.map(({ id, product }) => [product.code, id]));
    };
    await bring(account, [one, other], '10:00');
    const both = await names();
    await bring(account, [one], '11:00');
    expect(await names()).toEqual({ A: both.A });
    await bring(account, [other], '12:00');
    expect(await names()).toEqual({ B: both.B });
  });

  it('of one site leave those of its neighbour alone, though they share a stock', async () => {
    const account = await inEurope();
    await bring(account, [back('D1')], '10:00');
    await bring(account, [back('F1', { 'Order ID': '404-2222222-2222222' })], '11:00', FR);
    const { records } = await owner.call(merchantReturns.list, { body: { filter: sitesOf(account, DE, FR) } });
    expect(records.map((row) => `${row.rma} ${row.store.country}`).sort()).toEqual(['D1 DE', 'F1 FR']);
  });
});

it('what Amazon would have taken away is read from a Japanese report, and is gone once the newest has it no more', async () => {
  const account = await makeSellerAccount(world, owner, { region: 'fe', marketplaceIds: [JP] });
  const columns = [
    'snapshot-date',
    '出品者SKU',
    'fnsku',
    'asin',
    '商品名',
    'コンディション',
    'sellable-quantity',
    'sellable-365+-days',
    'sellable-removal-quantity',
    'unsellable-quantity',
    'unsellable-8-60-days',
  ];
  const row = (sku: string, old: number, unsellable: number | string): Cells => ({
    'snapshot-date': '2026/06/01',
    出品者SKU: sku,
    fnsku: `X-${sku}`,
    商品名: '水筒',
    コンディション: 'New',
    'sellable-quantity': 20,
    'sellable-365+-days': old,
    'sellable-removal-quantity': old,
    'unsellable-quantity': unsellable,
    'unsellable-8-60-days': unsellable,
  });
  const bring = (rows: readonly Cells[], day: string) => {
    const time = `${day}T03:00:00Z`;
    const asked = { from: time, to: time, at: time, wholeDays: true };
    return load(account, recommendedRemovals.type, tsv(columns, rows), asked, [JP]);
  };
  const first = [row('A', 5, 2), row('B', 0, 3), row('C', 0, 'x')];
  expect(await bring(first, '2026-06-01')).toMatchObject({ inserted: 2, quarantined: 1 });
  expect(await bring(first, '2026-06-01')).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  const filter = sitesOf(account, JP);
  const list = () => owner.call(removalAdvice.list, { body: { filter, sort: 'sellableRemoval', order: 'desc' } });
  const { records, totals } = await list();
  expect(records).toMatchObject([
    { product: { code: 'A', name: '水筒' }, sellable: 20, sellable365: 5, sellableRemoval: 5, unsellable: 2 },
    { product: { code: 'B' }, sellableRemoval: 0, unsellable: 3, unsellable8: 3 },
  ]);
  expect(totals).toMatchObject({ sellableRemoval: 5, unsellable: 5 });
  await bring([row('B', 0, 1)], '2026-06-02');
  expect((await list()).records).toMatchObject([{ day: '2026-06-02', product: { code: 'B' }, unsellable: 1 }]);
});

it('fees for too much volume are dated the American way, under both names of their columns; no fee is no row', async () => {
  const account = await makeSellerAccount(world, owner, { region: 'fe', marketplaceIds: [JP] });
  const columns = (usage: string, limit: string) => [
    'charged_date',
    'country_code',
    'storage_type',
    'charge_rate',
    usage,
    limit,
    'overage_volume',
    'volume_unit',
    'charged_fee_amount',
    'currency_code',
  ];
  const row = (day: string, fee: string): Cells => ({
    charged_date: day,
    country_code: 'JP',
    storage_type: 'Sortable',
    charge_rate: '1000',
    capacity_usage_volume: '600',
    capacity_limit: '500',
    storage_usage_volume: '600',
    storage_limit_volume: '500',
    overage_volume: '100',
    volume_unit: 'cubic feet',
    charged_fee_amount: fee,
    currency_code: 'JPY',
  });
  const bring = (names: string[], rows: readonly Cells[], hour: string) => {
    const asked = {
      from: '2026-05-31T15:00:00.000Z',
      to: '2026-06-30T15:00:00.000Z',
      at: `2026-07-03T${hour}:00.000Z`,
      wholeDays: true,
    };
    return load(account, overageReader.type, tsv(names, rows), asked, [JP]);
  };
  const rows = [row('6/2/2026', '3333.33'), row('6/12/2026', '3333.33'), row('6/13/2026', '')];
  const named = columns('capacity_usage_volume', 'capacity_limit');
  expect(await bring(named, rows, '10:00')).toMatchObject({ inserted: 2, quarantined: 1 });
  const older = columns('storage_usage_volume', 'storage_limit_volume');
  expect(await bring(older, rows, '11:00')).toMatchObject({ inserted: 0, updated: 0, unchanged: 2 });
  const { records } = await owner.call(overageFees.list, {
    body: { filter: sitesOf(account, JP), sort: 'day', order: 'asc' },
  });
  expect(records).toMatchObject([
    { day: '2026-06-02', usage: '600', volumeLimit: '500', overage: '100', currency: 'JPY' },
    { day: '2026-06-12' },
  ]);
  expect(plainDecimal(records[0]?.overageFee ?? '')).toBe('3333.33');
});
