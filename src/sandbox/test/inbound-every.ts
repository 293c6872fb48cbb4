import { expect } from 'vitest';
import { ADDRESS, FREIGHT, type Inbounder, ownParcel, partnerFreight } from './inbound-support.ts';
import { DAY, type Json, listOf } from './wire-support.ts';

/** Calls every operation about inbound shipments at least once, with success. */
export async function callEveryInbound(way: Inbounder): Promise<void> {
  await planAndShip(way);
  await products(way);
  await freight(way);
  await way.begin([3]);
  await way.done('PUT', '/cancellation');
  const { inboundPlans } = await way.read('/inboundPlans', {
    status: 'VOIDED',
    sortBy: 'CREATION_TIME',
    sortOrder: 'DESC',
  });
  expect(String(listOf(inboundPlans)[0]?.inboundPlanId)).toBe(way.planId);
}

async function planAndShip(way: Inbounder): Promise<void> {
  await way.begin([12, 9]);
  await way.send('PUT', `/inboundPlans/${way.planId}/name`, { name: 'Renamed' });
  expect((await way.plan()).name).toBe('Renamed');
  await way.pack();
  const [option] = listOf((await way.plan('/packingOptions')).packingOptions);
  const [group] = listOf(option?.packingGroups);
  expect(listOf((await way.plan(`/packingGroups/${group}/boxes`)).boxes).length).toBeGreaterThan(0);
  await way.plan('/items');
  await way.plan('/boxes', { pageSize: 1 });
  const [id = ''] = await way.place(1);
  const shipment = `/shipments/${id}`;
  await way.send('PUT', `/inboundPlans/${way.planId}${shipment}/name`, { name: 'First' });
  expect((await way.plan(shipment)).name).toBe('First');
  await way.done('PUT', `${shipment}/sourceAddress`, { address: { ...ADDRESS, city: 'Ontario' } });
  const items = listOf((await way.plan(`${shipment}/items`)).items);
  await way.transport([id], ownParcel);
  await way.plan(`${shipment}/pallets`);
  await contents(way, shipment, items);
  const number = await way.number(id);
  const labels = { PageType: 'PackageLabel_Letter_6', LabelType: 'BARCODE_2D' };
  await way.v0(`/shipments/${number}/labels`, labels);
  await way.track(id);
  await way.v0('/shipments', { QueryType: 'SHIPMENT', MarketplaceId: way.home, ShipmentIdList: [number] });
  await way.v0(`/shipments/${number}/items`, { MarketplaceId: way.home });
  const LastUpdatedAfter = new Date(way.world.now() - DAY).toISOString();
  const LastUpdatedBefore = new Date(way.world.now() + DAY).toISOString();
  const range = { QueryType: 'DATE_RANGE', MarketplaceId: way.home, LastUpdatedAfter, LastUpdatedBefore };
  await way.v0('/shipmentItems', range);
}

async function contents(way: Inbounder, shipment: string, items: readonly Json[]): Promise<void> {
  const path = `${shipment}/contentUpdatePreviews`;
  const packed = items.flatMap((item) => way.boxed(item));
  const said = listOf(packed).flatMap((one) => listOf(one.items));
  await way.done('POST', path, { boxes: packed, items: merged(said) });
  const [preview] = listOf((await way.plan(path)).contentUpdatePreviews);
  const one = `${path}/${preview?.contentUpdatePreviewId}`;
  expect((await way.plan(one)).contentUpdatePreviewId).toBe(preview?.contentUpdatePreviewId);
  await way.done('POST', `${one}/confirmation`);
}

/** Items of several boxes, each product once. */
export function merged(items: readonly Json[]): object[] {
  const bySku = Map.groupBy(items, ({ msku }) => String(msku));
  return [...bySku.values()].map((same) => ({
    ...same[0],
    quantity: same.reduce((sum, { quantity }) => sum + Number(quantity), 0),
  }));
}

async function products(way: Inbounder): Promise<void> {
  const [offer] = way.offers();
  const msku = offer?.product.sku ?? '';
  const site = { marketplaceId: way.home };
  const query = { ...site, mskus: [msku] };
  const mskuPrepDetails = [{ msku, prepCategory: 'TEXTILE', prepTypes: ['ITEM_LABELING', 'ITEM_POLYBAGGING'] }];
  const set = await way.ask('POST', '/items/prepDetails', { ...site, mskuPrepDetails });
  expect(set.operationStatus).toBe('SUCCESS');
  expect(listOf((await way.read('/items/prepDetails', query)).mskuPrepDetails)[0]).toMatchObject({
    prepCategory: 'TEXTILE',
    prepOwnerConstraint: 'SELLER_ONLY',
  });
  const taxDetails = { hsnCode: '720299', declaredValue: { amount: 5, code: 'USD' } };
  await way.ask('PUT', '/items/compliance', { msku, taxDetails }, site);
  const [known] = listOf((await way.read('/items/compliance', query)).complianceDetails);
  expect(known?.taxDetails).toEqual(taxDetails);
  const wish = { ...site, labelType: 'STANDARD_FORMAT', pageType: 'A4_21', mskuQuantities: [{ msku, quantity: 30 }] };
  const { body } = await way.send('POST', '/items/labels', wish);
  const file = await (await fetch(String(listOf(body.documentDownloads)[0]?.uri))).text();
  expect(file.match(/\/Type \/Page /g)).toHaveLength(2);
  await way.v0('/prepInstructions', {
    ShipToCountryCode: 'US',
    SellerSKUList: [msku],
    ASINList: [offer?.product.asin],
  });
}

async function freight(way: Inbounder): Promise<void> {
  await way.begin([20]);
  await way.pack();
  const [id = ''] = await way.place(1);
  await way.transport([id], partnerFreight, FREIGHT);
  expect(listOf((await way.plan('/pallets')).pallets)).toHaveLength(1);
  const { payload } = await way.v0(`/shipments/${await way.number(id)}/billOfLading`);
  expect((await fetch(String(payload?.DownloadURL))).headers.get('content-type')).toBe('application/pdf');
}
