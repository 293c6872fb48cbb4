import { Button, Input } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { type RowAction, RowActions } from '#kit/web/grid/RowActions.tsx';
import { Pager } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { addItem, DictItemRow, type DictRow, pageItems, removeItem, saveItem } from '../contract/dictionaries.ts';
import { useAsk } from './ask.tsx';
import { EditDialog } from './EditDialog.tsx';
import { toneOf } from './tones.ts';

/** A row with a last column for what can be done with it. */
const ShownItem = DictItemRow.extend({ act: z.string().optional().meta({ title: '操作', width: 110 }) });

const NEW = { itemType: 'text', listClass: '', status: 'active', sort: 0 };

interface Editing {
  /** undefined: a new one. */
  id?: string;
  initial: Readonly<Record<string, unknown>>;
  title: string;
}

const valuesOf = ({ name, value, itemType, listClass, cssClass, sort, status, remark }: DictItemRow) => ({
  name,
  value,
  itemType,
  listClass,
  cssClass,
  sort,
  status,
  remark,
});

function ItemDialog({ dict, editing, onClose }: { dict: DictRow; editing: Editing; onClose: () => void }) {
  const { id, initial, title } = editing;
  const shared = { title, refreshes: [pageItems], onClose };
  if (id === undefined) {
    return (
      <EditDialog
        {...shared}
        schema={addItem.body}
        initial={{ ...initial, dictCode: dict.code }}
        send={(body) => call(addItem, { body }, { quiet: true })}
      />
    );
  }
  return (
    <EditDialog
      {...shared}
      schema={saveItem.body}
      initial={initial}
      send={(body) => call(saveItem, { params: { id }, body }, { quiet: true })}
    />
  );
}

/** The items of one dictionary; those of the platform can be covered, not changed. */
export function DictItems({ dict }: { dict: DictRow }) {
  const [name, setName] = useState('');
  const [page, setPage] = useState(1);
  const [size, setSize] = useState(20);
  const [editing, setEditing] = useState<Editing>();
  const ask = useAsk();
  const may = { add: useAllowed('sys:dict:add'), edit: useAllowed('sys:dict:edit') };
  const mayDelete = useAllowed('sys:dict:delete');
  const query = { dictCode: dict.code, page, limit: size, ...(name ? { name } : {}) };
  const items = useCall(pageItems, { query }, { keep: true });
  const remove = useSend(removeItem, { refreshes: [pageItems] });
  const actionsOf = (row: DictItemRow): RowAction[] => {
    if (!row.editable) {
      const initial = { ...valuesOf(row) };
      return may.add
        ? [{ label: '覆盖', onClick: () => setEditing({ initial, title: `覆盖平台数据项「${row.name}」` }) }]
        : [];
    }
    const edit = () =>
      setEditing({ id: row.id, initial: { ...valuesOf(row), version: row.version }, title: '修改数据项' });
    const drop = () =>
      ask({
        title: `删除数据项「${row.name}」`,
        content: row.overlays ? '删除后恢复平台的同值数据项。' : '下拉选项中不再出现它；已经使用它的数据不变。',
        okText: '删除数据项',
        danger: true,
        onOk: () => remove.mutateAsync({ params: { id: row.id } }),
      });
    return [
      ...(may.edit ? [{ label: '修改', onClick: edit }] : []),
      ...(mayDelete ? [{ label: row.overlays ? '恢复平台数据项' : '删除', danger: true, onClick: drop }] : []),
    ];
  };
  if (items.isError) return <ErrorState error={items.error} onRetry={() => void items.refetch()} />;
  return (
    <>
      <div className="panes-title">
        <h2>{dict.name}</h2>
        <span className="label">{dict.remark}</span>
        <span className="spring" />
        <Input.Search
          allowClear
          size="small"
          style={{ width: 200 }}
          aria-label="数据项名称或值"
          placeholder="数据项名称或值"
          onSearch={(text) => {
            setName(text);
            setPage(1);
          }}
        />
        <Allowed code="sys:dict:add">
          <Button size="small" onClick={() => setEditing({ initial: NEW, title: `新增数据项 · ${dict.name}` })}>
            新增数据项
          </Button>
        </Allowed>
      </div>
      <div className="panes-body">
        <LineTable
          row={ShownItem}
          rows={items.data?.records}
          label={`${dict.name}的数据项`}
          none={<Empty title="没有数据项" text="新增后会出现在使用这个字典的下拉选项里。" />}
          columns={{
            name: {
              render: (row) =>
                row.listClass ? <Tag tone={toneOf(row.listClass)} title={row.name} /> : <span>{row.name}</span>,
            },
            origin: { render: (row) => <span>{row.overlays ? '本公司（覆盖）' : ORIGINS[row.origin]}</span> },
            act: { render: (row) => <RowActions actions={actionsOf(row)} /> },
          }}
        />
      </div>
      <Pager
        total={items.data?.total}
        loading={items.isPending}
        page={page}
        size={size}
        unit="项"
        onChange={(next, limit) => {
          setPage(next);
          setSize(limit);
        }}
      />
      {editing && <ItemDialog dict={dict} editing={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

const ORIGINS = { platform: '平台', own: '本公司' } as const;
