import { useCall } from '#kit/web/api/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import type { MenuEntry } from '../../contract/menus.ts';
import { previewRole } from '../../contract/roles.ts';

function MenuList({ entries }: { entries: readonly MenuEntry[] }) {
  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.name}>
          {entry.meta.title}
          {entry.children.length > 0 && <MenuList entries={entry.children} />}
        </li>
      ))}
    </ul>
  );
}

const MODES: Record<string, string> = { ALL: '全部', SELF: '本人', DEPT: '本部门', DEPT_TREE: '本部门及下级' };

/** 权限预览: exactly what somebody with this role alone gets, decided by the code that decides for him. */
export function PreviewDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const { data, isError, error, refetch } = useCall(
    previewRole,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, staleTime: 0 },
  );
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={`权限预览：${data?.name ?? ''}`}
      subtitle="只拥有该角色的人看到的"
    >
      {isError && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="preview-columns">
          <div>
            <h3>菜单</h3>
            <MenuList entries={data.menu} />
          </div>
          <div>
            <h3>数据范围</h3>
            <ul>
              {data.scopes.map((scope) => (
                <li key={scope.dimension}>
                  {scope.title}：
                  {scope.enabled ? (MODES[scope.mode] ?? (scope.names.join('、') || '无')) : '全部（公司未启用该维度）'}
                </li>
              ))}
            </ul>
            <h3>看不到的字段（{data.hiddenFields.length}）</h3>
            <ul>
              {data.hiddenFields.map((field) => (
                <li key={field.code}>{field.title}</li>
              ))}
              {data.hiddenFields.length === 0 && <li className="text3">没有隐藏的字段</li>}
            </ul>
            <h3>功能（{data.codes.length}）</h3>
            <ul>
              {data.codes.map((each) => (
                <li key={each.code}>
                  {each.title} <span className="code text3">{each.code}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </DetailDrawer>
  );
}
