import { Modal, Switch } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Tag } from '#kit/web/cells/index.ts';
import { type RowAction, RowActions } from '#kit/web/grid/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { listMenus, MenuKind, type MenuRow, menuTreeSelect, removeMenu, saveMenu } from '../../contract/menu-editor.ts';
import { TreeCell, useFolds } from '../organisation/tree-table.tsx';
import type { MenuTask } from './MenuDialog.tsx';

const KINDS = MenuKind.meta()?.states;

/** The menu as a tree: what the product declares, with the operator's changes marked. */
export function MenuTable({ onTask }: { onTask: (task: MenuTask) => void }) {
  const { data, isError, error, refetch } = useCall(listMenus, {}, { staleTime: 0 });
  const folds = useFolds(data ?? [], (row) => ({ id: row.key, parent: row.parent }));
  const mayEdit = useAllowed('sys:menu:edit');
  const refreshes = [listMenus, menuTreeSelect];
  const save = useSend(saveMenu, { refreshes, onSuccess: () => notice.success('已保存，几秒内对所有公司生效') });
  const remove = useSend(removeMenu, { refreshes, onSuccess: () => notice.success('已删除') });
  const actions = (row: MenuRow): RowAction[] => {
    const added = row.key.startsWith('custom.');
    const below = row.key !== 'home' && row.depth < 3 && (row.kind === 'section' || row.kind === 'dir');
    const drop = () =>
      Modal.confirm({
        title: added ? `删除「${row.title}」` : `恢复「${row.title}」的默认设置`,
        okText: added ? '删除' : '恢复默认',
        onOk: () => remove.mutateAsync({ params: { key: row.key } }),
      });
    return [
      { label: '修改', onClick: () => onTask({ kind: 'edit', row }) },
      ...(below ? [{ label: '新增下级', onClick: () => onTask({ kind: 'add', parent: row.key }) }] : []),
      ...(row.changed ? [{ label: added ? '删除' : '恢复默认', danger: added, onClick: drop }] : []),
    ];
  };
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="line-table org-table">
      <table aria-label="菜单">
        <thead>
          <tr>
            <th>菜单名称</th>
            <th>菜单类型</th>
            <th>状态</th>
            <th className="is-right">排序</th>
            <th>路径</th>
            <th>权限标识</th>
            <th>操作</th>
          </tr>
        </thead>
        <tbody>
          {folds.shown.map((row) => (
            <tr key={row.key}>
              <td>
                <TreeCell id={row.key} folds={folds}>
                  {row.title}{' '}
                  {row.changed && <Tag tone="side" title={row.key.startsWith('custom.') ? '新增' : '已改'} />}
                </TreeCell>
              </td>
              <td>{KINDS?.[row.kind]?.title}</td>
              <td>
                <Switch
                  size="small"
                  checked={row.visible}
                  disabled={!mayEdit || row.key === 'home'}
                  aria-label={`${row.title} 显示`}
                  onChange={(visible) => save.mutate({ params: { key: row.key }, body: { visible } })}
                />
              </td>
              <td className="is-right num">{row.sort}</td>
              <td className="code" title={row.redirect ?? row.path}>
                {row.redirect ?? row.path}
              </td>
              <td className="code">{row.permission}</td>
              <td>{mayEdit && <RowActions actions={actions(row)} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
