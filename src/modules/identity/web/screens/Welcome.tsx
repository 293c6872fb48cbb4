import { Button } from 'antd';
import { useCall } from '#kit/web/api/index.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { type MenuEntry, menuRoute } from '../../contract/menus.ts';

const leaves = (entry: MenuEntry): MenuEntry[] =>
  entry.children.length > 0 ? entry.children.flatMap(leaves) : [entry];

/** 首页 of those who may not see the company's figures: what they can open, or whom to ask. */
export default function Welcome() {
  const tab = useTab();
  const { data } = useCall(menuRoute, {});
  const links = (data ?? [])
    .slice(1)
    .flatMap(leaves)
    .filter((entry) => entry.component);
  const held = data?.[0]?.meta.permissions?.length ?? 0;
  if (!data) return null;
  return (
    <Empty
      title={held > 0 ? '欢迎使用' : '尚未分配权限，请联系管理员'}
      text={
        held > 0 ? '从左侧菜单或下面的入口开始。' : '管理员在「系统 › 子账号」中为您分配角色后，这里会出现可用的页面。'
      }
    >
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 8, justifyContent: 'center', marginTop: 16 }}>
        {links.map((entry) => (
          <Button key={entry.name} onClick={() => tab.open(entry.path, { title: entry.meta.title })}>
            {entry.meta.title}
          </Button>
        ))}
      </div>
    </Empty>
  );
}
