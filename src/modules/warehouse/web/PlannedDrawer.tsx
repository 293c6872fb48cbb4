import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import type { StockRow } from '../contract/inventory.ts';
import { listPlanned, PlannedRow } from '../contract/planned.ts';
import { DocumentLink } from './links.tsx';

function Plans({ row }: { row: StockRow }) {
  const { productId, warehouseId } = row;
  const { data, isError, error, refetch } = useCall(
    listPlanned,
    { query: { productId, warehouseId } },
    { staleTime: 0 },
  );
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="warehouse-body">
      <p className="text3">已提交、待审核的单据；审核通过后转为「待出库」，提交 7 天后仍未审核的不再占用。</p>
      <LineTable
        label="计划占用"
        row={PlannedRow}
        rows={data}
        rowId={(one) => one.id}
        none="没有计划占用"
        columns={{
          number: { render: (one) => <DocumentLink number={one.number} path={one.path} />, text: (one) => one.number },
        }}
      />
    </div>
  );
}

/** The submitted plans that a row's 计划占用 is made of. */
export function PlannedDrawer({ row, onClose }: { row: StockRow | undefined; onClose: () => void }) {
  return (
    <DetailDrawer
      open={row !== undefined}
      onClose={onClose}
      title="计划占用"
      subtitle={row && `${row.product.code} · ${row.warehouse}`}
    >
      {row && <Plans row={row} />}
    </DetailDrawer>
  );
}
