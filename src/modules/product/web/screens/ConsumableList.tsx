import '../product.css';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import type { RowAction } from '#kit/web/grid/index.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT, IMPORT } from '../../contract/fields.ts';
import { ConsumableRow, listConsumables, SimpleFilter } from '../../contract/material.ts';
import { whereUsed } from '../../contract/parts.ts';
import { TableImport } from '../TableImport.tsx';
import { UseTable } from '../UseTable.tsx';

/** 辅料: what goes into packing, and which products take it. */
export default function ConsumableList() {
  const tab = useTab();
  const [shown, setShown] = useState<ConsumableRow>();
  const [importing, setImporting] = useState(false);
  const may = useAllowed(EDIT);
  const uses = useCall(whereUsed, { body: { productId: shown?.id ?? '' } }, { enabled: shown !== undefined });
  const actions = (row: ConsumableRow): RowAction[] => [
    ...(may
      ? [
          {
            label: '编辑',
            edits: true,
            onClick: () => tab.open('/localproduct/editinfo', { title: `编辑 ${row.sku}`, query: { id: row.id } }),
          },
        ]
      : []),
    { label: '反查用处', onClick: () => setShown(row) },
  ];
  return (
    <>
      <ListScreen
        name="product/consumable"
        title="辅料"
        unit="种辅料"
        endpoint={listConsumables}
        row={ConsumableRow}
        filter={SimpleFilter}
        onOpen={setShown}
        current={shown?.id}
        actions={actions}
        head={
          <>
            <Allowed code={IMPORT}>
              <Button onClick={() => setImporting(true)}>导入</Button>
            </Allowed>
            <Allowed code={EDIT}>
              <Button
                type="primary"
                onClick={() => tab.open('/localproduct/addinfo', { title: '新增辅料', query: { kind: 'consumable' } })}
              >
                新增辅料
              </Button>
            </Allowed>
          </>
        }
      />
      <DetailDrawer
        open={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown?.product.name ?? ''}
        subtitle={shown?.sku}
        scope="使用该辅料的产品"
      >
        <UseTable uses={uses.data} />
      </DetailDrawer>
      <TableImport open={importing} kinds={['consumable', 'product']} onClose={() => setImporting(false)} />
    </>
  );
}
