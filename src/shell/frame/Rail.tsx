import { Tooltip } from 'antd';
import type { KeyboardEvent } from 'react';
import { Logo } from '#kit/web/Logo.tsx';
import { toggleTheme } from '#kit/web/theme/preference.ts';
import type { MenuEntry } from '#modules/identity/contract/menus.ts';
import { HOME_PATH } from '../tabs.ts';
import { useFrame } from './frame-context.ts';
import { MenuIcon } from './MenuIcon.tsx';
import { Platforms } from './Platforms.tsx';
import type { SubMenuControl } from './use-sub-menu.ts';

interface Props {
  menu: MenuEntry[];
  active: string | undefined;
  subMenu: SubMenuControl;
}

function RailItem({ entry, on, subMenu }: { entry: MenuEntry; on: boolean; subMenu: SubMenuControl }) {
  const { tabs } = useFrame();
  const leaf = entry.children.length === 0;
  const choose = () => {
    if (leaf) tabs.open(entry.path || '/404', { title: entry.meta.title });
    else subMenu.open(entry.name);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight' && !leaf) subMenu.open(entry.name);
  };
  const hovered = subMenu.section === entry.name;
  return (
    <button
      type="button"
      className={`frame-rail-item${on ? ' is-on' : ''}${hovered ? ' is-open' : ''}`}
      aria-current={on ? 'page' : undefined}
      aria-expanded={leaf ? undefined : hovered}
      onClick={choose}
      onKeyDown={onKey}
      onMouseEnter={() => (leaf ? subMenu.leave() : subMenu.hover(entry.name))}
    >
      <MenuIcon name={entry.meta.icon ?? entry.name} title={entry.meta.title} />
      <span>{entry.meta.title}</span>
    </button>
  );
}

/** The 64 px rail: one item per section. The logo goes home and switches light and black. */
export function Rail({ menu, active, subMenu }: Props) {
  const { tabs } = useFrame();
  const home = () => {
    toggleTheme();
    tabs.open(HOME_PATH);
  };
  return (
    <nav className="frame-rail" aria-label="主菜单" onMouseLeave={subMenu.leave}>
      <Tooltip title="回首页并切换深浅色" placement="right" mouseEnterDelay={0.6}>
        <button type="button" className="frame-logo" aria-label="回首页并切换深浅色" onClick={home}>
          <Logo />
        </button>
      </Tooltip>
      {[...menu]
        .sort((a, b) => a.sort - b.sort)
        .map((entry) => (
          <RailItem key={entry.name} entry={entry} on={entry.name === active} subMenu={subMenu} />
        ))}
      <Platforms />
    </nav>
  );
}
