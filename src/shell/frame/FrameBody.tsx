import { useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { MenuEntry } from '#modules/identity/contract/menus.ts';
import { routeFor, routesOf, sectionFor } from '../menu.ts';
import { pathOf } from '../tabs.ts';
import { FrameContext } from './frame-context.ts';
import { Header } from './Header.tsx';
import { KeyHelp } from './KeyHelp.tsx';
import { Rail } from './Rail.tsx';
import { Search } from './Search.tsx';
import { Sheet } from './Sheet.tsx';
import { SubMenu } from './SubMenu.tsx';
import { useFrameKeys } from './use-frame-keys.ts';
import { useSubMenu } from './use-sub-menu.ts';
import { useTabs } from './use-tabs.tsx';

/** Rail, header and the tabs below it. */
export function FrameBody({ menu }: { menu: MenuEntry[] }) {
  const routes = useMemo(() => routesOf(menu), [menu]);
  const tabs = useTabs(routes);
  const subMenu = useSubMenu();
  const [searching, setSearching] = useState(false);
  const [helping, setHelping] = useState(false);
  const { pathname } = useLocation();
  // A detail page keeps the section lit that it was opened from; an address that leads nowhere lies in none.
  const section =
    sectionFor(menu, pathname) ??
    (routeFor(routes, pathname) ? sectionFor(menu, pathOf(tabs.lastMenuAddress)) : undefined);
  const frame = useMemo(() => ({ menu, routes, tabs }), [menu, routes, tabs]);
  useFrameKeys(
    tabs,
    () => setSearching(true),
    () => setHelping(true),
  );

  return (
    <FrameContext value={frame}>
      <div className="frame">
        <Rail menu={menu} active={section?.name} subMenu={subMenu} />
        <SubMenu subMenu={subMenu} menu={menu} />
        <div className="frame-main">
          <Header onSearch={() => setSearching(true)} />
          <Sheet />
        </div>
        {searching && <Search onClose={() => setSearching(false)} />}
        <KeyHelp open={helping} onClose={() => setHelping(false)} />
      </div>
    </FrameContext>
  );
}
