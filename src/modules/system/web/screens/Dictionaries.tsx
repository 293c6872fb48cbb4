import { Button, Input } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { addDict, type DictRow, pageDicts, pageItems, removeDict, saveDict } from '../../contract/dictionaries.ts';
import { useAsk } from '../ask.tsx';
import { DictItems } from '../DictItems.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { Panes } from '../Panes.tsx';

const MANY = 100;

function DictDialog({ dict, onClose }: { dict: DictRow | 'new'; onClose: () => void }) {
  const shared = { refreshes: [pageDicts], onClose };
  if (dict === 'new') {
    return (
      <EditDialog
        {...shared}
        title="新增字典"
        schema={addDict.body}
        initial={{ status: 'active', sort: 0 }}
        send={(body) => call(addDict, { body }, { quiet: true })}
      />
    );
  }
  const { id, name, status, sort, remark, version } = dict;
  return (
    <EditDialog
      {...shared}
      title={`修改字典 ${dict.code}`}
      schema={saveDict.body}
      initial={{ name, status, sort, remark, version }}
      send={(body) => call(saveDict, { params: { id }, body }, { quiet: true })}
    />
  );
}

/** 数据字典: dictionaries at the left, the items of the chosen one at the right. */
export default function Dictionaries() {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [editing, setEditing] = useState<DictRow | 'new'>();
  const ask = useAsk();
  const mayEdit = useAllowed('sys:dict:edit');
  const mayDelete = useAllowed('sys:dict:delete');
  const dicts = useCall(pageDicts, { query: { limit: MANY, ...(name ? { name } : {}) } }, { keep: true });
  const remove = useSend(removeDict, { refreshes: [pageDicts, pageItems] });
  const rows = dicts.data?.records;
  const dict = rows?.find((row) => row.id === chosen) ?? rows?.[0];
  const actionsOf = (row: DictRow) => [
    ...(mayEdit && row.editable ? [{ label: '修改', onClick: () => setEditing(row) }] : []),
    ...(mayDelete && row.editable
      ? [
          {
            label: '删除',
            danger: true,
            onClick: () =>
              ask({
                title: `删除字典「${row.name}」`,
                content: '字典及其全部数据项将被删除，引用它的下拉选项会变为空。',
                okText: '删除字典',
                danger: true,
                onOk: () => remove.mutateAsync({ params: { id: row.id } }),
              }),
          },
        ]
      : []),
  ];
  return (
    <div className="page-list">
      <ListHead title="数据字典">
        <Allowed code="sys:dict:add">
          <Button type="primary" onClick={() => setEditing('new')}>
            新增字典
          </Button>
        </Allowed>
      </ListHead>
      {dicts.isError ? (
        <ErrorState error={dicts.error} onRetry={() => void dicts.refetch()} />
      ) : (
        <Panes
          label="数据字典"
          tools={
            <Input.Search
              allowClear
              aria-label="字典名称或编码"
              placeholder="字典名称或编码"
              onSearch={setName}
              onChange={(event) => event.target.value === '' && setName('')}
            />
          }
          entries={rows?.map((row) => ({
            id: row.id,
            name: row.name,
            code: <span className="code">{row.code}</span>,
            badge: (
              <span className="panes-badge">
                {row.status === 'disabled' ? '停用' : row.origin === 'platform' ? '平台' : '本公司'}
              </span>
            ),
            actions: actionsOf(row),
          }))}
          current={dict?.id}
          onOpen={setChosen}
          none="没有符合的字典"
        >
          {dict && <DictItems key={dict.id} dict={dict} />}
        </Panes>
      )}
      {editing && <DictDialog dict={editing} onClose={() => setEditing(undefined)} />}
    </div>
  );
}
