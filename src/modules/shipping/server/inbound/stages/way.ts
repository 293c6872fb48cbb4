import { pathOf } from '../desk.ts';
import type { InboundShipment, View } from '../types.ts';
import type { Stage } from './stage.ts';

/** Downloading is the runner's: the bytes go into the file store. */
export const labels: Stage = {
  key: 'labels',
  title: '下载箱标签',
  done: ({ shipments }) => shipments.every(({ labelFileId }) => labelFileId !== null),
};

const isPartnered = ({ transport }: InboundShipment) => transport?.solution === 'AMAZON_PARTNERED_CARRIER';

const boxesOf = ({ boxes }: View, shipmentId: string) => boxes.filter((box) => box.shipmentId === shipmentId);

function missing(view: View, shipment: InboundShipment): string | undefined {
  if (shipment.transport?.mode !== 'GROUND_SMALL_PARCEL') {
    return shipment.freightBill === '' ? `货件 ${shipment.shipmentNo} 请填写运单号（PRO）` : undefined;
  }
  const open = boxesOf(view, shipment.shipmentId).find(({ trackingNo }) => trackingNo === '');
  return open && `货件 ${shipment.shipmentNo} 第 ${open.no} 箱请填写追踪号`;
}

/** Shipments whose tracking numbers the seller tells; partners of Amazon's bring their own. */
const followed = ({ shipments }: View): InboundShipment[] => shipments.filter((one) => !isPartnered(one));

export const tellTracking: Stage = {
  key: 'tellTracking',
  title: '提交追踪号',
  gate: (view) => {
    if (!['shipped', 'receiving', 'done'].includes(view.order.state)) return '标签已就绪，等待发货出库';
    return followed(view)
      .map((shipment) => missing(view, shipment))
      .find((words) => words !== undefined);
  },
  subjects: (view) => followed(view).map(({ shipmentId }) => shipmentId),
  request: (view, shipmentId) => {
    const shipment = view.shipments.find((one) => one.shipmentId === shipmentId);
    const isParcel = shipment?.transport?.mode === 'GROUND_SMALL_PARCEL';
    return {
      operation: 'updateShipmentTrackingDetails',
      method: 'PUT',
      path: `${pathOf(view)}/shipments/${shipmentId}/trackingDetails`,
      body: {
        trackingDetails: isParcel
          ? {
              spdTrackingDetail: {
                spdTrackingItems: boxesOf(view, shipmentId).map((box) => ({
                  boxId: box.amazonBoxId ?? '',
                  trackingId: box.trackingNo,
                })),
              },
            }
          : {
              ltlTrackingDetail: {
                freightBillNumber: [shipment?.freightBill ?? ''],
                ...(shipment?.lading ? { billOfLadingNumber: shipment.lading } : {}),
              },
            },
      },
    };
  },
};
