import { useCall } from '#kit/web/api/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EXPORT } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import { shipChannels } from '../../contract/order-calls.ts';
import { exportShipOrderReport, listShipOrderReport, ShipOrderReportRow } from '../../contract/report/detail.ts';
import { OrdersFilter } from '../../contract/report/fields.ts';
import { toOptions, useShipChoices } from '../choices.ts';

/** 发货详情与时效: one row per ship order with its quantities, weights, costs, the time of each step and how long it took. */
export default function ShipOrderReport() {
  const tab = useTab();
  const choices = useShipChoices();
  const { data: channels } = useCall(shipChannels, {}, { staleTime: 60_000 });
  const mayExport = useAllowed(EXPORT);
  return (
    <ListScreen
      name="shipping/shipOrders"
      title="发货详情与时效"
      unit="单"
      density="dense"
      endpoint={listShipOrderReport}
      {...(mayExport ? { exportEndpoint: exportShipOrderReport } : {})}
      row={ShipOrderReportRow}
      filter={OrdersFilter}
      defaults={{ basis: 'CREATED' }}
      modes={['basis']}
      options={{
        authid: toOptions(choices?.stores),
        warehouse: toOptions(choices?.warehouses),
        channel: channels?.map(({ id, carrier, name }) => ({ value: id, label: `${carrier} ${name}` })) ?? [],
      }}
      onOpen={(row) => tab.open(shipOrder.detail, { title: row.number, query: { id: row.id } })}
      note="退回后重做的步骤按最后一次的时间"
      empty={<Empty title="还没有发货单" text="发货单提交后在这里看每一步的时间、重量与费用。" />}
    />
  );
}
