import { Button, Modal } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall, useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { filterFields, filterQuery, ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  deleteWarehouse,
  disableWarehouse,
  listAddresses,
  listWarehouses,
  setDefaultWarehouse,
  WarehouseFilter,
  WarehouseRow,
  warehouseChoices,
} from '../../contract/base.ts';
import { StockFilter } from '../../contract/inventory.ts';
import { WarehouseDialog } from '../WarehouseDialog.tsx';

const STOCK = filterFields(StockFilter);

const COLUMNS: ColumnOverrides<WarehouseRow> = {
  onHand: {
    render: (row) => (
      <TabLink to="/erp/inventory/report/base" title="库存报表" query={filterQuery(STOCK, { warehouses: [row.id] })}>
        {formatInteger(row.onHand)}
      </TabLink>
    ),
    text: (row) => String(row.onHand),
  },
};

/** 仓库列表: the places that hold stock, each 仓位 of one quality. */
export default function Warehouses() {
  const [editing, setEditing] = useState<WarehouseRow | 'new'>();
  const mayEdit = useAllowed('erp:wh:base:edit');
  const refreshes = [listWarehouses, warehouseChoices];
  const disable = useSend(disableWarehouse, { refreshes });
  const remove = useSend(deleteWarehouse, { refreshes });
  const ask = (row: WarehouseRow) =>
    Modal.confirm({
      title: `删除仓位「${row.name}」？`,
      content: '连同它的库位一起删除。有过出入库或单据的仓位不能删除，可以停用。',
      okText: '删除',
      okButtonProps: { danger: true },
      onOk: () => remove.mutateAsync({ body: { id: row.id } }).catch(() => {}),
    });
  const prefer = useSend(setDefaultWarehouse, { refreshes });
  const { data: addresses } = useCall(listAddresses, { body: { pagesize: 100, filter: {} } });
  const actions = (row: WarehouseRow): RowAction[] => [
    { label: '编辑', onClick: () => setEditing(row), edits: true },
    {
      label: '设为默认',
      onClick: () => prefer.mutate({ body: { id: row.id } }),
      blocked: row.isDefault ? '已是默认' : undefined,
    },
    row.state === 'USED'
      ? {
          label: '停用',
          danger: true,
          onClick: () => disable.mutate({ body: { id: row.id, disabled: true } }),
          blocked: row.onHand + row.inTransit > 0 ? '仍有库存' : undefined,
        }
      : { label: '恢复', onClick: () => disable.mutate({ body: { id: row.id, disabled: false } }) },
    {
      label: '删除',
      danger: true,
      onClick: () => ask(row),
      blocked: row.onHand + row.inTransit > 0 ? '仍有库存' : undefined,
    },
  ];
  const add = (
    <Allowed code="erp:wh:base:edit">
      <Button type="primary" onClick={() => setEditing('new')}>
        新增仓库
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name="warehouse/warehouses"
        title="仓库列表"
        unit="个仓位"
        endpoint={listWarehouses}
        row={WarehouseRow}
        filter={WarehouseFilter}
        columns={COLUMNS}
        head={add}
        {...(mayEdit ? { actions } : {})}
        empty={
          <Empty title="还没有仓库" text="一个仓库通常有正品、待检、次品三个仓位，库存按仓位分开。">
            {add}
          </Empty>
        }
      />
      <WarehouseDialog
        row={editing === 'new' ? undefined : editing}
        open={editing !== undefined}
        addresses={(addresses?.records ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onClose={() => setEditing(undefined)}
      />
    </>
  );
}
