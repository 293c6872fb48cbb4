import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { ADD, EXPORT, PICK } from '../../contract/fields.ts';
import { ShipFilter, ShipRow, shipOrder } from '../../contract/order.ts';
import { countShipOrders, exportShipOrders, listShipOrders } from '../../contract/order-calls.ts';
import { exportDeclaredLines } from '../../contract/papers/papers.ts';
import { MAX_ORDERS, QUOTE_ADD } from '../../contract/quote-request/fields.ts';
import { MAX_WAVE } from '../../contract/wave.ts';
import { toOptions, useShipChoices } from '../choices.ts';
import { EDIT_PATH as QUOTE_EDIT } from '../quote-request/shared.ts';

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

/** Why an order cannot be picked together with others. */
function unfit({ state, stockMode }: ShipRow): string | undefined {
  if (state !== 'picking') return '只有待配货的发货单可以合并配货';
  return stockMode === 'PLATFORM' ? '仅平台的发货单无需配货' : undefined;
}

/** Why forwarders cannot be asked for an order. */
const unasked = ({ state }: ShipRow): string | undefined =>
  ['pending', 'held', 'picking', 'packing', 'ready'].includes(state) ? undefined : '只有待审核到待出库的发货单可以询价';

/** 发货单: what goes from our warehouses to Amazon. */
export default function OrderList() {
  const tab = useTab();
  const choices = useShipChoices();
  const mayExport = useAllowed(EXPORT);
  const mayPick = useAllowed(PICK);
  const mayAsk = useAllowed(QUOTE_ADD);
  const pickTogether = (rows: readonly ShipRow[]) => {
    if (new Set(rows.map((row) => row.warehouse)).size > 1) return notice.warning('请选择同一个发货仓的发货单');
    if (rows.length > MAX_WAVE) return notice.warning(`一次最多合并${MAX_WAVE}张发货单`);
    tab.open('/shipment_handing/wave', { title: '合并配货', query: { ids: rows.map((row) => row.id).join(',') } });
  };
  const askTogether = (rows: readonly ShipRow[]) => {
    if (new Set(rows.map((row) => `${row.warehouse} ${row.store.country}`)).size > 1) {
      return notice.warning('请选择同一个发货仓、发往同一个国家的发货单');
    }
    if (rows.length > MAX_ORDERS) return notice.warning(`一次最多询价${MAX_ORDERS}张发货单`);
    tab.open(QUOTE_EDIT, { title: '发起询价', query: { orders: rows.map((row) => row.id).join(',') } });
  };
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
      batch={[
        ...(mayPick ? [{ label: '合并配货', unfit, onClick: pickTogether }] : []),
        ...(mayExport
          ? [
              {
                label: '导出海关报价',
                onClick: (rows: ShipRow[]) =>
                  void download(exportDeclaredLines, { body: { ids: rows.map((row) => row.id), format: 'xlsx' } }),
              },
            ]
          : []),
        ...(mayAsk ? [{ label: '询价', unfit: unasked, onClick: askTogether }] : []),
      ]}
      head={add}
      empty={
        <Empty title="还没有发货单" text="选择店铺、站点和发货仓，通过后占用库存，配货、装箱、出库后转为FBA在途。">
          {add}
        </Empty>
      }
    />
  );
}
