import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { countTrades, listTrades, ORDER, pullTrades, TradeFilter, TradeRow } from '../../contract/index.ts';
import { PlaceDialog } from '../PlaceDialog.tsx';
import { refreshAlibaba } from '../refresh.ts';
import { useTradeSteps } from '../steps.ts';

const COLUMNS: ColumnOverrides<TradeRow> = {
  orderNumber: {
    render: (row) => (
      <TabLink to={purchaseOrder.detail} title={row.orderNumber} query={{ id: row.orderId }}>
        {row.orderNumber}
      </TabLink>
    ),
    text: (row) => row.orderNumber,
  },
};

/** 1688订单: purchase orders that were ordered on the platform, what it takes for them, and where they are. */
export default function Trades() {
  const tab = useTab();
  const steps = useTradeSteps();
  const [placing, setPlacing] = useState(false);
  const pull = async () => {
    const { changed } = await call(pullTrades, {}, {});
    notice.success(changed > 0 ? `有 ${changed} 笔订单更新` : '没有变化');
    await refreshAlibaba();
  };
  const actionsOf = (row: TradeRow): RowAction[] => [
    ...steps(row),
    {
      label: '采购单',
      onClick: () => tab.open(purchaseOrder.detail, { title: row.orderNumber, query: { id: row.orderId } }),
    },
  ];
  const order = (
    <Allowed code={ORDER}>
      <Button type="primary" onClick={() => setPlacing(true)}>
        1688下单
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="alibaba/trades"
        title="1688订单"
        unit="笔"
        endpoint={listTrades}
        row={TradeRow}
        filter={TradeFilter}
        tabs={{ field: 'status', counts: countTrades }}
        columns={COLUMNS}
        actions={actionsOf}
        actionsWidth={130}
        head={
          <>
            <Button onClick={() => void pull().catch(() => undefined)}>立即同步</Button>
            {order}
          </>
        }
        empty={
          <Empty title="还没有1688订单" text="选择待下单的采购单，核对1688的价格和运费后下单。">
            {order}
          </Empty>
        }
      />
      {placing && <PlaceDialog onClose={() => setPlacing(false)} />}
    </>
  );
}
