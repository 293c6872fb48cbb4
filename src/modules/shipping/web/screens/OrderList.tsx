import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { ADD, EXPORT } from '../../contract/fields.ts';
import { ShipFilter, ShipRow, shipOrder } from '../../contract/order.ts';
import { countShipOrders, exportShipOrders, listShipOrders } from '../../contract/order-calls.ts';
import { toOptions, useShipChoices } from '../choices.ts';

const COLUMNS: ColumnOverrides<ShipRow> = {
  number: {
    render: (row) => (
      <TabLink to={shipOrder.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
};

/** 发货单: what goes from our warehouses to Amazon. */
export default function OrderList() {
  const tab = useTab();
  const choices = useShipChoices();
  const mayExport = useAllowed(EXPORT);
  const add = (
    <Allowed code={ADD}>
      <Button type="primary" onClick={() => tab.open('/invoice/addshipment', { title: '新增发货单' })}>
        新增发货单
      </Button>
    </Allowed>
  );
  return (
    <ListScreen
      name="shipping/orders"
      title="发货单"
      unit="单"
      endpoint={listShipOrders}
      {...(mayExport ? { exportEndpoint: exportShipOrders } : {})}
      row={ShipRow}
      filter={ShipFilter}
      options={{ authid: toOptions(choices?.stores), warehouse: toOptions(choices?.warehouses) }}
      tabs={{ field: 'state', counts: countShipOrders }}
      columns={COLUMNS}
      onOpen={(row) => tab.open(shipOrder.detail, { title: row.number, query: { id: row.id } })}
      head={add}
      empty={
        <Empty title="还没有发货单" text="选择店铺、站点和发货仓，通过后占用库存，配货、装箱、出库后转为FBA在途。">
          {add}
        </Empty>
      }
    />
  );
}
