import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { DueDay } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { ADD, EXPORT } from '../../contract/fields.ts';
import { shipOrder } from '../../contract/order.ts';
import {
  countFbaShipments,
  exportFbaShipments,
  FbaItemRow,
  FbaShipmentFilter,
  FbaShipmentRow,
  fbaShipmentDetail,
  ignoreFbaShipments,
  listFbaShipments,
} from '../../contract/shipment.ts';
import { toOptions, useShipChoices } from '../choices.ts';

const COLUMNS: ColumnOverrides<FbaShipmentRow> = {
  order: {
    render: (row) =>
      row.order && row.orderId ? (
        <TabLink to={shipOrder.detail} title={row.order} query={{ id: row.orderId }}>
          {row.order}
        </TabLink>
      ) : (
        <span className="text3">—</span>
      ),
    text: (row) => row.order ?? '',
  },
  claims: {
    render: (row) =>
      row.claims > 0 ? (
        <TabLink to="/erp/ship/discrepancy" title="差异与索赔" query={{ 'f.keyword': row.shipmentNo }}>
          {row.claims}
        </TabLink>
      ) : (
        <span className="text3">—</span>
      ),
    text: (row) => String(row.claims),
  },
  deadline: {
    render: (row) => <DueDay day={row.deadline} none="—" />,
    text: (row) => row.deadline ?? '',
  },
  arriveBy: {
    render: (row) => <DueDay day={row.arriveBy} none="—" />,
    text: (row) => row.arriveBy ?? '',
  },
};

function ShipmentDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const tab = useTab();
  const { data, isError, error, refetch } = useCall(
    fbaShipmentDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const { shipment, items } = data ?? {};
  const adopt = () => {
    onClose();
    tab.open('/invoice/addshipment', { title: '新增发货单', query: { shipment: id ?? '' } });
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={shipment?.shipmentNo ?? '货件'}
      subtitle={shipment && `${shipment.store.name}-${shipment.store.country} → ${shipment.center || '—'}`}
      actions={
        shipment && shipment.order === null ? (
          <Allowed code={ADD}>
            <Button type="primary" onClick={adopt}>
              生成发货单
            </Button>
          </Allowed>
        ) : undefined
      }
    >
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LineTable row={FbaItemRow} rows={items} rowId={(row) => row.msku} density="picture" label="货件明细" />
      )}
    </DetailDrawer>
  );
}

/** 货件跟踪: shipments as Amazon has them, what was received, and the ship order that each belongs to. */
export default function ShipmentList() {
  const choices = useShipChoices();
  const mayExport = useAllowed(EXPORT);
  const mayIgnore = useAllowed(ADD);
  const [open, setOpen] = useState<string>();
  const ignore = useSend(ignoreFbaShipments, {
    refreshes: [listFbaShipments, countFbaShipments],
    onSuccess: ({ changed }) => notice.success(`已处理 ${changed} 个货件`),
  });
  const put = (rows: readonly FbaShipmentRow[], ignored: boolean) =>
    ignore.mutate({ body: { ids: rows.map((row) => row.id), ignored } });
  return (
    <>
      <ListScreen
        name="shipping/shipments"
        title="货件跟踪"
        unit="个货件"
        endpoint={listFbaShipments}
        {...(mayExport ? { exportEndpoint: exportFbaShipments } : {})}
        row={FbaShipmentRow}
        filter={FbaShipmentFilter}
        options={{ authid: toOptions(choices?.stores) }}
        tabs={{ field: 'status', counts: countFbaShipments }}
        columns={COLUMNS}
        onOpen={(row) => setOpen(row.id)}
        current={open}
        batch={
          mayIgnore
            ? [
                { label: '忽略', onClick: (rows) => put(rows, true) },
                { label: '取消忽略', onClick: (rows) => put(rows, false) },
              ]
            : []
        }
        empty={
          <Empty
            title="还没有货件"
            text="授权店铺后每半小时同步亚马逊的货件；发货单填写货件编号后，接收数量会自动登记。"
          />
        }
      />
      <ShipmentDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
