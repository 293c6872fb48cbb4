import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { ShipRow } from '../../contract/order.ts';
import { putShipWay } from '../../contract/order-calls.ts';
import { refreshShip } from '../choices.ts';

const Way = putShipWay.body.pick({ shipmentNo: true, carrier: true, trackingNo: true });

/** 物流信息 of an order: Amazon's number, carrier and tracking number. */
export function WayDialog({ order, onClose }: { order: ShipRow; onClose: () => void }) {
  const { shipmentNo, carrier, trackingNo } = order;
  const form = useForm(Way, { shipmentNo, carrier, trackingNo });
  return (
    <FormDialog
      title="物流信息"
      open
      form={form}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: order.id, version: order.version, ...values };
        notice.success((await call(putShipWay, { body }, { quiet: true })).message);
        await refreshShip();
      }}
    />
  );
}
