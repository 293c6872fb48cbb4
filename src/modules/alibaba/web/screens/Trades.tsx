import { Button, Modal } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import {
  CONFIRM,
  cancelTrade,
  confirmTrade,
  countTrades,
  listTrades,
  ORDER,
  payUrl,
  pullTrades,
  TradeFilter,
  TradeRow,
} from '../../contract/index.ts';
import { PlaceDialog } from '../PlaceDialog.tsx';
import { refreshAlibaba } from '../refresh.ts';

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
  const mayOrder = useAllowed(ORDER);
  const mayConfirm = useAllowed(CONFIRM);
  const [placing, setPlacing] = useState(false);
  const pay = async (row: TradeRow) => {
    const { url } = await call(payUrl, { body: { id: row.id } }, {});
    window.open(url, '_blank', 'noopener');
  };
  const close = async (row: TradeRow) => {
    await call(cancelTrade, { body: { id: row.id } }, {});
    notice.success('1688订单已关闭');
    await refreshAlibaba();
  };
  const confirm = (row: TradeRow) =>
    void Modal.confirm({
      title: `确认收货 ${row.platformId ?? row.orderNumber}`,
      content: '确认后1688把货款付给卖家，不能撤回。请先核对到货数量和质量。',
      okText: '确认收货',
      onOk: async () => {
        await call(confirmTrade, { body: { id: row.id } }, {});
        notice.success('1688订单已确认收货');
        await refreshAlibaba();
      },
    });
  const pull = async () => {
    const { changed } = await call(pullTrades, {}, {});
    notice.success(changed > 0 ? `有 ${changed} 笔订单更新` : '没有变化');
    await refreshAlibaba();
  };
  const actionsOf = (row: TradeRow): RowAction[] => [
    ...(mayOrder && row.status === 'waitbuyerpay'
      ? [
          { label: '去付款', onClick: () => void pay(row).catch(() => undefined) },
          { label: '关闭订单', danger: true, onClick: () => void close(row).catch(() => undefined) },
        ]
      : []),
    ...(mayConfirm && row.status === 'waitbuyerreceive' ? [{ label: '确认收货', onClick: () => confirm(row) }] : []),
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
