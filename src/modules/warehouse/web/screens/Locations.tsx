import { Button, Modal } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useSend } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import {
  deleteLocations,
  freezeLocations,
  LocationFilter,
  LocationRow,
  listLocations,
  locationLabels,
} from '../../contract/base.ts';
import { BatchDialog, LocationDialog, MergeDialog } from '../LocationDialogs.tsx';
import { LocationTree } from '../LocationTree.tsx';
import { useWarehouseOptions } from '../warehouses.ts';

/** 库位: the shelves of a warehouse with what lies in them, as a list and as a tree. */
export default function Locations() {
  const [open, setOpen] = useState<'batch' | 'tree'>();
  const [editing, setEditing] = useState<LocationRow>();
  const [merging, setMerging] = useState<LocationRow>();
  const warehouses = useWarehouseOptions();
  const mayEdit = useAllowed('erp:wh:shelf:add');
  const freeze = useSend(freezeLocations, { refreshes: [listLocations] });
  const remove = useSend(deleteLocations, { refreshes: [listLocations] });
  const ids = (rows: readonly LocationRow[]) => rows.map((row) => row.id);
  const print = (rows: readonly LocationRow[]) => void download(locationLabels, { body: { ids: ids(rows) } });
  const ask = (rows: readonly LocationRow[]) =>
    Modal.confirm({
      title: `删除 ${rows.length} 个库位？`,
      content: '只能删除没有库存的库位。有过出入库的库位保留其流水，不再显示。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => remove.mutateAsync({ body: { ids: ids(rows) } }).catch(() => {}),
    });
  const full = (row: LocationRow) => (row.qty > 0 ? '仍有库存' : row.type === 'STAGING' ? '暂存位不能删除' : undefined);
  const actions = (row: LocationRow): RowAction[] => [
    { label: '打印标签', onClick: () => print([row]) },
    ...(mayEdit
      ? [
          {
            label: '修改',
            onClick: () => setEditing(row),
            edits: true,
            blocked: row.type === 'STAGING' || row.type === 'AREA' ? '暂存位和区域不能修改' : undefined,
          },
          {
            label: row.frozen ? '解冻' : '冻结',
            onClick: () => freeze.mutate({ body: { ids: [row.id], frozen: !row.frozen } }),
          },
          {
            label: '合并到…',
            onClick: () => setMerging(row),
            blocked: row.type === 'STAGING' ? '暂存位不能被合并' : undefined,
          },
          { label: '删除', danger: true, onClick: () => ask([row]), blocked: full(row) },
        ]
      : []),
  ];
  const batch: BatchAction<LocationRow>[] = [
    { label: '打印标签', onClick: print, primary: true },
    ...(mayEdit
      ? [
          {
            label: '冻结',
            onClick: (rows: LocationRow[]) => freeze.mutate({ body: { ids: ids(rows), frozen: true } }),
          },
          {
            label: '解冻',
            onClick: (rows: LocationRow[]) => freeze.mutate({ body: { ids: ids(rows), frozen: false } }),
          },
          { label: '删除', danger: true, unfit: full, onClick: ask },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="warehouse/locations"
        title="库位"
        unit="个库位"
        endpoint={listLocations}
        row={LocationRow}
        filter={LocationFilter}
        options={{ warehouses }}
        head={
          <>
            <Button onClick={() => setOpen('tree')}>树形查看</Button>
            <Allowed code="erp:wh:shelf:add">
              <Button type="primary" onClick={() => setOpen('batch')}>
                批量生成
              </Button>
            </Allowed>
          </>
        }
        actions={actions}
        batch={batch}
        empty={<Empty title="还没有库位" text="新增仓库后会有一个暂存位，其它库位可以批量生成。" />}
        note="冻结的库位不能出入库，也不参与拣货分配"
      />
      <BatchDialog open={open === 'batch'} warehouses={warehouses ?? []} onClose={() => setOpen(undefined)} />
      <LocationTree open={open === 'tree'} warehouses={warehouses ?? []} onClose={() => setOpen(undefined)} />
      <LocationDialog row={editing} onClose={() => setEditing(undefined)} />
      <MergeDialog row={merging} onClose={() => setMerging(undefined)} />
    </>
  );
}
