import '../product.css';
import { Button } from 'antd';
import { useState } from 'react';
import { ListScreen } from '#kit/web/list/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
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
