import { Button, Input } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall, useSend } from '#kit/web/api/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { addTagGroup, listTagGroups, removeTagGroup, saveTagGroup, type TagGroup } from '../../contract/tags.ts';
import { useAsk } from '../ask.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { Panes } from '../Panes.tsx';
import { TagList } from '../TagList.tsx';

function GroupDialog({ group, onClose }: { group: TagGroup | 'new'; onClose: () => void }) {
  const shared = { refreshes: [listTagGroups], onClose };
  if (group === 'new') {
    return (
      <EditDialog
        {...shared}
        title="新增标签组"
        schema={addTagGroup.body}
        initial={{ status: 'active', sort: 0 }}
        send={(body) => call(addTagGroup, { body }, { quiet: true })}
      />
    );
  }
  const { id, name, description, sort, status, version } = group;
  return (
    <EditDialog
      {...shared}
      title="修改标签组"
      schema={saveTagGroup.body}
      initial={{ name, description, sort, status, version }}
      send={(body) => call(saveTagGroup, { params: { id }, body }, { quiet: true })}
    />
  );
}

/** 标签: groups at the left, the tags of the chosen one at the right. */
export default function Tags() {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [editing, setEditing] = useState<TagGroup | 'new'>();
  const ask = useAsk();
  const mayEdit = useAllowed('sys:tag:edit');
  const mayDelete = useAllowed('sys:tag:delete');
  const groups = useCall(listTagGroups, {});
  const remove = useSend(removeTagGroup, { refreshes: [listTagGroups] });
  const rows = groups.data?.filter(
    (row) => row.name.includes(search) || row.tags.some((tag) => tag.name.includes(search)),
  );
  const group = rows?.find((row) => row.id === chosen) ?? rows?.[0];
  const drop = (row: TagGroup) =>
    ask({
      title: `删除标签组「${row.name}」`,
      content: '标签组将被删除。',
      okText: '删除标签组',
      danger: true,
      onOk: () => remove.mutateAsync({ params: { id: row.id } }),
    });
  const actionsOf = (row: TagGroup) => [
    ...(mayEdit ? [{ label: '修改', onClick: () => setEditing(row) }] : []),
    ...(mayDelete
      ? [
          {
            label: '删除',
            danger: true,
            onClick: () => drop(row),
            ...(row.tags.length > 0 ? { blocked: '请先删除组内的标签' } : {}),
          },
        ]
      : []),
  ];
  const add = (
    <Allowed code="sys:tag:add">
      <Button type="primary" onClick={() => setEditing('new')}>
        新增标签组
      </Button>
    </Allowed>
  );
  const content = () => {
    if (groups.isError) return <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />;
    if (groups.data?.length === 0) {
      return (
        <Empty title="还没有标签" text="先建立标签组，例如「商品阶段」，再在组里添加带颜色的标签。">
          {add}
        </Empty>
      );
    }
    return (
      <Panes
        label="标签组"
        tools={
          <Input
            allowClear
            aria-label="标签组或标签"
            placeholder="标签组或标签"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        }
        entries={rows?.map((row) => ({
          id: row.id,
          name: row.name,
          code: row.description || `${row.tags.length} 个标签`,
          badge: <span className="panes-badge">{row.status === 'disabled' ? '停用' : row.tags.length}</span>,
          actions: actionsOf(row),
        }))}
        current={group?.id}
        onOpen={setChosen}
        none="没有符合的标签组"
      >
        {group && <TagList key={group.id} group={group} all={groups.data?.flatMap((each) => each.tags) ?? []} />}
      </Panes>
    );
  };
  return (
    <div className="page-list">
      <ListHead title="标签">{groups.data?.length === 0 ? null : add}</ListHead>
      {content()}
      {editing && <GroupDialog group={editing} onClose={() => setEditing(undefined)} />}
    </div>
  );
}
