import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { DueDay } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { type TabScope, useTab } from '#kit/web/tabs/scope.ts';
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

/** A ship order is written with what the shipment says. */
const adopt = (tab: TabScope, shipment: string) =>
  tab.open('/invoice/addshipment', { title: '新增发货单', query: { shipment } });

function ShipmentDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const tab = useTab();
  const { data, isError, error, refetch } = useCall(
    fbaShipmentDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const { shipment, items } = data ?? {};
  const make = () => {
    onClose();
    adopt(tab, id ?? '');
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
            <Button type="primary" onClick={make}>
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

interface Props {
  title: string;
  /** Only those that no ship order names and nobody ignored. */
  orphans?: boolean;
  empty: ReactNode;
}

const ORPHANS = { orphan: true };
const OrphanFilter = FbaShipmentFilter.omit({ orphan: true, differs: true });

/** Shipments as Amazon has them, what was received, and the ship order that each belongs to. */
export function Shipments({ title, orphans = false, empty }: Props) {
  const choices = useShipChoices();
  const mayExport = useAllowed(EXPORT);
  const mayWrite = useAllowed(ADD);
  const tab = useTab();
  const [open, setOpen] = useState<string>();
  const ignore = useSend(ignoreFbaShipments, {
    refreshes: [listFbaShipments, countFbaShipments],
    onSuccess: ({ changed }) => notice.success(`已处理 ${changed} 个货件`),
  });
  const put = (rows: readonly FbaShipmentRow[], ignored: boolean) =>
    ignore.mutate({ body: { ids: rows.map((row) => row.id), ignored } });
  const offers = (row: FbaShipmentRow) => [
    { label: '生成发货单', onClick: () => adopt(tab, row.id) },
    { label: '忽略', onClick: () => put([row], true) },
  ];
  return (
    <>
      <ListScreen
        name="shipping/shipments"
        title={title}
        unit="个货件"
        endpoint={listFbaShipments}
        {...(mayExport ? { exportEndpoint: exportFbaShipments } : {})}
        row={FbaShipmentRow}
        filter={orphans ? OrphanFilter : FbaShipmentFilter}
        {...(orphans ? { fixed: ORPHANS } : {})}
        options={{ authid: toOptions(choices?.stores) }}
        tabs={{ field: 'status', counts: countFbaShipments }}
        columns={COLUMNS}
        onOpen={(row) => setOpen(row.id)}
        current={open}
        {...(orphans && mayWrite ? { actions: offers } : {})}
        head={orphans ? undefined : <Button onClick={() => tab.open('/e/s/a', { title: '同步货件' })}>同步货件</Button>}
        batch={
          mayWrite
            ? [
                { label: '忽略', onClick: (rows) => put(rows, true) },
                ...(orphans ? [] : [{ label: '取消忽略', onClick: (rows: FbaShipmentRow[]) => put(rows, false) }]),
              ]
            : []
        }
        empty={empty}
      />
      <ShipmentDrawer id={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
