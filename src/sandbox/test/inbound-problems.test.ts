import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conformance } from '../conformance/check.ts';
import { box, FREIGHT, Inbounder, type Item, ownFreight, ownParcel, partnerParcel } from './inbound-support.ts';
import { consentedSeller } from './seller-support.ts';
import { DAY, HOUR, type Json, listOf } from './wire-support.ts';

const models = conformance();
let way: Inbounder;

beforeAll(async () => {
  way = new Inbounder(await consentedSeller({ watch: models.watch }));
});
beforeEach(() => {
  way.world.inbound.settings.chance = false;
});
afterAll(async () => {
  await way.seller.sandbox.close();
  expect(models.problems()).toEqual([]);
});

const shipmentOf = (id: string) => `/shipments/${id}`;

/** The problem that a new plan fails with. */
async function failsToBegin(items: readonly object[], more: object = {}): Promise<Json[]> {
  const { status, body } = await way.create(items, more);
  expect(status, JSON.stringify(body)).toBe(202);
  const end = await way.status(body.operationId);
  expect(end.operationStatus, JSON.stringify(end)).toBe('FAILED');
  expect((await way.read(`/inboundPlans/${body.inboundPlanId}`)).status).toBe('ERRORED');
  return listOf(end.operationProblems);
}

/** A product of the seller by how it is to be prepared. */
async function classified(index: number, prepCategory: string, ...prepTypes: string[]): Promise<string> {
  const msku = way.offers()[index]?.product.sku ?? '';
  const set = { marketplaceId: way.home, mskuPrepDetails: [{ msku, prepCategory, prepTypes }] };
  expect((await way.ask('POST', '/items/prepDetails', set)).operationStatus).toBe('SUCCESS');
  return msku;
}

describe('a plan', () => {
  it('is refused at once for a body that is wrong, and for owners that do not fit', async () => {
    const item = (await way.items([{ msku: way.offers()[0]?.product.sku ?? '', quantity: 3 }]))[0];
    const refused: [readonly object[], object, RegExp][] = [
      [[], {}, /items/],
      [[{ ...item, quantity: 500_001 }], {}, /quantity/],
      [[{ ...item, labelOwner: undefined }], {}, /labelOwner/],
      [[item, item].map((one) => ({ ...one })), {}, /Duplicate MSKU/],
      [[{ ...item }], { name: 'x'.repeat(41) }, /name/],
      [[{ ...item }], { sourceAddress: { name: 'a' } }, /sourceAddress/],
      [[{ ...item }], { destinationMarketplaces: ['A1PA6795UKMFR9'] }, /destinationMarketplace/],
    ];
    for (const [items, more, words] of refused) {
      const { status, body } = await way.create(items, more);
      expect([status, words.test(JSON.stringify(body))], JSON.stringify(body)).toEqual([400, true]);
    }
    const fragile = await classified(0, 'FRAGILE', 'ITEM_LABELING', 'ITEM_BUBBLEWRAP');
    const plain = await classified(1, 'NONE', 'ITEM_NO_PREP');
    const { status, body } = await way.create([
      { msku: fragile, quantity: 1, prepOwner: 'NONE', labelOwner: 'AMAZON' },
      { msku: plain, quantity: 1, prepOwner: 'SELLER', labelOwner: 'NONE' },
    ]);
    expect(status).toBe(400);
    expect(listOf(body.errors).map(({ message }) => String(message))).toEqual([
      `ERROR: ${fragile} requires prepOwner but NONE was assigned. Accepted values: [SELLER]`,
      `ERROR: ${fragile} requires labelOwner but AMAZON was assigned. Accepted values: [SELLER]`,
      `ERROR: ${plain} does not require prepOwner but SELLER was assigned. Accepted values: [NONE]`,
    ]);
  });

  it('fails for products that are unknown, unclassified or too old, and for too many pieces', async () => {
    const stranger = { msku: 'NOBODY', quantity: 2, prepOwner: 'NONE', labelOwner: 'NONE' };
    expect((await failsToBegin([stranger]))[0]).toMatchObject({
      code: 'FBA_INB_0006',
      severity: 'ERROR',
      details: "There's an input error with the resource 'NOBODY'.",
    });
    const { sellerId: sellingPartnerId } = way.seller;
    const msku = way.offers()[2]?.product.sku ?? '';
    const unknown = { category: 'UNKNOWN', types: ['ITEM_LABELING'], marketplaceId: way.home, msku };
    await way.control({ action: 'prep', sellingPartnerId, region: 'na', ...unknown });
    const item = { msku, quantity: 2, prepOwner: 'NONE', labelOwner: 'SELLER' };
    expect((await failsToBegin([item]))[0]?.code).toBe('FBA_INB_0182');
    const [known] = await way.items([{ msku, quantity: 2 }]);
    const soon = new Date(way.world.now() + 60 * DAY).toISOString().slice(0, 10);
    expect((await failsToBegin([{ ...known, expiration: soon }]))[0]?.code).toBe('FBA_INB_0181');
    expect((await failsToBegin([{ ...known, quantity: 12_720 }]))[0]?.message).toBe(
      'ERROR: Total item quantity (12720) exceeds the maximum allowed (10000). Please reduce the quantity and retry.',
    );
  });

  it('is made with a warning where the goods come from abroad', async () => {
    const address = {
      name: 'Li',
      addressLine1: 'Road 1',
      city: 'Shenzhen',
      postalCode: '518000',
      countryCode: 'CN',
      phoneNumber: '1',
    };
    await way.begin([2], { sourceAddress: address });
    const { body } = await way.create(await way.items([{ msku: way.offers()[0]?.product.sku ?? '', quantity: 2 }]), {
      sourceAddress: address,
    });
    const end = await way.status(body.operationId);
    expect(end).toMatchObject({ operationStatus: 'SUCCESS', operationProblems: [{ severity: 'WARNING' }] });
  });

  it('once cancelled takes no further work', async () => {
    await way.begin([2]);
    await way.done('PUT', '/cancellation');
    const again = await way.send('PUT', `/inboundPlans/${way.planId}/cancellation`);
    expect(again).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'BadRequest', message: 'The inbound plan is already cancelled.' }] },
    });
    const { status, body } = await way.send('POST', `/inboundPlans/${way.planId}/packingOptions`);
    expect(status).toBe(400);
    expect(String(listOf(body.errors)[0]?.message)).toBe(
      'ERROR: Operation GeneratePackingOptions can not be processed on a cancelled inbound plan.',
    );
  });
});

