import { DownOutlined, RightOutlined, SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { useFavourites } from '#kit/web/favourites.ts';
import type { MenuEntry } from '#modules/identity/contract/menus.ts';
import { groupsOf, type MenuGroup, type MenuLink } from '../menu.ts';
import { SubMenuLink } from './SubMenuLink.tsx';
import type { SubMenuControl } from './use-sub-menu.ts';

const WIDE_FROM = 20;

function shownGroups(groups: MenuGroup[], favourites: readonly string[], word: string): MenuGroup[] {
  const links = groups.flatMap((group) => group.links);
  const text = word.trim().toLowerCase();
  if (text) {
    const hits = links.filter((link) => link.title.toLowerCase().includes(text));
    return [{ title: `${hits.length} 个结果`, links: hits }];
  }
  const starred = links.filter((link) => favourites.includes(link.path));
  return starred.length > 0 ? [{ title: '收藏', links: starred }, ...groups] : groups;
}

function Group({ group, current, onOpen }: { group: MenuGroup; current: string; onOpen: (link: MenuLink) => void }) {
  const [folded, setFolded] = useState(false);
  const links = group.links.map((link) => (
    <SubMenuLink key={link.path} link={link} on={link.path === current} onOpen={onOpen} />
  ));
  if (!group.title) return <div className="sub-menu-group">{links}</div>;
  return (
    <div className="sub-menu-group">
      <button type="button" className="sub-menu-title" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
        {folded ? <RightOutlined /> : <DownOutlined />}
        {group.title}
      </button>
      {!folded && links}
    </div>
  );
}

function Drawer({ section, subMenu }: { section: MenuEntry; subMenu: SubMenuControl }) {
  const [word, setWord] = useState('');
  const { pathname } = useLocation();
  const { favourites } = useFavourites();
  const groups = groupsOf(section);
  const count = groups.reduce((sum, group) => sum + group.links.length, 0);
  const { close } = subMenu;

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      close();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [close]);

  return (
    <nav
      className={`sub-menu${count > WIDE_FROM ? ' is-wide' : ''}`}
      aria-label={`${section.meta.title}菜单`}
      onMouseEnter={subMenu.stay}
      onMouseLeave={subMenu.leave}
    >
      <div className="sub-menu-head">{section.meta.title}</div>
      <Input
        size="small"
        prefix={<SearchOutlined />}
        placeholder="搜索菜单"
        aria-label="搜索菜单"
        value={word}
        autoFocus={subMenu.byKey}
        onChange={(event) => setWord(event.target.value)}
        allowClear
      />
      <div className="sub-menu-body">
        {shownGroups(groups, favourites, word).map((group, index) => (
          <Group key={group.title || index} group={group} current={pathname} onOpen={close} />
        ))}
      </div>
    </nav>
  );
}

/** The drawer that slides over the page beside the rail. */
export function SubMenu({ subMenu, menu }: { subMenu: SubMenuControl; menu: MenuEntry[] }) {
  const section = menu.find((entry) => entry.name === subMenu.section);
  if (!section) return null;
  return (
    <>
      <button type="button" className="sub-menu-mask" aria-label="关闭菜单" tabIndex={-1} onClick={subMenu.close} />
      <Drawer key={section.name} section={section} subMenu={subMenu} />
    </>
  );
}
