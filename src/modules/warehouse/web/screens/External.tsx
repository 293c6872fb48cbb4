import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { countExternal, ExternalFilter, ExternalRow, listExternal, RECONCILE, SYNC } from '../../contract/external.ts';
import { AdjustDialog, BindDialog, UploadDialog } from '../ExternalDialogs.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

const unfit = (row: ExternalRow) =>
  row.productId === null ? '未绑定产品' : row.difference === 0 ? '没有差异' : undefined;

/** 三方仓对账: our books beside what a third-party warehouse says. */
export default function External() {
  const [uploading, setUploading] = useState(false);
  const [binding, setBinding] = useState<ExternalRow>();
  const [adjusting, setAdjusting] = useState<readonly ExternalRow[]>();
  const warehouses = useWarehouseOptions();
  const mayEdit = useAllowed(RECONCILE);
  const adjust = (rows: readonly ExternalRow[]) => {
    if (new Set(rows.map((row) => row.warehouseId)).size > 1) return notice.warning('一次只能校正同一仓库');
    setAdjusting(rows);
  };
  const actions = (row: ExternalRow): RowAction[] =>
    row.productId === null
      ? [{ label: '绑定SKU', onClick: () => setBinding(row) }]
      : [{ label: '生成校正单', onClick: () => adjust([row]), blocked: unfit(row) }];
  const batch: BatchAction<ExternalRow>[] = [{ label: '生成校正单', primary: true, unfit, onClick: adjust }];
  return (
    <>
      <ListScreen
        name="warehouse/external"
        title="三方仓对账"
        unit="行"
        endpoint={listExternal}
        row={ExternalRow}
        filter={ExternalFilter}
        tabs={{ field: 'match', counts: countExternal }}
        options={{ warehouses }}
        head={
          <Allowed code={SYNC}>
            <Button type="primary" onClick={() => setUploading(true)}>
              上传库存
            </Button>
          </Allowed>
        }
        {...(mayEdit ? { actions, batch } : {})}
        empty={<Empty title="还没有对方数据" text="上传第三方海外仓导出的库存清单，与账面逐个 SKU 对照。" />}
        note="对方数据不写入账面；差异经校正单计入盘盈盘亏"
      />
      <UploadDialog open={uploading} onClose={() => setUploading(false)} />
      {adjusting && <AdjustDialog rows={adjusting} onClose={() => setAdjusting(undefined)} />}
      {binding && <BindDialog row={binding} onClose={() => setBinding(undefined)} />}
    </>
  );
}