describe('packing', () => {
  const option = async () => listOf((await way.plan('/packingOptions')).packingOptions)[0];

  it('needs boxes that hold exactly what the group holds, and that can be lifted', async () => {
    const [item] = await way.begin([6]);
    if (!item) throw new Error('no item');
    await way.done('POST', '/packingOptions');
    const { packingOptionId, packingGroups } = (await option()) ?? {};
    await way.done('POST', `/packingOptions/${packingOptionId}/confirmation`);
    expect(await way.fails('POST', `/packingOptions/${packingOptionId}/confirmation`)).toMatch(/already confirmed/);
    const [packingGroupId] = listOf(packingGroups);
    const tell = (boxes: object[]) => ({ packageGroupings: [{ packingGroupId, boxes }] });
    const six = (quantity: number, more: object = {}) => box([{ ...item, quantity }], more);
    const wrong: [object[], RegExp][] = [
      [
        [six(5)],
        new RegExp(`did not contain expected items and/or quantities Expected item quantities ${item.msku}: 6`),
      ],
      [[six(7)], /did not contain expected/],
      [[six(3), six(3, { quantity: 2 })], /did not contain expected/],
      [[six(6, { items: [{ ...item, quantity: 6, expiration: '2030-01-01' }] })], /did not contain expected/],
      [[six(6, { weight: { unit: 'KG', value: 22.7 } })], /exceeds the maximum of 50 LB/],
    ];
    for (const [boxes, words] of wrong)
      expect(await way.fails('POST', '/packingInformation', tell(boxes))).toMatch(words);
    const twice = [six(6, { contentInformationSource: 'BARCODE_2D' })];
    expect((await way.send('POST', `/inboundPlans/${way.planId}/packingInformation`, tell(twice))).status).toBe(400);
    await way.done('POST', '/packingInformation', tell([six(3, { quantity: 2 })]));
  });

  it('has to be done within a day of the offer', async () => {
    await way.begin([6]);
    await way.done('POST', '/packingOptions');
    const { packingOptionId, packingGroups } = (await option()) ?? {};
    const [packingGroupId] = listOf(packingGroups);
    await way.advance(25 * HOUR);
    expect((await option())?.status).toBe('EXPIRED');
    expect(await way.fails('POST', `/packingOptions/${packingOptionId}/confirmation`)).toMatch(/expired/);
    await way.done('POST', '/packingOptions');
    const fresh = await option();
    await way.done('POST', `/packingOptions/${fresh?.packingOptionId}/confirmation`);
    await way.control({ action: 'expire', inboundPlanId: way.planId });
    const boxes = [box([], { contentInformationSource: 'BARCODE_2D', items: [] })];
    const packageGroupings = [{ packingGroupId: listOf(fresh?.packingGroups)[0], boxes }];
    expect(await way.fails('POST', '/packingInformation', { packageGroupings })).toMatch(/^FBA_INB_0364: /);
    expect(packingGroupId).toBeDefined();
  });
});

