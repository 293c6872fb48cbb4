import '../product.css';
import { Button, Modal } from 'antd';
import { useState } from 'react';
import { cacheKey, call, queryClient } from '#kit/web/api/index.ts';
import type { RowAction } from '#kit/web/grid/RowActions.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  commitTable,
  ImportFilter,
  ImportKind,
  ImportRow,
  type ImportKind as Kind,
  listTableImports,
} from '../../contract/imports.ts';
import { TableImport } from '../TableImport.tsx';

function kindsFrom(address: string): readonly Kind[] {
  const asked = ImportKind.safeParse(new URLSearchParams(address.split('?')[1]).get('kind'));
  const others = ImportKind.options.filter((kind) => kind !== asked.data);
  return asked.success ? [asked.data, ...others] : others;
}

/** A checked file that nobody has written yet can be written from here, whoever checked it. */
function actionsOf({ id, state, number, rows, kind }: ImportRow): RowAction[] {
  if (state !== 'draft') return [];
  const title = ImportKind.meta()?.states?.[kind]?.title ?? '';
  const write = async () => {
    const done = await call(commitTable, { params: { id } });
    notice.success(`${done.number} 已写入 ${done.rows} 行，变更 ${done.changed} 行`);
    await queryClient.invalidateQueries({ queryKey: cacheKey(listTableImports) });
  };
  const ask = () =>
    Modal.confirm({ title: `写入 ${number}？`, content: `将写入 ${rows} 行${title}`, okText: '写入', onOk: write });
  return [{ label: '写入', onClick: ask }];
}

/** 资料导入: what was imported, and every table that can be. */
export default function ImportList() {
  const tab = useTab();
  const kinds = kindsFrom(tab.address);
  const [open, setOpen] = useState(tab.address.includes('kind='));
  return (
    <>
      <ListScreen
        name="product/imports"
        title="资料导入"
        unit="次导入"
        density="dense"
        endpoint={listTableImports}
        row={ImportRow}
        filter={ImportFilter}
        actions={actionsOf}
        empty={<Empty title="还没有导入过资料" text="先下载模板，或导出现有数据修改后导入。全部行通过才写入。" />}
        head={
          <Button type="primary" onClick={() => setOpen(true)}>
            导入
          </Button>
        }
      />
      <TableImport open={open} kinds={kinds} onClose={() => setOpen(false)} />
    </>
  );
}
