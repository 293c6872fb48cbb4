import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { MixedTotal, Tag } from '#kit/web/cells/index.ts';
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
import { ORDER_TAGS, type OrderTag } from '../../contract/status.ts';
import { OrderDrawer } from '../OrderDrawer.tsx';
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

function useBatch(onRemark: (orders: Remarked) => void): BatchAction<OrderRow>[] | undefined {
  const allowed = useAllowed('amz:order:edit');
  const tag = useSend(tagOrders, {
    refreshes: [listOrders, orderDetail, orderChanges],
    onSuccess: ({ changed }) => notice.success(changed > 0 ? `已更新 ${changed} 个订单的标记` : '标记没有变化'),
  });
  if (!allowed) return undefined;
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
  const batch = useBatch(setRemarking);
  const openTab = (row: OrderRow) => tab.open('/orders/detail', { title: row.amazonOrderId, query: { id: row.id } });
  const total = (field: string) => ({
    total: (totals: object) => <MixedTotal totals={totals as never} field={field} />,
  });
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
          ...(mayEdit
            ? [{ label: '备注', edits: true, onClick: () => setRemarking({ ids: [row.id], remark: row.remark ?? '' }) }]
            : []),
        ]}
        {...(batch ? { batch } : {})}
        {...(mayExport ? { exportEndpoint: exportOrders } : {})}
      />
      <OrderDrawer id={open} onClose={() => setOpen(undefined)} />
      {remarking && <RemarkDialog orders={remarking} onClose={() => setRemarking(undefined)} />}
    </>
  );
}
