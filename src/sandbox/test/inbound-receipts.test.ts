import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformance } from '../conformance/check.ts';
import { Inbounder, partnerParcel } from './inbound-support.ts';
import { consentedSeller } from './seller-support.ts';
import { DAY, HOUR, type Json, listOf, rowsOf } from './wire-support.ts';

const models = conformance();
let way: Inbounder;

beforeAll(async () => {
  way = new Inbounder(await consentedSeller({ watch: models.watch }));
  await way.control({ action: 'settings', chance: false });
});
afterAll(async () => {
  expect(way.world.business.audit(way.world.now())).toEqual([]);
  await way.seller.sandbox.close();
  expect(models.problems()).toEqual([]);
});

/** Rows of a flat-file report over the last sixty days. */
async function report(reportType: string): Promise<Record<string, string>[]> {
  const path = '/reports/2021-06-30';
  const until = way.world.now();
  const period = {
    dataStartTime: new Date(until - 60 * DAY).toISOString(),
    dataEndTime: new Date(until).toISOString(),
  };
  const wish = { reportType, marketplaceIds: [way.home], ...period };
  const { reportId } = await way.seller.good({ method: 'POST', path: `${path}/reports`, body: wish });
  const { reportDocumentId } = await way.seller.good({ method: 'GET', path: `${path}/reports/${reportId}` });
  const { url } = await way.seller.good({ method: 'GET', path: `${path}/documents/${reportDocumentId}` });
  return rowsOf(gunzipSync(await (await fetch(String(url))).arrayBuffer()).toString('utf8'));
}

async function stock(msku: string): Promise<Json> {
  const query = { granularityType: 'Marketplace', granularityId: way.home, marketplaceIds: way.home, details: true };
  const { payload } = await way.seller.good({
    method: 'GET',
    path: '/fba/inventory/v1/summaries',
    query: { ...query, sellerSkus: msku },
  });
  return listOf(payload?.inventorySummaries)[0]?.inventoryDetails ?? {};
}

const inboundOf = (details: Json) =>
  ['inboundWorkingQuantity', 'inboundShippedQuantity', 'inboundReceivingQuantity'].map((name) => Number(details[name]));

describe('what is found when a shipment is counted', () => {
  it('three are missing: they are never received, and are paid for', async () => {
    const [id = ''] = await way.sendOff([40, 25]);
    const number = await way.number(id);
    const [first = '', second = ''] = Object.keys(await way.received(number));
    const view = await way.control({ action: 'found', shipment: number, lines: [{ msku: first, missing: 3 }] });
    expect(listOf(view.plans).length).toBeGreaterThan(0);
    await way.control({ action: 'move', shipment: id, status: 'CLOSED' });
    await way.advance(HOUR);
    expect((await way.plan(`/shipments/${id}`)).status).toBe('CLOSED');
    expect(await way.received(number)).toEqual({ [first]: [40, 37], [second]: [25, 25] });
    const ledger = (await report('GET_LEDGER_DETAIL_VIEW_DATA')).filter((row) => Object.values(row).includes(number));
    const receipts = ledger.filter((row) => row['Event Type'] === 'Receipts' && row.MSKU === first);
    expect(receipts.reduce((sum, row) => sum + Number(row.Quantity), 0)).toBe(37);
    const lost = () =>
      way.world.business
        .fba(way.account, way.home, way.world.now())
        .reimbursements.filter(({ reason }) => reason === 'Lost_Inbound');
    expect(lost()).toEqual([]);
    await way.advance(17 * DAY);
    const paid = (await report('GET_FBA_REIMBURSEMENTS_DATA')).filter((row) => row.reason === 'Lost_Inbound');
    expect(paid.map((row) => [row.sku, row['quantity-reimbursed-total']])).toEqual([[first, '3']]);
    expect(Number(paid[0]?.['amount-total'])).toBeCloseTo(3 * Number(paid[0]?.['amount-per-unit']), 2);
    const { payload } = await way.seller.good({
      method: 'GET',
      path: '/finances/2024-06-19/transactions',
      query: { postedAfter: new Date(way.world.now() - 3 * DAY).toISOString() },
    });
    expect(JSON.stringify(payload?.transactions)).toContain('MISSING_FROM_INBOUND');
    await way.advance(30 * DAY);
    expect(lost()).toHaveLength(1);
  });

  it('damaged pieces are received, but not for sale; what was not announced is found too', async () => {
    const [id = ''] = await way.sendOff([30, 10]);
    const number = await way.number(id);
    const [first = '', second = ''] = Object.keys(await way.received(number));
    const stranger = way.offers()[3]?.product.sku ?? '';
    const lines = [
      { msku: first, damaged: 4 },
      { msku: second, extra: 2 },
      { msku: stranger, received: 1 },
    ];
    await way.control({ action: 'found', shipment: number, lines });
    await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
    await way.advance(HOUR);
    expect(await way.received(number)).toEqual({ [first]: [30, 30], [second]: [10, 12], [stranger]: [0, 1] });
    const { movements } = way.world.business.fba(way.account, way.home, way.world.now());
    const damaged = movements.filter((one) => one.reference === number && one.disposition === 'CARRIER_DAMAGED');
    expect(damaged.map(({ product, quantity, event }) => [product.sku, quantity, event])).toEqual([
      [first, 4, 'Receipts'],
    ]);
  });

  it('inventory shows what is announced, on the road and at the dock, until it is received', async () => {
    const [item] = await way.begin([20]);
    const msku = item?.msku ?? '';
    const before = inboundOf(await stock(msku));
    const beside = async () => inboundOf(await stock(msku)).map((pieces, index) => pieces - (before[index] ?? 0));
    await way.pack();
    const [id = ''] = await way.place(1);
    expect(await beside()).toEqual([20, 0, 0]);
    await way.transport([id], partnerParcel);
    await way.control({ action: 'move', shipment: id, status: 'IN_TRANSIT' });
    expect(await beside()).toEqual([0, 20, 0]);
    await way.control({ action: 'move', shipment: id, status: 'DELIVERED' });
    expect(await beside()).toEqual([0, 0, 20]);
    const stockBefore = Number((await stock(msku)).fulfillableQuantity);
    await way.control({ action: 'move', shipment: id, status: 'CLOSED' });
    await way.advance(1000);
    expect(await beside()).toEqual([0, 0, 0]);
    expect(Number((await stock(msku)).fulfillableQuantity)).toBeGreaterThan(stockBefore);
  });

  it('a shipment that is closed may still be counted anew: what turns up late is received', async () => {
    const [id = ''] = await way.sendOff([16]);
    const number = await way.number(id);
    const [msku = ''] = Object.keys(await way.received(number));
    await way.control({ action: 'found', shipment: number, lines: [{ msku, missing: 5 }] });
    await way.control({ action: 'move', shipment: number, status: 'CLOSED' });
    await way.advance(2 * DAY);
    expect(await way.received(number)).toEqual({ [msku]: [16, 11] });
    await way.control({ action: 'found', shipment: number, lines: [{ msku, missing: 1 }] });
    await way.advance(HOUR);
    expect(await way.received(number)).toEqual({ [msku]: [16, 15] });
  });
});

