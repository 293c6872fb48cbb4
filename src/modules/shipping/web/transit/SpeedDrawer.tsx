import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { SpeedRow, transitSpeed } from '../../contract/transit.ts';

/** 物流时效: how long shipments of the last half year took by way and site. */
export function SpeedDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { data, isError, error, refetch } = useCall(transitSpeed, {}, { enabled: open });
  return (
    <DetailDrawer open={open} onClose={onClose} title="物流时效" subtitle="最近 180 天出库的货件；不足 5 个的不计算">
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LineTable row={SpeedRow} rows={data} rowId={(row) => `${row.transport} ${row.country}`} label="物流时效" />
      )}
    </DetailDrawer>
  );
}
