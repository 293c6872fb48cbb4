import { call, useCall } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { ShipRow } from '../../contract/order.ts';
import { putShipWay, shipChannels } from '../../contract/order-calls.ts';
import { refreshShip } from '../choices.ts';

const Way = putShipWay.body.pick({ shipmentNo: true, channelId: true, carrier: true, trackingNo: true });

/** 物流信息 of an order: Amazon's number, the channel or else the carrier, and the tracking number. */
export function WayDialog({ order, onClose }: { order: ShipRow; onClose: () => void }) {
  const { shipmentNo, carrier, channelId, trackingNo, store } = order;
  const form = useForm(Way, { shipmentNo, carrier, channelId, trackingNo });
  const { data: channels = [] } = useCall(shipChannels, {}, { staleTime: 60_000 });
  // Those into the country of the order first.
  const rank = (country: string) => (country === store.country ? 0 : 1);
  const options = [...channels]
    .sort((a, b) => rank(a.country) - rank(b.country))
    .map((one) => ({ value: one.id, label: `${one.carrier} ${one.name}（${one.country}）` }));
  const booked = Boolean(form.values.channelId);
  return (
    <FormDialog
      title="物流信息"
      open
      form={form}
      fields={{
        channelId: { options, placeholder: '可不选', help: '出库时按渠道价卡预估头程费用' },
        carrier: { hidden: booked },
      }}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = { id: order.id, version: order.version, ...values, channelId: values.channelId ?? null };
        notice.success((await call(putShipWay, { body }, { quiet: true })).message);
        await refreshShip();
      }}
    />
  );
}
