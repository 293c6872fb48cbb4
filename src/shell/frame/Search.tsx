import { AppstoreOutlined, EnterOutlined, SearchOutlined } from '@ant-design/icons';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useFavourites } from '#kit/web/favourites.ts';
import { isLegacy, linksOf, type MenuLink } from '../menu.ts';
import { useFrame } from './frame-context.ts';
import { recentPaths, rememberPath } from './recent.ts';

const LIMIT = 12;

interface Group {
  title: string;
  links: MenuLink[];
}

function groupsFor(links: MenuLink[], word: string, favourites: readonly string[]): Group[] {
  const text = word.trim().toLowerCase();
  if (text) {
    const hits = links.filter((link) => [...link.trail, link.title].join(' ').toLowerCase().includes(text));
    return [{ title: `页面与操作 ${hits.length} 个`, links: hits.slice(0, LIMIT) }];
  }
  const pick = (paths: readonly string[]) =>
    paths.map((path) => links.find((link) => link.path === path)).filter((link) => link !== undefined);
  const recent = pick(recentPaths());
  const starred = pick(favourites).filter((link) => !recent.includes(link));
  const others = links.filter((link) => !starred.includes(link)).slice(0, LIMIT);
  return [
    { title: '最近打开', links: recent },
    { title: '收藏', links: starred },
    { title: '全部页面', links: recent.length > 0 ? [] : others },
  ].filter((group) => group.links.length > 0);
}

function Marked({ text, word }: { text: string; word: string }) {
  const at = word.trim() ? text.toLowerCase().indexOf(word.trim().toLowerCase()) : -1;
  if (at < 0) return text;
  const end = at + word.trim().length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** Ctrl+K: pages of the menu by name; empty, it shows what was opened last and what is starred. */
export function Search({ onClose }: { onClose: () => void }) {
  const { menu, tabs } = useFrame();
  const { favourites } = useFavourites();
  const [word, setWord] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => groupsFor(linksOf(menu), word, favourites), [menu, word, favourites]);
  const flat = groups.flatMap((group) => group.links);

  useEffect(() => {
    list.current?.querySelector('.is-on')?.scrollIntoView({ block: 'nearest' });
  });

  const open = (link: MenuLink | undefined) => {
    if (!link) return;
    rememberPath(link.path);
    if (isLegacy(link.entry)) window.open(link.entry.redirect, '_blank', 'noopener');
    else tabs.open(link.path, { title: link.title });
    onClose();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) setAt((at + step + flat.length) % Math.max(1, flat.length));
    else if (event.key === 'Enter') open(flat[at]);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return createPortal(
    <div className="search-layer">
      <button type="button" className="search-mask" aria-label="关闭搜索" tabIndex={-1} onClick={onClose} />
      <div className="search" role="dialog" aria-modal="true" aria-label="搜索">
        <div className="search-head">
          <SearchOutlined />
          <input
            // The dialog opens by a key and is for typing.
            ref={(input) => input?.focus()}
            placeholder="搜索页面"
            aria-label="搜索页面"
            value={word}
            onChange={(event) => {
              setWord(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
          <kbd>Esc</kbd>
        </div>
        <div className="search-body" ref={list}>
          {flat.length === 0 && <div className="search-none">没有名称包含「{word}」的页面</div>}
          {groups.map((group) => (
            <div key={group.title}>
              <div className="search-group">{group.title}</div>
              {group.links.map((link) => {
                const index = flat.indexOf(link);
                return (
                  <button
                    type="button"
                    key={link.path}
                    tabIndex={-1}
                    className={`search-item${index === at ? ' is-on' : ''}`}
                    onMouseMove={() => setAt(index)}
                    onClick={() => open(link)}
                  >
                    <span className="search-icon">
                      <AppstoreOutlined />
                    </span>
                    <span className="search-text">
                      <span>
                        <Marked text={link.title} word={word} />
                      </span>
                      <span className="text3">{link.trail.join(' › ') || '首页'}</span>
                    </span>
                    {index === at && <EnterOutlined className="text3" />}
                  </button>
                );
              })}
            </div>
          ))}
        </div>
        <div className="search-foot">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> 选择
          </span>
          <span>
            <kbd>Enter</kbd> 打开
          </span>
          <span className="spring" />
          <span>空输入显示最近 10 项与收藏</span>
        </div>
      </div>
    </div>,
    document.body,
  );
}
