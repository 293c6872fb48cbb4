import { SettingOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { warehouseChoices } from '../../contract/documents/choices.ts';
import { EXPORT } from '../../contract/documents/fields.ts';
import type { Head, WebKind } from './kinds.ts';
import { SettingDialog } from './SettingDialog.tsx';

const EDITABLE = ['draft', 'rejected'];

/** The list of a kind of document: states as tabs with their counts, filters, export, a way to a new one. */
export function DocumentList({ kind }: { kind: WebKind }) {
  const tab = useTab();
  const [settings, setSettings] = useState(false);
  const mayExport = useAllowed(EXPORT);
  const mayAdd = useAllowed(kind.add);
  const { data: places } = useCall(warehouseChoices, {}, { staleTime: 60_000 });
  const open = (row: Head) => tab.open(kind.def.detail, { title: row.number, query: { id: row.id } });
  const edit = (row: Head) => tab.open(kind.edit, { title: `编辑${row.number}`, query: { id: row.id } });
  const columns: ColumnOverrides<Head> = {
    number: {
      render: (row) => (
        <TabLink to={kind.def.detail} title={row.number} query={{ id: row.id }}>
          {row.number}
        </TabLink>
      ),
      text: (row) => row.number,
    },
  };
  const add = (
    <Allowed code={kind.add}>
      <Button type="primary" onClick={() => tab.open(kind.edit, { title: `新增${kind.def.title}` })}>
        新增{kind.def.title}
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListScreen
        name={kind.name}
        title={kind.def.title}
        unit="单"
        endpoint={kind.calls.list}
        {...(mayExport ? { exportEndpoint: kind.calls.export } : {})}
        row={kind.row}
        filter={kind.filter}
        options={{ warehouse: places?.map(({ id, name }) => ({ value: id, label: name })) }}
        tabs={{ field: 'state', counts: kind.calls.counts }}
        columns={columns as never}
        head={
          <>
            <Button icon={<SettingOutlined />} onClick={() => setSettings(true)}>
              单据设置
            </Button>
            {add}
          </>
        }
        onOpen={(row) => open(row as never)}
        actions={(row) => {
          const one = row as unknown as Head;
          const look = { label: '查看', onClick: () => open(one) };
          const change = { label: '编辑', edits: true, onClick: () => edit(one) };
          return mayAdd && EDITABLE.includes(one.state) ? [change, look] : [look];
        }}
        empty={
          <Empty title={`还没有${kind.def.title}`} text={kind.none}>
            {add}
          </Empty>
        }
      />
      {settings && <SettingDialog onClose={() => setSettings(false)} />}
    </>
  );
}
