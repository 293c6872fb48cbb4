import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conformance } from '../conformance/check.ts';
import { box, DAY, FREIGHT, Inbounder, ownFreight, ownParcel } from './inbound-support.ts';
import { consentedSeller } from './seller-support.ts';
import { listOf } from './wire-support.ts';

const models = conformance();
let way: Inbounder;

beforeAll(async () => {
  way = new Inbounder(await consentedSeller({ watch: models.watch }));
});
afterAll(async () => {
  await way.seller.sandbox.close();
  expect(models.problems()).toEqual([]);
});

describe('from plan to shelf', () => {
  let ids: string[];
  let number: string;

  it('a plan is packed, placed and handed to the carrier', async () => {
    const items = await way.begin([40, 25]);
    expect((await way.plan()).status).toBe('ACTIVE');
    expect(
      listOf((await way.plan('/items')).items).map(({ msku, quantity }) => [String(msku), Number(quantity)]),
    ).toEqual(items.map(({ msku, quantity }) => [msku, quantity]));
    await way.pack();
    expect(listOf((await way.plan('/boxes')).boxes)).toHaveLength(7);
    ids = await way.place(2);
    const shipments = [];
    for (const id of ids) {
      const shipment = await way.plan(`/shipments/${id}`);
      expect(shipment.status).toBe('WORKING');
      shipments.push(shipment);
    }
    expect(new Set(shipments.map(({ destination }) => String(destination?.warehouseId))).size).toBe(2);
    const pieces = [];
    for (const id of ids) pieces.push(...listOf((await way.plan(`/shipments/${id}/items`)).items));
    expect(pieces.reduce((sum, { quantity }) => sum + Number(quantity), 0)).toBe(65);
    await way.transport(ids, ownParcel);
    number = await way.number(ids[0] ?? '');
    expect(number).toMatch(/^FBA15[0-9A-Z]{7}$/);
  });

  it('labels make it ready to ship, tracking ships it', async () => {
    const [id = ''] = ids;
    const boxes = listOf((await way.plan(`/shipments/${id}/boxes`)).boxes);
    expect(String(boxes[0]?.boxId)).toBe(`${number}U000001`);
    const query = { PageType: 'PackageLabel_Thermal_NonPCP', LabelType: 'UNIQUE', PageSize: 100, PageStartIndex: 0 };
    const { payload } = await way.v0(`/shipments/${number}/labels`, query);
    const file = Buffer.from(await (await fetch(String(payload?.DownloadURL))).arrayBuffer()).toString('latin1');
    expect(file.startsWith('%PDF-1.4')).toBe(true);
    expect(file.match(/\/Type \/Page /g)).toHaveLength(boxes.length);
    expect(file).toContain('MediaBox [0 0 288 432]');
    expect((await way.plan(`/shipments/${id}`)).status).toBe('READY_TO_SHIP');
    for (const one of ids) await way.track(one);
    expect((await way.plan(`/shipments/${id}`)).status).toBe('SHIPPED');
    expect((await way.plan()).status).toBe('SHIPPED');
  });

  it('the shipment moves on by the clock, and every piece that is received is in stock and in the ledger', async () => {
    const [id = ''] = ids;
    await way.control({ action: 'settings', chance: false });
    const seen: string[] = [];
    const rounds = new Set<number>();
    for (let hour = 0; hour < 24 * 40; hour += 6) {
      const status = String((await way.plan(`/shipments/${id}`)).status);
      if (seen.at(-1) !== status) seen.push(status);
      rounds.add(Object.values(await way.received(number)).reduce((sum, [, received]) => sum + received, 0));
      await way.advance(DAY / 4);
    }
    expect(seen).toEqual(['SHIPPED', 'IN_TRANSIT', 'DELIVERED', 'CHECKED_IN', 'RECEIVING', 'CLOSED']);
    expect(rounds.size).toBeGreaterThan(2);
    const shipped = await way.received(number);
    const { movements } = way.world.business.fba(way.account, way.home, way.world.now());
    for (const [sku, [, received]] of Object.entries(shipped)) {
      const booked = movements.filter((one) => one.reference === number && one.product.sku === sku);
      expect(booked.reduce((sum, one) => sum + one.quantity, 0)).toBe(received);
      expect(booked.every(({ event }) => event === 'Receipts')).toBe(true);
    }
    expect(way.world.business.audit(way.world.now())).toEqual([]);
  });
});

