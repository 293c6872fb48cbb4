import { FREIGHT, Inbounder, ownParcel, partnerFreight } from './inbound-support.ts';
import type { ConsentedSeller } from './seller-support.ts';
import { listOf } from './wire-support.ts';

type Values = Readonly<Record<string, unknown>>;
type Own = (given: Values) => Promise<Values>;

interface Names {
  way: Inbounder;
  ids: Values;
  msku: string;
  number: string;
  operationId: string;
}

/** A plan that has one of everything that Amazon's examples name. */
async function prepare(seller: ConsentedSeller): Promise<Names> {
  const way = new Inbounder(seller);
  const [item] = await way.begin([12, 7]);
  await way.pack();
  const [option] = listOf((await way.plan('/packingOptions')).packingOptions);
  const [shipmentId = ''] = await way.place(1);
  await way.transport([shipmentId], ownParcel);
  const shipment = await way.plan(`/shipments/${shipmentId}`);
  const items = listOf((await way.plan(`/shipments/${shipmentId}/items`)).items);
  const boxes = items.flatMap((one) => way.boxed(one));
  const preview = `/shipments/${shipmentId}/contentUpdatePreviews`;
  const contents = Map.groupBy(
    listOf(boxes).flatMap((one) => listOf(one.items)),
    ({ msku }) => String(msku),
  );
  const { operationId } = await way.done('POST', preview, {
    boxes,
    items: [...contents.values()].map((same) => ({
      ...same[0],
      quantity: same.reduce((sum, { quantity }) => sum + Number(quantity), 0),
    })),
  });
  const [known] = listOf((await way.plan(preview)).contentUpdatePreviews);
  const ids = {
    inboundPlanId: way.planId,
    shipmentId,
    packingGroupId: listOf(option?.packingGroups)[0],
    packingOptionId: option?.packingOptionId,
    placementOptionId: shipment.placementOptionId,
    transportationOptionId: shipment.selectedTransportationOptionId,
    deliveryWindowOptionId: shipment.selectedDeliveryWindow?.deliveryWindowOptionId,
    contentUpdatePreviewId: known?.contentUpdatePreviewId,
  };
  const number = String(shipment.shipmentConfirmationId);
  return { way, ids, msku: item?.msku ?? '', number, operationId: String(operationId) };
}

/** Every id inside a body, as this seller has it. */
function renamed(value: unknown, ids: Values): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, ids[name] ?? renamed(one, ids)]));
}

/** For each inbound operation what its good example names, as this seller has it. */
export function inboundOwn(seller: () => ConsentedSeller, names: readonly string[]): Record<string, Own> {
  let made: Promise<Names> | undefined;
  const known = (): Promise<Names> => {
    made ??= prepare(seller());
    return made;
  };
  const usual: Own = async (given) => {
    const { ids, msku, way } = await known();
    const body =
      given.body === undefined ? {} : { body: renamed(given.body, { ...ids, msku, marketplaceId: way.home }) };
    // A token names a page of somebody else's answer.
    return { ...ids, ...body, mskus: [msku], marketplaceId: way.home, paginationToken: undefined };
  };
  const old: Own = async () => {
    const { number, way } = await known();
    return { shipmentId: number, MarketplaceId: way.home };
  };
  return {
    ...Object.fromEntries(names.map((name) => [name, usual])),
    createInboundPlan: async (given) => {
      const { way } = await known();
      return { body: { ...(given.body as object), destinationMarketplaces: [way.home] } };
    },
    // What is cancelled is of no use to the other examples.
    cancelInboundPlan: async () => {
      const { seller: mine } = (await known()).way;
      const other = new Inbounder(mine);
      await other.begin([2]);
      return { inboundPlanId: other.planId };
    },
    getInboundOperationStatus: async () => ({ operationId: (await known()).operationId }),
    getPrepInstructions: async () => ({}),
    getLabels: old,
    getShipments: old,
    getShipmentItemsByShipmentId: old,
    // Bills of lading are Amazon's own carriers' only: the shipment of the example is one of theirs.
    getBillOfLading: async () => ({ shipmentId: await partnered(seller()) }),
    // By shipments nobody can ask for items, whatever the example says.
    getShipmentItems: async () => ({
      MarketplaceId: (await known()).way.home,
      QueryType: 'DATE_RANGE',
      NextToken: undefined,
      LastUpdatedAfter: '2026-01-01T00:00:00Z',
      LastUpdatedBefore: '2026-12-31T00:00:00Z',
    }),
  };
}

async function partnered(seller: ConsentedSeller): Promise<string> {
  const way = new Inbounder(seller);
  await way.begin([5]);
  await way.pack();
  const [id = ''] = await way.place(1);
  await way.transport([id], partnerFreight, FREIGHT);
  return way.number(id);
}
