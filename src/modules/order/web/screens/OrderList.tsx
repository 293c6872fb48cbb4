import { Button } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { useSend } from '#kit/web/api/index.ts';
import { mixedTotal, Tag } from '#kit/web/cells/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  exportOrders,
  listOrders,
  OrderFilter,
  OrderRow,
  orderChanges,
  orderDetail,
  orderStatusCounts,
  tagOrders,
} from '../../contract/orders.ts';
import { ORDER_TAGS, OrderStatus, type OrderTag } from '../../contract/status.ts';
import { PasteDialog } from '../acts/PasteDialog.tsx';
import { ShipDialog } from '../acts/ShipDialog.tsx';
import { useSolicit } from '../acts/use-solicit.ts';
import { OrderDrawer } from '../OrderDrawer.tsx';
import { OrderState } from '../OrderState.tsx';
import { useOrderOptions } from '../options.ts';
import { RemarkDialog } from '../RemarkDialog.tsx';

const DEFAULTS = { dateType: 'purchase' };
const MODES = ['dateType'];
const TAG_NAMES = Object.keys(ORDER_TAGS) as OrderTag[];

const NOTHING = (
  <Empty title="还没有订单" text="授权店铺后自动同步订单，也可以上传亚马逊的所有订单报告或自己的订单列表。">
    <TabLink to="/amazon/storeAuth" title="店铺管理">
      去授权店铺
    </TabLink>
  </Empty>
);

function Tags({ row }: { row: OrderRow }) {
  if (row.tags.length === 0) return <span className="text3">—</span>;
  return row.tags.map((tag) => <Tag key={tag} tone={tag === 'abnormal' ? 'trouble' : 'off'} title={ORDER_TAGS[tag]} />);
}

interface Remarked {
  ids: string[];
  remark: string;
}

/** Why a row cannot be reported as sent. */
function unshippable(row: OrderRow): string | undefined {
  if (row.fulfilledBy === 'AMAZON') return 'FBA 订单由亚马逊发货';
  return ['UNSHIPPED', 'PARTIALLY_SHIPPED'].includes(row.status) ? undefined : '订单不在待发货状态';
}

/** What is done at the marketplace, by those who may. */
function useActs(onShip: (numbers: string[]) => void): BatchAction<OrderRow>[] {
  const mayShip = useAllowed('amz:order:ship');
  const maySolicit = useAllowed('amz:review:send');
  const solicit = useSolicit();
  return [
    ...(mayShip
      ? [
          {
            label: '确认发货',
            unfit: unshippable,
            onClick: (rows: OrderRow[]) => onShip(rows.map((row) => row.amazonOrderId)),
          },
        ]
      : []),
    ...(maySolicit
      ? [
          {
            label: '请求评价',
            unfit: (row: OrderRow) =>
              row.status !== 'SHIPPED' ? '订单还没有发货' : row.review === 'done' ? '已经请求过评价' : undefined,
            onClick: (rows: OrderRow[]) => solicit(rows.map((row) => row.id)),
          },
        ]
      : []),
  ];
}

function useBatch(onRemark: (orders: Remarked) => void): BatchAction<OrderRow>[] {
  const allowed = useAllowed('amz:order:edit');
  const tag = useSend(tagOrders, {
    refreshes: [listOrders, orderDetail, orderChanges],
    onSuccess: ({ changed }) => notice.success(changed > 0 ? `已更新 ${changed} 个订单的标记` : '标记没有变化'),
  });
  if (!allowed) return [];
  const idsOf = (rows: OrderRow[]) => rows.map((row) => row.id);
  return [
    ...TAG_NAMES.map((name) => ({
      label: `标记${ORDER_TAGS[name]}`,
      unfit: (row: OrderRow) => (row.tags.includes(name) ? `已标记${ORDER_TAGS[name]}` : undefined),
      onClick: (rows: OrderRow[]) => tag.mutate({ body: { ids: idsOf(rows), add: [name] } }),
    })),
    {
      label: '取消标记',
      unfit: (row: OrderRow) => (row.tags.length === 0 ? '没有标记' : undefined),
      onClick: (rows: OrderRow[]) => tag.mutate({ body: { ids: idsOf(rows), remove: TAG_NAMES } }),
    },
    { label: '备注', onClick: (rows) => onRemark({ ids: idsOf(rows), remark: '' }) },
  ];
}

/** 订单列表: every order of the company's stores, newest first. */
export default function OrderList() {
  const [open, setOpen] = useState<string>();
  const [remarking, setRemarking] = useState<Remarked>();
  const options = useOrderOptions();
  const tab = useTab();
  const mayEdit = useAllowed('amz:order:edit');
  const mayExport = useAllowed('amz:order:export');
  const [shipping, setShipping] = useState<string>();
  const [pasting, setPasting] = useState<string[]>();
  const mayShip = useAllowed('amz:order:ship');
  const acts = useActs(setPasting);
  const marks = useBatch(setRemarking);
  const batch = [...acts, ...marks];
  const openTab = (row: OrderRow) => tab.open('/orders/detail', { title: row.amazonOrderId, query: { id: row.id } });
  const total = (field: string) => ({ total: mixedTotal(field) });
  return (
    <>
      <ListScreen
        name="order/list"
        title="订单列表"
        unit="单"
        endpoint={listOrders}
        row={OrderRow}
        filter={OrderFilter}
        defaults={DEFAULTS}
        modes={MODES}
        options={options}
        tabs={{ field: 'status', counts: orderStatusCounts }}
        columns={{
          itemAmount: total('itemAmount'),
          discountAmount: total('discountAmount'),
          orderTotal: total('orderTotal'),
          status: {
            width: 170,
            render: (row) => <OrderState order={row} short />,
            text: (row) => metaOf(OrderStatus).states?.[row.status]?.title ?? row.status,
          },
          tags: {
            render: (row) => <Tags row={row} />,
            text: (row) => row.tags.map((tag) => ORDER_TAGS[tag]).join('、'),
          },
        }}
        empty={NOTHING}
        onOpen={(row) => setOpen(row.id)}
        onOpenTab={openTab}
        current={open}
        actionsWidth={110}
        actions={(row) => [
          { label: '详情', onClick: () => setOpen(row.id) },
          {
            label: '打开详情页',
            onClick: () => openTab(row),
          },
          ...(mayShip && unshippable(row) === undefined
            ? [{ label: '确认发货', onClick: () => setShipping(row.id) }]
            : []),
          ...(mayEdit
            ? [{ label: '备注', edits: true, onClick: () => setRemarking({ ids: [row.id], remark: row.remark ?? '' }) }]
            : []),
        ]}
        {...(batch.length > 0 ? { batch } : {})}
        {...(mayShip ? { toolbar: <Button onClick={() => setPasting([])}>批量确认发货</Button> } : {})}
        {...(mayExport ? { exportEndpoint: exportOrders } : {})}
      />
      <OrderDrawer id={open} onClose={() => setOpen(undefined)} />
      {shipping && <ShipDialog id={shipping} onClose={() => setShipping(undefined)} />}
      {pasting && <PasteDialog numbers={pasting} onClose={() => setPasting(undefined)} />}
      {remarking && <RemarkDialog orders={remarking} onClose={() => setRemarking(undefined)} />}
    </>
  );
}
