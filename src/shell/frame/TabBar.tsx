import { CloseOutlined, DownOutlined, HomeOutlined } from '@ant-design/icons';
import { Dropdown, type MenuProps } from 'antd';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from 'react';
import { isHome, pathOf, type Tab } from '../tabs.ts';
import { useFrame } from './frame-context.ts';
import { scrollToTop } from './scroll-to-top.ts';

function useTabMenu(tab: Tab): MenuProps['items'] {
  const { tabs } = useFrame();
  const { list } = tabs.state;
  const index = list.indexOf(tab);
  const alone = list.every((each) => each === tab || isHome(each));
  const { title } = tab;
  return [
    { key: 'refresh', label: '刷新页面', onClick: () => tabs.refresh(title) },
    { type: 'divider' },
    { key: 'others', label: '关闭其他页签', disabled: alone, onClick: () => tabs.closeOthers(title) },
    { key: 'right', label: '关闭右边', disabled: index === list.length - 1, onClick: () => tabs.closeRight(title) },
    { key: 'left', label: '关闭左边', disabled: index <= 1, onClick: () => tabs.closeLeft(title) },
  ];
}

/** The cross is for the mouse only: a list of tabs may hold nothing but tabs. By keyboard it is Delete or Alt+W. */
function TabItem({ tab, on }: { tab: Tab; on: boolean }) {
  const { tabs } = useFrame();
  const items = useTabMenu(tab);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (on) box.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [on]);
  const close = (event: MouseEvent) => {
    event.stopPropagation();
    tabs.close(tab.title);
  };
  const choose = () => {
    // While another tab is on its way to the front, the address bar is already there.
    if (on && window.location.pathname === pathOf(tab.address)) scrollToTop();
    else tabs.show(tab);
  };
  const onKey = (event: KeyboardEvent) => event.key === 'Delete' && tabs.close(tab.title);
  const onMiddle = (event: MouseEvent) => event.button === 1 && close(event);
  return (
    <Dropdown menu={{ items: items ?? [] }} trigger={['contextMenu']}>
      <div ref={box} className={`frame-tab${on ? ' is-on' : ''}`} title={tab.title}>
        <button type="button" role="tab" aria-selected={on} onClick={choose} onAuxClick={onMiddle} onKeyDown={onKey}>
          {tab.dirty && <i className="frame-tab-dirty" title="有未保存的内容" />}
          {isHome(tab) && <HomeOutlined aria-hidden="true" />}
          <span className="ellipsis">{tab.title}</span>
        </button>
        {!isHome(tab) && (
          <button
            type="button"
            className="frame-tab-close"
            aria-hidden="true"
            tabIndex={-1}
            title="关闭"
            onClick={close}
          >
            <CloseOutlined />
          </button>
        )}
      </div>
    </Dropdown>
  );
}

/** The tab bar, 600 px wide, the home tab always at its left; the arrow lists every tab, also those that do not fit. */
export function TabBar() {
  const { tabs } = useFrame();
  const { list, active } = tabs.state;
  const items: MenuProps['items'] = list.map((tab) => ({
    key: tab.title,
    label: tab.title,
    onClick: () => tabs.show(tab),
  }));
  return (
    <div className="frame-tabs">
      <div className="frame-tabs-strip" role="tablist" aria-label="页签">
        {list.filter(isHome).map((tab) => (
          <TabItem key={tab.title} tab={tab} on={tab.title === active} />
        ))}
        <div className="frame-tabs-list" role="presentation">
          {list
            .filter((tab) => !isHome(tab))
            .map((tab) => (
              <TabItem key={tab.title} tab={tab} on={tab.title === active} />
            ))}
        </div>
      </div>
      <Dropdown menu={{ items, selectedKeys: [active] }} trigger={['click']}>
        <button type="button" className="frame-tabs-more" aria-label="全部页签">
          <DownOutlined />
        </button>
      </Dropdown>
    </div>
  );
}