describe('other ways', () => {
  it('who packs late places first, and tells the boxes by shipment after the transport', async () => {
    const [item] = await way.begin([24]);
    const ids = await way.place(2);
    await way.transport(ids, ownFreight, FREIGHT);
    for (const id of ids) {
      const [twelve] = listOf((await way.plan(`/shipments/${id}/items`)).items);
      expect(twelve?.quantity).toBe(12);
      const tell = (quantity: number) => ({
        packageGroupings: [{ shipmentId: id, boxes: item ? [box([{ ...item, quantity }], { quantity: 2 })] : [] }],
      });
      expect(await way.fails('POST', '/packingInformation', tell(5))).toMatch(
        /^BadRequest: ERROR: Shipment sh.* did not contain/,
      );
      await way.done('POST', '/packingInformation', tell(6));
      expect(await way.fails('POST', '/packingInformation', tell(6))).toMatch(/already confirmed/);
      const trackingDetails = { ltlTrackingDetail: { freightBillNumber: ['PRO1'], billOfLadingNumber: 'BOL1' } };
      await way.done('PUT', `/shipments/${id}/trackingDetails`, { trackingDetails });
      expect(await way.plan(`/shipments/${id}`)).toMatchObject({ status: 'SHIPPED', trackingDetails });
    }
  });

  it('the more warehouses, the less it costs, and nothing is lost in dealing', async () => {
    await way.begin([95, 44, 7]);
    await way.pack();
    await way.done('POST', '/placementOptions', {});
    const offers = listOf((await way.plan('/placementOptions')).placementOptions);
    const amounts = offers.map(({ shipmentIds, fees, discounts }) => [
      listOf(shipmentIds).length,
      ...listOf(fees).map(({ value }) => Number(value?.amount)),
      ...listOf(discounts).map(({ value }) => -Number(value?.amount)),
    ]);
    expect(amounts).toEqual([
      [1, 43.8],
      [2, 20.44],
      [4, -7.3],
    ]);
    for (const { shipmentIds } of offers) {
      const pieces = new Map<string, number>();
      for (const id of listOf(shipmentIds)) {
        const boxed = listOf((await way.plan(`/shipments/${id}/boxes`, { pageSize: 100 })).boxes);
        const told = boxed.flatMap((one) =>
          listOf(one.items).map((item) => Number(item.quantity) * Number(one.quantity)),
        );
        const items = listOf((await way.plan(`/shipments/${id}/items`)).items);
        const sum = items.reduce((all, { quantity }) => all + Number(quantity), 0);
        expect(told.reduce((all, quantity) => all + quantity, 0)).toBe(sum);
        for (const { msku, quantity } of items)
          pieces.set(String(msku), (pieces.get(String(msku)) ?? 0) + Number(quantity));
      }
      expect([...pieces.values()].sort((a, b) => a - b)).toEqual([7, 44, 95]);
    }
  });

  it('contents may stand on a barcode: boxes are dealt, pieces as well as they can be', async () => {
    await way.begin([10]);
    await way.done('POST', '/packingOptions');
    const [option] = listOf((await way.plan('/packingOptions')).packingOptions);
    await way.done('POST', `/packingOptions/${option?.packingOptionId}/confirmation`);
    const boxes = [box([], { contentInformationSource: 'BARCODE_2D', quantity: 3 })];
    const packageGroupings = [{ packingGroupId: listOf(option?.packingGroups)[0], boxes }];
    await way.done('POST', '/packingInformation', { packageGroupings });
    const ids = await way.place(2);
    const dealt = [];
    for (const id of ids)
      dealt.push(listOf((await way.plan(`/shipments/${id}/boxes`)).boxes).map(({ quantity }) => Number(quantity)));
    expect(dealt).toEqual([[2], [1]]);
  });

  it('in Canada nothing is charged for the placement, and a partner from the United States does not come', async () => {
    const north = new Inbounder(way.seller, way.seller.marketplaceIds[1]);
    expect(north.world.marketplace(north.home).countryCode).toBe('CA');
    await north.begin([20]);
    await north.pack();
    await north.done('POST', '/placementOptions', {});
    const offers = listOf((await north.plan('/placementOptions')).placementOptions);
    expect(offers.map(({ fees, discounts }) => [listOf(fees), listOf(discounts)])).toEqual([
      [[], []],
      [[], []],
    ]);
    const [id = ''] = await north.place(1);
    await north.offerTransport([id]);
    const solutions = (await north.transports(id)).map(({ shippingSolution }) => String(shippingSolution));
    expect(new Set(solutions)).toEqual(new Set(['USE_YOUR_OWN_CARRIER']));
  });
});