describe('what it costs', () => {
  it('the partner is paid after he fetched the goods, the placement long after they arrived', async () => {
    await way.begin([50]);
    await way.pack();
    const [id = ''] = await way.place(1);
    const { fees } = listOf((await way.plan('/placementOptions')).placementOptions)[0] ?? {};
    expect(listOf(fees)[0]?.value).toEqual({ amount: 15, code: 'USD' });
    const from = way.world.now();
    await way.transport([id], partnerParcel);
    const { quote } = (await way.transports(id)).find(partnerParcel) ?? {};
    const paid = () => {
      const period = { from, to: way.world.now() + 1, marketplaceId: way.home };
      const lines = way.world.business.transactions(way.account, period, way.world.now());
      // Other shipments' placements are charged in these days too, each with its own amount.
      const names = ['FBAInboundTransportationFee', 'InventoryPlacementServiceFees'];
      return lines
        .filter(
          ({ description, total }) => description === names[0] || (description === names[1] && total === '-15.00'),
        )
        .map(({ description, total }) => [description, total]);
    };
    expect(paid()).toEqual([]);
    await way.advance(4 * DAY);
    const transport = ['FBAInboundTransportationFee', `-${Number(quote?.cost?.amount).toFixed(2)}`];
    expect(paid()).toEqual([transport]);
    expect((await way.plan(`/shipments/${id}`)).status).not.toBe('READY_TO_SHIP');
    await way.control({ action: 'move', shipment: id, status: 'RECEIVING' });
    await way.advance(44 * DAY);
    expect(paid()).toEqual([transport]);
    await way.advance(2 * DAY);
    expect(paid()).toEqual([transport, ['InventoryPlacementServiceFees', '-15.00']]);
  });
});

describe('shipments in lists', () => {
  it('are found by status, number and time of their last change, page by page', async () => {
    const [id = ''] = await way.sendOff([4]);
    const number = await way.number(id);
    const site = { MarketplaceId: way.home };
    const numbers = async (query: Record<string, unknown>) =>
      listOf((await way.v0('/shipments', { ...site, ...query })).payload?.ShipmentData).map(({ ShipmentId }) =>
        String(ShipmentId),
      );
    expect(await numbers({ QueryType: 'SHIPMENT', ShipmentStatusList: 'SHIPPED' })).toEqual([number]);
    expect(await numbers({ QueryType: 'SHIPMENT', ShipmentIdList: number, ShipmentStatusList: 'CLOSED' })).toEqual([]);
    const range = (from: number) => ({
      QueryType: 'DATE_RANGE',
      LastUpdatedAfter: new Date(way.world.now() + from).toISOString(),
      LastUpdatedBefore: new Date(way.world.now()).toISOString(),
    });
    expect(await numbers(range(-1000))).toEqual([number]);
    await way.advance(5 * DAY);
    expect(await numbers(range(-HOUR))).toEqual([]);
    way.world.faults.add({ kind: 'emptyPage', operation: 'getShipments', count: 1 });
    const { payload } = await way.v0('/shipments', { ...site, QueryType: 'SHIPMENT' });
    expect(listOf(payload?.ShipmentData)).toEqual([]);
    expect((await numbers({ QueryType: 'NEXT_TOKEN', NextToken: payload?.NextToken })).length).toBeGreaterThan(3);
  });

  it('what was called off before it left is deleted, after that cancelled', async () => {
    await way.begin([4]);
    await way.pack();
    const [id = ''] = await way.place(1);
    const early = await way.number(id);
    await way.control({ action: 'cancelPlan', inboundPlanId: way.planId });
    expect((await way.plan()).status).toBe('VOIDED');
    const [gone = ''] = await way.sendOff([4]);
    const late = await way.number(gone);
    await way.control({ action: 'cancelShipment', shipment: gone });
    const { payload } = await way.v0('/shipments', {
      QueryType: 'SHIPMENT',
      MarketplaceId: way.home,
      ShipmentIdList: [early, late],
    });
    const states = listOf(payload?.ShipmentData).map((one) => [String(one.ShipmentId), String(one.ShipmentStatus)]);
    expect(states).toEqual([
      [early, 'DELETED'],
      [late, 'CANCELLED'],
    ]);
    await way.advance(20 * DAY);
    expect(Object.values(await way.received(late))).toEqual([[4, 0]]);
  });
});
