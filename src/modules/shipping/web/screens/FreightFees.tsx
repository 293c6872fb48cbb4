import { useCall } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { FREIGHT_EXPORT } from '../../contract/freight/fields.ts';
import { exportFreightFees, FreightFeeFilter, FreightFeeRow, listFreightFees } from '../../contract/freight/report.ts';
import { shipOrder } from '../../contract/order.ts';
import { shipChannels } from '../../contract/order-calls.ts';
import { toOptions, useShipChoices } from '../choices.ts';

const COLUMNS: ColumnOverrides<FreightFeeRow> = {
  order: {
    render: (row) => (
      <TabLink to={shipOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 头程费用分摊: what the first leg of every line that left comes to, as estimated or as billed. */
export default function FreightFees() {
  const tab = useTab();
  const choices = useShipChoices();
  const { data: channels } = useCall(shipChannels, {}, { staleTime: 60_000 });
  const mayExport = useAllowed(FREIGHT_EXPORT);
  return (
    <ListScreen
      name="shipping/freightFees"
      title="头程费用分摊"
      unit="行"
      endpoint={listFreightFees}
      {...(mayExport ? { exportEndpoint: exportFreightFees } : {})}
      row={FreightFeeRow}
      filter={FreightFeeFilter}
      options={{
        authid: toOptions(choices?.stores),
        channel: channels?.map(({ id, carrier, name }) => ({ value: id, label: `${carrier} ${name}` })) ?? [],
      }}
      columns={COLUMNS}
      onOpen={(row) => tab.open(shipOrder.detail, { title: row.order, query: { id: row.orderId } })}
      empty={
        <Empty
          title="还没有头程费用"
          text="发货单选好渠道并出库后按价卡预估；物流账单确认入账后，按实际费用分摊到每个SKU。"
        />
      }
    />
  );
}
