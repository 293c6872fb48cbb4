import { Button } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
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
import { ReceivingDialog } from '../ReceiptDialog.tsx';
import { useReceiving } from '../receiving.ts';

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

/** 移除订单: orders to send back or destroy stock, the parcels that came of them, and what of these was received. */
export default function Removals() {
  const [open, setOpen] = useState<RemovalRow>();
  const sites = useSiteOptions();
  return (
    <>
      <ListScreen
        name="inventory/removals"
        title="移除订单"
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
