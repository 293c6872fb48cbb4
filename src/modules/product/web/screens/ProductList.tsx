import '../product.css';
import { Button, Modal } from 'antd';
import { useMemo, useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { download, useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides, RowAction } from '#kit/web/grid/index.ts';
import { type BatchAction, ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { ARCHIVE, EDIT, EXPORT, IMPORT } from '../../contract/fields.ts';
import { exportPictures } from '../../contract/imports.ts';
import {
  countProducts,
  exportProducts,
  listProducts,
  offlineProducts,
  ProductFilter,
  ProductRow,
  restoreProducts,
} from '../../contract/material.ts';
import { BatchEdit } from '../BatchEdit.tsx';
import { LabelDialog } from '../LabelDialog.tsx';
import { useProductOptions } from '../options.ts';
import { TableImport } from '../TableImport.tsx';
import { TiersPopover } from '../TiersPopover.tsx';

const KINDS = ['product', 'price', 'bom', 'consumable', 'customs'] as const;
const COLUMNS: ColumnOverrides<ProductRow> = {
  supplier: { render: (row) => <TiersPopover row={row} />, text: (row) => row.supplier ?? '' },
};
const REFRESHES = [listProducts, countProducts];

/** 本地产品 */
export default function ProductList() {
  const tab = useTab();
  const choices = useProductOptions();
  const [editing, setEditing] = useState<ProductRow[]>();
  const [importing, setImporting] = useState(false);
  const [printing, setPrinting] = useState<string[]>();
  const mayEdit = useAllowed(EDIT);
  const mayArchive = useAllowed(ARCHIVE);
  const mayExport = useAllowed(EXPORT);
  const options = useMemo(
    () => ({
      supplierId: choices.suppliers ?? [],
      categoryId: choices.categories ?? [],
      ownerId: choices.people ?? [],
      brandId: choices.brands ?? [],
      tagId: choices.tags ?? [],
    }),
    [choices],
  );
  const offline = useSend(offlineProducts, {
    refreshes: REFRESHES,
    onSuccess: ({ changed, problems }) => {
      const [first] = problems;
      if (first) notice.error(`已停用 ${changed} 个；${first.sku}：${first.reason}`);
      else notice.success(`已停用 ${changed} 个产品`);
    },
  });
  const restore = useSend(restoreProducts, {
    refreshes: REFRESHES,
    onSuccess: ({ changed }) => notice.success(`已恢复 ${changed} 个产品`),
  });
  const open = (row: ProductRow) => tab.open('/material/details', { title: row.sku, query: { id: row.id } });
  const edit = (row: ProductRow) =>
    tab.open('/localproduct/editinfo', { title: `编辑 ${row.sku}`, query: { id: row.id } });
  const takeOffline = (rows: readonly ProductRow[]) =>
    Modal.confirm({
      title: `停用 ${rows.length} 个产品`,
      content: '停用后不能再采购和配对；有库存、未完单据或被组合使用的产品不会停用。',
      okText: '停用',
      okButtonProps: { danger: true },
      onOk: () => offline.mutateAsync({ body: { ids: rows.map((row) => row.id) } }),
    });
  const actions = (row: ProductRow): RowAction[] => [
    ...(mayEdit ? [{ label: '编辑', edits: true, onClick: () => edit(row) }] : []),
    { label: '详情', onClick: () => open(row) },
    ...(mayEdit
      ? [
          {
            label: '复制',
            onClick: () => tab.open('/localproduct/addinfo', { title: `复制 ${row.sku}`, query: { copy: row.id } }),
          },
        ]
      : []),
    ...(mayArchive && row.lifecycle === 'offline'
      ? [{ label: '恢复', onClick: () => restore.mutate({ body: { ids: [row.id] } }) }]
      : []),
    ...(mayArchive && row.lifecycle !== 'offline'
      ? [{ label: '停用', danger: true, onClick: () => takeOffline([row]) }]
      : []),
  ];
  const batch: BatchAction<ProductRow>[] = [
    ...(mayEdit
      ? [
          {
            label: '批量编辑',
            primary: true,
            unfit: (row: ProductRow) => (row.lifecycle === 'offline' ? '产品已停用' : undefined),
            onClick: setEditing,
          },
        ]
      : []),
    ...(mayExport
      ? [
          {
            label: '导出（含图片）',
            onClick: (rows: ProductRow[]) =>
              void download(exportPictures, { body: { ids: rows.map((row) => row.id) } }).catch(() => {}),
          },
        ]
      : []),
    { label: '打印标签', onClick: (rows: ProductRow[]) => setPrinting(rows.map((row) => row.id)) },
    ...(mayArchive
      ? [
          {
            label: '停用',
            unfit: (row: ProductRow) => (row.lifecycle === 'offline' ? '产品已停用' : undefined),
            onClick: takeOffline,
          },
          {
            label: '恢复',
            unfit: (row: ProductRow) => (row.lifecycle === 'offline' ? undefined : '产品在用'),
            onClick: (rows: ProductRow[]) => restore.mutate({ body: { ids: rows.map((row) => row.id) } }),
          },
        ]
      : []),
  ];
  return (
    <>
      <ListScreen
        name="product/list"
        title="本地产品"
        unit="个产品"
        endpoint={listProducts}
        {...(mayExport ? { exportEndpoint: exportProducts } : {})}
        row={ProductRow}
        filter={ProductFilter}
        options={options}
        tabs={{ field: 'lifecycle', counts: countProducts }}
        columns={COLUMNS}
        onOpen={open}
        actions={actions}
        actionsWidth={92}
        batch={batch}
        empty={<Empty title="还没有产品" text="新增一个，或用表格导入。平台上卖出的 SKU 也会自动列在这里。" />}
        head={
          <>
            <Allowed code={IMPORT}>
              <Button onClick={() => setImporting(true)}>导入</Button>
            </Allowed>
            <Allowed code={EDIT}>
              <Button type="primary" onClick={() => tab.open('/localproduct/addinfo', { title: '新增产品' })}>
                新增产品
              </Button>
            </Allowed>
          </>
        }
      />
      <BatchEdit rows={editing} onClose={() => setEditing(undefined)} />
      <LabelDialog ids={printing} onClose={() => setPrinting(undefined)} />
      <TableImport open={importing} kinds={KINDS} onClose={() => setImporting(false)} />
    </>
  );
}
