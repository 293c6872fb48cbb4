import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import {
  ParcelRow,
  REMOVAL_STATES,
  REMOVAL_TYPES,
  RemovalFilter,
  RemovalRow,
  removalParcels,
  removals,
} from '../../contract/events.ts';
import { nothingYet, optionsOf } from '../facts.tsx';

const CHOICES = { orderType: optionsOf(REMOVAL_TYPES), status: optionsOf(REMOVAL_STATES) };

function Parcels({ row, onClose }: { row: RemovalRow | undefined; onClose: () => void }) {
  const { data } = useCall(removalParcels, { query: { orderId: row?.orderId ?? '' } }, { enabled: row !== undefined });
  return (
    <DetailDrawer open={row !== undefined} onClose={onClose} title={`移除货件 ${row?.orderId ?? ''}`}>
      {data?.length === 0 ? (
        <Empty title="还没有货件" text="弃置的移除订单没有货件；退回的在发出后显示承运商和追踪号。" />
      ) : (
        <LineTable label="移除货件" row={ParcelRow} rows={data} rowId={(parcel) => parcel.id} />
      )}
    </DetailDrawer>
  );
}

/** 移除订单: orders to send back or destroy stock, and the parcels that came of them. */
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
