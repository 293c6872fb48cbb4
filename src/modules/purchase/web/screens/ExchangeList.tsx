import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  countExchanges,
  EXCHANGE,
  ExchangeFilter,
  ExchangeRow,
  exportExchanges,
  listExchanges,
  purchaseExchange,
} from '../../contract/exchange.ts';
import { EXPORT } from '../../contract/fields.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { toOptions, usePurchaseChoices } from '../choices.ts';

const COLUMNS: ColumnOverrides<ExchangeRow> = {
  number: {
    render: (row) => (
      <TabLink to={purchaseExchange.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  order: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.order} query={{ id: row.orderId }}>
        {row.order}
      </TabLink>
    ),
    text: (row) => row.order,
  },
};

/** 采购换货: bad goods for which suppliers send good ones. */
export default function ExchangeList() {
  const tab = useTab();
  const choices = usePurchaseChoices();
  const mayExport = useAllowed(EXPORT);
  const add = (
    <Allowed code={EXCHANGE}>
      <Button type="primary" onClick={() => tab.open('/e/p/c/c', { title: '新增采购换货' })}>
        新增换货单
      </Button>
    </Allowed>
  );
  return (
    <ListScreen
      name="purchase/exchanges"
      title="采购换货"
      unit="单"
      endpoint={listExchanges}
      {...(mayExport ? { exportEndpoint: exportExchanges } : {})}
      row={ExchangeRow}
      filter={ExchangeFilter}
      options={{ supplier: toOptions(choices?.suppliers) }}
      tabs={{ field: 'state', counts: countExchanges }}
      columns={COLUMNS}
      onOpen={(row) => tab.open(purchaseExchange.detail, { title: row.number, query: { id: row.id } })}
      head={add}
      empty={
        <Empty title="还没有采购换货" text="到货的次品可由供应商换成好货：应付不变，换入的按原成本入库。">
          {add}
        </Empty>
      }
    />
  );
}
