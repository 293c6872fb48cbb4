import { useState } from 'react';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countShelf, exportShelf, listShelf, SHELVE, ShelfFilter, ShelfRow } from '../../contract/shelf.ts';
import { MODES, ShelfDialog, type ShelfMode } from '../ShelfDialog.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

/** What may be done with a row: what waits gets a place, what has one leaves it or gets another. */
const fits = (mode: ShelfMode, row: ShelfRow) => (mode === 'putaway') === (row.state === 'STAGED');
const blockedBy = (row: ShelfRow) => (row.free === 0 ? '已被单据占用' : row.frozen ? '库位已冻结' : undefined);

/** 库位库存: what lies in which location, and 上架, 下架, 移位 of it. */
export default function ShelfStock() {
  const [job, setJob] = useState<{ mode: ShelfMode; rows: readonly ShelfRow[] }>();
  const warehouses = useWarehouseOptions();
  const mayMove = useAllowed(SHELVE);
  const mayExport = useAllowed('erp:inv:export');
  const open = (mode: ShelfMode, rows: readonly ShelfRow[]) => {
    if (new Set(rows.map((row) => row.warehouseId)).size > 1) return notice.warning('一次只能操作同一仓库的库存');
    setJob({ mode, rows });
  };
  const modes = Object.keys(MODES) as ShelfMode[];
  const actions = (row: ShelfRow): RowAction[] =>
    modes
      .filter((mode) => fits(mode, row))
      .map((mode) => ({ label: MODES[mode], onClick: () => open(mode, [row]), blocked: blockedBy(row) }));
  const batch: BatchAction<ShelfRow>[] = modes.map((mode) => ({
    label: MODES[mode],
    primary: mode === 'putaway',
    onClick: (rows) => open(mode, rows),
    unfit: (row) => blockedBy(row) ?? (fits(mode, row) ? undefined : `不能${MODES[mode]}`),
  }));
  return (
    <>
      <ListScreen
        name="warehouse/shelf"
        title="库位库存"
        unit="行"
        endpoint={listShelf}
        {...(mayExport ? { exportEndpoint: exportShelf } : {})}
        row={ShelfRow}
        filter={ShelfFilter}
        tabs={{ field: 'state', counts: countShelf }}
        options={{ warehouses }}
        {...(mayMove ? { actions, batch } : {})}
        empty={
          <Empty title="还没有库存" text="收货后货物先在暂存位，上架后放到库位；库位在仓库设置里批量生成。">
            <TabLink to="/erp/warehouse/shelf/create" title="库位">
              去建库位
            </TabLink>
          </Empty>
        }
        note="上架、下架和移位不改变库存数量和成本，被单据占用的数量不能移动"
      />
      {job && <ShelfDialog mode={job.mode} rows={job.rows} onClose={() => setJob(undefined)} />}
    </>
  );
}
