import { Button } from 'antd';
import { useState } from 'react';
import { z } from 'zod';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useSend } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { type RowAction, RowActions } from '#kit/web/grid/RowActions.tsx';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { addTag, listTagGroups, mergeTags, removeTag, saveTag, type TagGroup, TagRow } from '../contract/tags.ts';
import { useAsk } from './ask.tsx';
import { EditDialog } from './EditDialog.tsx';
import { toneOf } from './tones.ts';

const ShownTag = TagRow.extend({ act: z.string().optional().meta({ title: '操作', width: 110 }) });
const MergeInto = z.object({ to: z.uuid('请选择保留的标签').meta({ title: '合并到' }) });

type Editing = { kind: 'new' } | { kind: 'edit' | 'merge'; tag: TagRow };

function TagDialog({
  group,
  all,
  editing,
  onClose,
}: {
  group: TagGroup;
  all: readonly TagRow[];
  editing: Editing;
  onClose: () => void;
}) {
  const shared = { refreshes: [listTagGroups], onClose };
  if (editing.kind === 'new') {
    return (
      <EditDialog
        {...shared}
        title={`新增标签 · ${group.name}`}
        schema={addTag.body}
        initial={{ groupId: group.id, color: 'info', status: 'active', sort: 0 }}
        send={(body) => call(addTag, { body }, { quiet: true })}
      />
    );
  }
  const { id, name, color, sort, status, version, uses } = editing.tag;
  if (editing.kind === 'merge') {
    const options = all.filter((tag) => tag.id !== id).map((tag) => ({ value: tag.id, label: tag.name }));
    return (
      <EditDialog
        {...shared}
        title={`合并标签「${name}」`}
        okText="合并标签"
        schema={MergeInto}
        initial={{}}
        fields={{ to: { options, span: 2, help: `${uses} 条记录改用所选标签，「${name}」将被删除，不能恢复` } }}
        send={async ({ to }) => {
          const { moved } = await call(mergeTags, { body: { from: id, to } }, { quiet: true });
          notice.success(`已合并，移动${moved}条记录`);
        }}
      />
    );
  }
  return (
    <EditDialog
      {...shared}
      title="修改标签"
      schema={saveTag.body}
      initial={{ name, color, sort, status, version }}
      send={(body) => call(saveTag, { params: { id }, body }, { quiet: true })}
    />
  );
}

/** The tags of one group. `all`: tags of every group, to merge into. */
export function TagList({ group, all }: { group: TagGroup; all: readonly TagRow[] }) {
  const [editing, setEditing] = useState<Editing>();
  const ask = useAsk();
  const mayEdit = useAllowed('sys:tag:edit');
  const mayDelete = useAllowed('sys:tag:delete');
  const remove = useSend(removeTag, { refreshes: [listTagGroups] });
  const drop = (tag: TagRow) =>
    ask({
      title: `删除标签「${tag.name}」`,
      content: '标签没有被使用，删除后不能恢复。',
      okText: '删除标签',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id: tag.id } }),
    });
  const actionsOf = (tag: TagRow): RowAction[] => [
    ...(mayEdit
      ? [
          { label: '修改', onClick: () => setEditing({ kind: 'edit', tag }) },
          {
            label: '合并',
            onClick: () => setEditing({ kind: 'merge', tag }),
            ...(all.length < 2 ? { blocked: '没有其他标签' } : {}),
          },
        ]
      : []),
    ...(mayDelete
      ? [
          {
            label: '删除',
            danger: true,
            onClick: () => drop(tag),
            ...(tag.uses > 0 ? { blocked: `正被${tag.uses}条记录使用，请合并或停用` } : {}),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className="panes-title">
        <h2>{group.name}</h2>
        <span className="label">{group.description}</span>
        <span className="spring" />
        <Allowed code="sys:tag:add">
          <Button size="small" onClick={() => setEditing({ kind: 'new' })}>
            新增标签
          </Button>
        </Allowed>
      </div>
      <div className="panes-body">
        <LineTable
          row={ShownTag}
          rows={group.tags}
          label={`${group.name}的标签`}
          none={<Empty title="组内还没有标签" text="新增后可以在支持标签的列表中使用。" />}
          columns={{
            name: { render: (row) => <Tag tone={toneOf(row.color)} title={row.name} /> },
            act: { render: (row) => <RowActions actions={actionsOf(row)} /> },
          }}
        />
      </div>
      {editing && <TagDialog group={group} all={all} editing={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}
