import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen, useView } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import {
  REMOVAL_STATES,
  REMOVAL_TYPES,
  RemovalFilter,
  RemovalRow,
  removals,
} from '#modules/inventory/contract/events.ts';
import { nothingYet, optionsOf } from '#modules/inventory/web/index.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { IncomingRow, parcelsOf } from '../../contract/receipts.ts';
import { REMOVE } from '../../contract/removals.ts';
import { ReceivingDialog } from '../ReceiptDialog.tsx';
import { RemovalDialog } from '../RemovalDialog.tsx';
import { RemovalRequests } from '../RemovalRequests.tsx';
import { useReceiving } from '../receiving.ts';

const TITLE = '移除订单';
const TABS = { field: 'view', apart: true };
const MODES = ['view'];
const CHOICES = { orderType: optionsOf(REMOVAL_TYPES), status: optionsOf(REMOVAL_STATES) };

/** Parcels of a removal order, and what of each was received. */
function Parcels({ row, onClose }: { row: RemovalRow | undefined; onClose: () => void }) {
  const { data } = useCall(parcelsOf, { query: { orderId: row?.orderId ?? '' } }, { enabled: row !== undefined });
  const { may, begin, working, close } = useReceiving();
  const columns = {
    reason: {
      render: (parcel: IncomingRow) =>
        parcel.difference === 0 || !may ? (
          (parcel.reason ?? '—')
        ) : (
          <>
            {parcel.reason}{' '}
            <Button size="small" onClick={() => begin({ what: 'receive', row: parcel })}>
              登记收货
            </Button>{' '}
            <Button size="small" onClick={() => begin({ what: 'settle', row: parcel })}>
              标记差异
            </Button>
          </>
        ),
    },
  };
  return (
    <>
      <DetailDrawer open={row !== undefined} onClose={onClose} title={`移除货件 ${row?.orderId ?? ''}`}>
        {data?.length === 0 ? (
          <Empty title="还没有货件" text="弃置的移除订单没有货件；退回的在发出后显示承运商和追踪号。" />
        ) : (
          <LineTable
            label="移除货件"
            row={IncomingRow}
            only={['day', 'product', 'carrier', 'tracking', 'sent', 'received', 'difference', 'state', 'reason']}
            rows={data}
            rowId={(parcel) => parcel.id}
            columns={columns}
            density="dense"
          />
        )}
      </DetailDrawer>
      <ReceivingDialog working={working} onClose={close} />
    </>
  );
}

interface OrdersProps {
  head: ReactNode;
}

/** Orders as Amazon's report tells them. */
function Orders({ head }: OrdersProps) {
  const [open, setOpen] = useState<RemovalRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="inventory/removals"
        title={TITLE}
        tabs={TABS}
        modes={MODES}
        defaults={{ view: 'orders' }}
        head={head}
        unit="行"
        endpoint={removals.list}
        exportEndpoint={removals.export}
        row={RemovalRow}
        filter={RemovalFilter}
        options={{ ...CHOICES, sites }}
        empty={nothingYet('移除订单')}
        onOpen={setOpen}
        current={open?.id}
      />
      <Parcels row={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

/**
 * 移除订单: orders to send back or destroy stock, the parcels that came of them, and what of these was received; and what was
 * asked for here, before the report tells of it.
 */
export default function Removals() {
  const [view, go] = useView('orders');
  const [creating, setCreating] = useState(false);
  const may = useAllowed(REMOVE);
  const head = may && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      新建移除
    </Button>
  );
  return (
    <>
      {view === 'requests' ? (
        <RemovalRequests
          key="requests"
          title={TITLE}
          tabs={TABS}
          modes={MODES}
          head={head}
          onOrder={(number) => go('orders', { orderId: number })}
        />
      ) : (
        <Orders key="orders" head={head} />
      )}
      {creating && <RemovalDialog onClose={() => setCreating(false)} onDone={() => go('requests', {})} />}
    </>
  );
}
