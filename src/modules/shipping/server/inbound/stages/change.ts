import { all, itemsAt, pathOf } from '../desk.ts';
import type { InboundShipment, View } from '../types.ts';
import { boxBody, type ItemBody, itemsWanted } from '../wanted.ts';
import { type Stage, says } from './stage.ts';

interface ApiPreview {
  contentUpdatePreviewId: string;
  expiration: string;
}

const pathTo = (view: View, shipmentId: string) => `${pathOf(view)}/shipments/${shipmentId}/contentUpdatePreviews`;

const shipmentOf = ({ shipments }: View, shipmentId: string): InboundShipment | undefined =>
  shipments.find((one) => one.shipmentId === shipmentId);

const changing = ({ shipments }: View) => shipments.filter(({ change }) => change !== null && !change.taken);

/** All of a shipment as it shall be: what is left out would be taken out of it. */
function contentsOf(view: View, { change }: InboundShipment) {
  const owners = new Map(itemsWanted(view).map((item) => [item.msku, item]));
  const sums = new Map<string, number>();
  const boxes = (change?.boxes ?? []).flatMap(({ no, items }) => {
    const box = view.boxes.find((one) => one.no === no);
    if (!box) return [];
    for (const { msku, qty } of items) sums.set(msku, (sums.get(msku) ?? 0) + qty);
    return [{ ...(box.packageId ? { packageId: box.packageId } : {}), ...boxBody(view, { ...box, items }) }];
  });
  const items = [...sums].map(([msku, quantity]) => ({ ...(owners.get(msku) as ItemBody), quantity }));
  return { boxes, items };
}

/** Amazon looks a change through before it may be confirmed. */
export const previewChange: Stage = {
  key: 'previewChange',
  title: '预检数量修改',
  skip: (view) => changing(view).length === 0,
  subjects: (view) => changing(view).map(({ shipmentId }) => shipmentId),
  request: (view, shipmentId) => {
    const shipment = shipmentOf(view, shipmentId);
    return {
      operation: 'generateShipmentContentUpdatePreviews',
      method: 'POST',
      path: pathTo(view, shipmentId),
      body: shipment ? contentsOf(view, shipment) : {},
    };
  },
  async take(api, view, shipmentId) {
    const change = shipmentOf(view, shipmentId)?.change ?? null;
    const path = pathTo(view, shipmentId);
    const found = await all<ApiPreview>(api, 'listShipmentContentUpdatePreviews', path, 'contentUpdatePreviews', 20);
    const newest = found.toSorted((a, b) => (a.expiration < b.expiration ? 1 : -1))[0];
    return {
      shipments: [{ shipmentId, change: change && { ...change, previewId: newest?.contentUpdatePreviewId ?? null } }],
    };
  },
};

const previewed = (view: View) => changing(view).filter(({ change }) => change?.previewId);

/** From here on the shipment holds what was asked for; our own boxes and stock follow. */
export const takeChange: Stage = {
  key: 'takeChange',
  title: '确认数量修改',
  skip: (view) => changing(view).length === 0,
  gate: (view) =>
    previewed(view).length < changing(view).length ? '亚马逊没有给出数量修改的预检结果，请放弃修改后重试' : undefined,
  subjects: (view) => previewed(view).map(({ shipmentId }) => shipmentId),
  request: (view, shipmentId) => ({
    operation: 'confirmShipmentContentUpdatePreview',
    method: 'POST',
    path: `${pathTo(view, shipmentId)}/${shipmentOf(view, shipmentId)?.change?.previewId ?? ''}/confirmation`,
  }),
  async take(api, view, shipmentId) {
    const change = shipmentOf(view, shipmentId)?.change ?? null;
    const items = await itemsAt(api, view, shipmentId);
    return { shipments: [{ shipmentId, items, change: change && { ...change, taken: true } }] };
  },
  again: (_, problems) => (says(problems, /expired/i) ? 'previewChange' : undefined),
};