describe('placement and transport', () => {
  it('go in their order, each once, before the offers expire', async () => {
    await way.begin([12]);
    expect(
      await way.fails('POST', '/placementOptions', { customPlacement: [{ warehouseId: 'X', items: [await any()] }] }),
    ).toMatch(/India/);
    await way.pack();
    await way.done('POST', '/placementOptions', {});
    const offers = listOf((await way.plan('/placementOptions')).placementOptions);
    expect(
      offers.map(({ shipmentIds, fees, discounts }) => [
        listOf(shipmentIds).length,
        listOf(fees).length,
        listOf(discounts).length,
      ]),
    ).toEqual([
      [1, 1, 0],
      [2, 0, 1],
    ]);
    const [one] = offers;
    const id = String(listOf(one?.shipmentIds)[0]);
    const path = `/placementOptions/${one?.placementOptionId}/confirmation`;
    await way.advance(73 * HOUR);
    expect(await way.fails('POST', path)).toMatch(/placement option is expired/);
    await way.control({ action: 'settings', offerHours: { packing: 300 } });
    const [fresh = ''] = await way.place(1);
    expect(fresh).not.toBe(id);
    const { placementOptionId } = await way.plan(shipmentOf(fresh));
    expect(await way.fails('POST', `/placementOptions/${placementOptionId}/confirmation`)).toMatch(/already confirmed/);
    expect(await way.fails('POST', '/placementOptions', {})).toMatch(/already confirmed/);
    await transportProblems(fresh);
  });

  async function transportProblems(id: string): Promise<void> {
    const start = new Date(way.world.now() - 3 * DAY).toISOString();
    const { placementOptionId } = await way.plan(shipmentOf(id));
    const past = [{ shipmentId: id, readyToShipWindow: { start } }];
    expect(
      await way.fails('POST', '/transportationOptions', {
        placementOptionId,
        shipmentTransportationConfigurations: past,
      }),
    ).toMatch(/past/);
    const end = await way.offerTransport([id]);
    expect(listOf(end.operationProblems)[0]).toMatchObject({ severity: 'WARNING' });
    const all = await way.transports(id);
    const of = (fits: (option: Json) => boolean) => all.find(fits)?.transportationOptionId;
    const choose = (transportationOptionId: unknown) => ({
      transportationSelections: [{ shipmentId: id, transportationOptionId }],
    });
    const confirm = '/transportationOptions/confirmation';
    expect(await way.fails('POST', confirm, choose(of(ownParcel)))).toMatch(/confirmed delivery window/);
    await way.control({ action: 'expire', inboundPlanId: way.planId });
    expect(await way.fails('POST', confirm, choose(of(partnerParcel)))).toMatch(/transportation option is expired/);
    await way.offerTransport([id]);
    const partner = (await way.transports(id)).find(partnerParcel);
    expect(Number(partner?.quote?.cost?.amount)).toBeGreaterThan(1);
    await way.done('POST', confirm, choose(partner?.transportationOptionId));
    expect(await way.fails('POST', confirm, choose(partner?.transportationOptionId))).toMatch(/already confirmed/);
    expect(await way.fails('PUT', `${shipmentOf(id)}/trackingDetails`, tracking('X'))).toMatch(/partnered carrier/);
    // Paid transport may be given back for a day.
    await way.advance(HOUR);
    const chosen = (await way.transports(id)).find(
      (option) => option.transportationOptionId === partner?.transportationOptionId,
    );
    expect(chosen?.quote?.voidableUntil).toBeDefined();
    await way.advance(24 * HOUR);
    expect(await way.fails('PUT', '/cancellation')).toMatch(/can no longer be voided|already been shipped/);
  }

  const tracking = (boxId: string) => ({
    trackingDetails: { spdTrackingDetail: { spdTrackingItems: [{ boxId, trackingId: 'T' }] } },
  });
  const any = async (): Promise<Item> => {
    const [item] = await way.items([{ msku: way.offers()[0]?.product.sku ?? '', quantity: 1 }]);
    if (!item) throw new Error('no item');
    return item;
  };

  it('windows expire, and are confirmed after the placement only', async () => {
    await way.begin([8]);
    await way.pack();
    await way.done('POST', '/placementOptions', {});
    const [offer] = listOf((await way.plan('/placementOptions')).placementOptions);
    const id = String(listOf(offer?.shipmentIds)[0]);
    const path = `${shipmentOf(id)}/deliveryWindowOptions`;
    const choose = async (kind: string) => {
      const windows = listOf((await way.plan(path, { pageSize: 100 })).deliveryWindowOptions);
      const found = windows.find((one) => String(one.availabilityType) === kind);
      return `${path}/${found?.deliveryWindowOptionId}/confirmation`;
    };
    await way.done('POST', path);
    expect(await way.fails('POST', await choose('AVAILABLE'))).toMatch(/^FBA_INB_0344/);
    await way.done('POST', `/placementOptions/${offer?.placementOptionId}/confirmation`);
    await way.control({ action: 'expire', inboundPlanId: way.planId });
    expect(await way.fails('POST', await choose('AVAILABLE'))).toMatch(/^FBA_INB_0469/);
    await way.done('POST', path);
    await way.done('POST', await choose('AVAILABLE'));
    expect((await way.plan(shipmentOf(id))).selectedDeliveryWindow?.editableUntil).toBeDefined();
  });

  it('tracking and contents are taken for what is in the shipment only', async () => {
    const [item] = await way.begin([100]);
    await way.pack();
    const [id = ''] = await way.place(1);
    const tell = `${shipmentOf(id)}/trackingDetails`;
    expect(await way.fails('PUT', tell, tracking('X'))).toMatch(/not confirmed/);
    await way.transport([id], ownParcel);
    expect(await way.fails('PUT', tell, tracking('X'))).toMatch(/does not belong/);
    expect(
      await way.fails('PUT', tell, { trackingDetails: { ltlTrackingDetail: { freightBillNumber: ['1'] } } }),
    ).toMatch(/GROUND_SMALL_PARCEL/);
    const preview = `${shipmentOf(id)}/contentUpdatePreviews`;
    const update = (quantity: number) => ({
      items: [{ ...item, quantity }],
      boxes: [box([{ ...item, quantity } as Item])],
    });
    expect(await way.fails('POST', preview, update(93))).toMatch(/by 6 units at most/);
    expect(await way.fails('POST', preview, { ...update(94), items: [{ ...item, quantity: 95 }] })).toMatch(
      /did not contain expected/,
    );
    expect(
      await way.fails('POST', preview, {
        items: [await any()].map((one) => ({ ...one, msku: 'OTHER' })),
        boxes: [box([{ ...(await any()), msku: 'OTHER' }])],
      }),
    ).toMatch(/cannot be added|changed by/);
    await way.done('POST', preview, update(94));
    const [known] = listOf((await way.plan(preview)).contentUpdatePreviews);
    await way.done('POST', `${preview}/${known?.contentUpdatePreviewId}/confirmation`);
    expect(listOf((await way.plan(`${shipmentOf(id)}/items`)).items).map(({ quantity }) => Number(quantity))).toEqual([
      94,
    ]);
    expect(listOf((await way.plan(`${shipmentOf(id)}/boxes`)).boxes)).toHaveLength(1);
    await way.track(id);
    expect(await way.fails('PUT', '/cancellation')).toMatch(/already been shipped/);
  });

  it('labels exist once the transport is confirmed, and only of what there is', async () => {
    await way.begin([12]);
    await way.pack();
    const [id = ''] = await way.place(1);
    const number = await way.number(id);
    const print = async (query: Record<string, unknown>) => {
      const path = `/fba/inbound/v0/shipments/${number}/labels`;
      const { status, body } = await way.seller.send({
        method: 'GET',
        path,
        query: { PageType: 'PackageLabel_Thermal_NonPCP', ...query },
      });
      return status < 300 ? 'printed' : `${listOf(body.errors)[0]?.code}: ${listOf(body.errors)[0]?.message}`;
    };
    expect(await print({ LabelType: 'UNIQUE' })).toMatch(/not confirmed/);
    await way.transport([id], ownFreight, FREIGHT);
    expect(await print({ LabelType: 'UNIQUE' })).toMatch(/pageSize must be provided for Non-Partnered/);
    expect(await print({ LabelType: 'UNIQUE', PackageLabelsToPrint: 'FBA1U000001' })).toMatch(
      /^IncorrectPackageIdentifier: /,
    );
    expect(await print({ LabelType: 'PALLET', NumberOfPallets: 3 })).toMatch(/Actual pallet count is: 2/);
    expect(await print({ LabelType: 'DEFAULT' })).toMatch(/LabelType/);
    expect(await print({ LabelType: 'UNIQUE', PageType: 'Napkin' })).toMatch(/PageType/);
    expect(await print({ LabelType: 'PALLET', NumberOfPallets: 2, PageType: 'PackageLabel_Thermal' })).toMatch(
      /not supported for shipment/,
    );
    const page = { LabelType: 'UNIQUE', PageStartIndex: 0 };
    expect(await print({ ...page, PageSize: 1001 })).toMatch(/between 1 and 1000/);
    expect(await print({ ...page, PageSize: 1000 })).toBe('printed');
    const names = Array.from({ length: 1000 }, (_, index) => index).join(',');
    expect(await print({ LabelType: 'UNIQUE', PackageLabelsToPrint: names })).toMatch(/at most 999/);
    expect(await print({ LabelType: 'PALLET', NumberOfPallets: 2 })).toBe('printed');
    expect(await print({ LabelType: 'UNIQUE', PackageLabelsToPrint: `${number}U000002` })).toBe('printed');
  });
});
