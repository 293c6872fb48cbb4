import { Button } from 'antd';
import { Allowed } from '#kit/web/Allowed.tsx';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { EDIT } from '../../contract/fields.ts';
import { listPackages, PackageRow, SimpleFilter } from '../../contract/material.ts';

/** 箱子: boxes to pack into, with what fits into each. */
export default function PackageList() {
  const tab = useTab();
  const may = useAllowed(EDIT);
  const edit = (row: PackageRow) =>
    tab.open('/localproduct/editinfo', { title: `编辑 ${row.sku}`, query: { id: row.id } });
  return (
    <ListScreen
      name="product/package"
      title="箱子"
      unit="种箱子"
      endpoint={listPackages}
      row={PackageRow}
      filter={SimpleFilter}
      {...(may ? { actions: (row: PackageRow) => [{ label: '编辑', edits: true, onClick: () => edit(row) }] } : {})}
      head={
        <Allowed code={EDIT}>
          <Button
            type="primary"
            onClick={() => tab.open('/localproduct/addinfo', { title: '新增箱子', query: { kind: 'package' } })}
          >
            新增箱子
          </Button>
        </Allowed>
      }
    />
  );
}
