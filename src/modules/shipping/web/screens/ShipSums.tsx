import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { lastDays } from '#kit/web/last-days.ts';
import { type FilterValue, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { EXPORT } from '../../contract/fields.ts';
import { shipChannels } from '../../contract/order-calls.ts';
import { exportShipSums, listShipSums, ShipSumFilter, ShipSumRow } from '../../contract/report/summary.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { type RingMeasure, SumRing } from '../report/SumRing.tsx';

/** So far back the report looks at first. */
const DAYS = 90;

function Above({ filter }: { filter: FilterValue }) {
  const [measure, setMeasure] = useState<RingMeasure>('shipped');
  return <SumRing filter={filter} measure={measure} onMeasure={setMeasure} />;
}

/** 发货统计: what was planned, sent, received and paid, by carrier, centre, warehouse, store, site or SKU. */
export default function ShipSums() {
  const [defaults] = useState(() => ({ by: 'CARRIER', basis: 'SHIPPED', day: lastDays(DAYS) }));
  const choices = useShipChoices();
  const { data: channels } = useCall(shipChannels, {}, { staleTime: 60_000 });
  const mayExport = useAllowed(EXPORT);
  return (
    <ListScreen
      name="shipping/shipSums"
      title="发货统计"
      unit="项"
      density="dense"
      endpoint={listShipSums}
      {...(mayExport ? { exportEndpoint: exportShipSums } : {})}
      row={ShipSumRow}
      filter={ShipSumFilter}
      defaults={defaults}
      modes={['by', 'basis']}
      options={{
        authid: toOptions(choices?.stores),
        warehouse: toOptions(choices?.warehouses),
        channel: channels?.map(({ id, carrier, name }) => ({ value: id, label: `${carrier} ${name}` })) ?? [],
      }}
      above={(filter) => <Above filter={filter} />}
      note="平均时效按发货单平均；接收差异只算已完成的发货单"
      empty={<Empty title="还没有发货" text="发货单提交后按物流商、配送中心、发货仓、店铺、站点或 SKU 统计。" />}
    />
  );
}
