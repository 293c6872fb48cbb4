import { SearchOutlined } from '@ant-design/icons';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { tabAddress } from '#kit/web/tabs/scope.ts';
import { useFrame } from './frame-context.ts';
import { rememberPlace } from './recent.ts';
import { SearchPreview } from './SearchPreview.tsx';
import { SearchRow } from './SearchRow.tsx';
import type { ItemGroup, SearchItem } from './search-items.ts';
import { useOpenLink } from './use-open-link.ts';
import { type SearchResult, useSearch } from './use-search.ts';

const ALL = '全部';

/** Opens what was chosen; with Ctrl in a new tab of the browser. */
function useOpenItem(onClose: () => void) {
  const { tabs } = useFrame();
  const openLink = useOpenLink();
  return (item: SearchItem | undefined, newTab: boolean) => {
    if (!item) return;
    rememberPlace(item);
    const options = { title: item.tabTitle, ...(item.query ? { query: item.query } : {}) };
    if (newTab) window.open(tabAddress(item.path, options), '_blank', 'noopener');
    else if (item.link) openLink(item.link);
    else tabs.open(item.path, options);
    onClose();
  };
}

function Nothing({ text, result }: { text: string; result: SearchResult }) {
  if (result.failed) return null;
  if (result.busy) return <div className="search-none">正在搜索…</div>;
  if (text === '') return <div className="search-none">还没有打开过的内容。输入页面名称、订单号、SKU 或结算编号。</div>;
  return (
    <div className="search-none">
      <p>没有找到与「{text}」相符的内容。</p>
      <p className="text3">订单号和 SKU 从开头匹配，ASIN 需输入完整的 10 位；只显示你有权查看的内容。</p>
    </div>
  );
}

function Failed({ result }: { result: SearchResult }) {
  const parts = result.groups.filter((group) => group.failed).map((group) => group.title);
  if (!result.failed && parts.length === 0) return null;
  const what = result.failed ? '订单、SKU 和单据暂时搜索不到' : `${parts.join('、')}暂时搜索不到`;
  return (
    <div className="search-failed" role="alert">
      {what}，页面仍可打开。
      <button type="button" className="link" onClick={result.retry}>
        重试
      </button>
    </div>
  );
}

interface ListProps {
  groups: ItemGroup[];
  flat: SearchItem[];
  at: number;
  text: string;
  idOf: (index: number) => string;
  onPoint: (index: number) => void;
  onOpen: (item: SearchItem, newTab: boolean) => void;
}

function Groups({ groups, flat, at, text, idOf, onPoint, onOpen }: ListProps) {
  return groups.map((group) => (
    <div key={group.key}>
      <div className="search-group" role="presentation">
        {group.title} <span className="num">{group.count}</span>
      </div>
      {group.items.map((item) => {
        const index = flat.indexOf(item);
        return (
          <SearchRow
            key={item.key}
            id={idOf(index)}
            item={item}
            word={text}
            on={index === at}
            onPoint={() => onPoint(index)}
            onOpen={(newTab) => onOpen(item, newTab)}
          />
        );
      })}
    </div>
  ));
}

function Foot() {
  return (
    <div className="search-foot">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> 选择
      </span>
      <span>
        <kbd>Enter</kbd> 打开
      </span>
      <span>
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> 在新页签打开
      </span>
      <span>
        <kbd>Tab</kbd> 切换范围
      </span>
      <span className="spring" />
      <span>空输入显示最近 10 项与收藏</span>
    </div>
  );
}

/** Ctrl+K: orders, SKUs, documents and pages; empty, it shows what was opened last and what is starred. */
export function Search({ onClose }: { onClose: () => void }) {
  const [word, setWord] = useState('');
  const [at, setAt] = useState(0);
  const [scope, setScope] = useState(ALL);
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const text = word.trim();
  const result = useSearch(text);
  const open = useOpenItem(onClose);
  const scopes = [ALL, ...result.groups.filter((group) => group.items.length > 0).map((group) => group.title)];
  const shown = scopes.includes(scope) ? scope : ALL;
  const groups = result.groups.filter((group) => group.items.length > 0 && (shown === ALL || group.title === shown));
  const flat = groups.flatMap((group) => group.items);
  const chosen = Math.min(at, Math.max(0, flat.length - 1));
  const idOf = (index: number) => `${prefix}-${index}`;

  useEffect(() => {
    list.current?.querySelector(`[id="${CSS.escape(`${prefix}-${chosen}`)}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, prefix]);

  const narrow = (step: number) => {
    setScope(scopes[(scopes.indexOf(shown) + step + scopes.length) % scopes.length] ?? ALL);
    setAt(0);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((chosen + step + flat.length) % Math.max(1, flat.length));
    else if (event.key === 'Enter') open(flat[chosen], event.ctrlKey || event.metaKey);
    else if (event.key === 'Tab') narrow(event.shiftKey ? -1 : 1);
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
            role="combobox"
            aria-expanded="true"
            aria-controls={`${prefix}-list`}
            aria-activedescendant={flat.length > 0 ? idOf(chosen) : undefined}
            placeholder="搜索页面、SKU、订单、单据"
            aria-label="搜索页面、SKU、订单、单据"
            maxLength={80}
            value={word}
            onChange={(event) => {
              setWord(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
          <span className="search-scope">{shown}</span>
          <kbd>Tab</kbd>
          <kbd>Esc</kbd>
        </div>
        <div className={`search-bar${result.busy ? ' is-busy' : ''}`} />
        <div className="search-main">
          <div className="search-body" ref={list}>
            <Failed result={result} />
            {flat.length === 0 && <Nothing text={text} result={result} />}
            <div id={`${prefix}-list`} role="listbox" aria-label="搜索结果">
              <Groups groups={groups} flat={flat} at={chosen} text={text} idOf={idOf} onPoint={setAt} onOpen={open} />
            </div>
          </div>
          <SearchPreview item={flat[chosen]} />
        </div>
        <Foot />
      </div>
    </div>,
    document.body,
  );
}
