import { memo, Suspense, useMemo, useRef } from 'react';
import { Route, Routes } from 'react-router';
import { type ScreenRoute, TabContext, type TabScope } from '#kit/web/tabs/scope.ts';
import { ModuleMissing } from '../pages/ModuleMissing.tsx';
import { Page404 } from '../pages/Page404.tsx';
import { ScreenBoundary } from '../pages/ScreenBoundary.tsx';
import { screenOf } from '../screens.ts';
import type { Tab } from '../tabs.ts';
import { useFrame } from './frame-context.ts';
import { useKeptScroll } from './use-kept-scroll.ts';

interface Props {
  tab: Tab;
  front: boolean;
  route: ScreenRoute | undefined;
}

function useScope(tab: Tab, front: boolean): TabScope {
  const { tabs } = useFrame();
  const { open, close, rewrite, setDirty, release, refresh } = tabs;
  const { title, address } = tab;
  // Apart from the rest: a form must not take its mark away and set it again because its tab went to the back.
  const marks = useMemo(
    () => ({
      setDirty: (dirty: boolean, source?: string) => setDirty(title, dirty, source),
      release: (source: string) => release(title, source),
    }),
    [title, setDirty, release],
  );
  return useMemo(
    () => ({
      ...marks,
      title,
      address,
      active: front,
      open,
      close: () => close(title),
      rewrite: (next: string) => rewrite(title, next),
      refresh: () => refresh(title),
    }),
    [marks, title, address, front, open, close, rewrite, refresh],
  );
}

const Page = memo(function Page({ route }: { route: ScreenRoute }) {
  const Screen = screenOf(route.component);
  if (!Screen) return <ModuleMissing component={route.component} />;
  return (
    <ScreenBoundary component={route.component}>
      <Suspense fallback={<div className="frame-loading" aria-busy="true" />}>
        <Screen />
      </Suspense>
    </ScreenBoundary>
  );
});

/** One tab's page. It sees the address of its own tab, whatever the address bar shows. */
export function TabPage({ tab, front, route }: Props) {
  const scope = useScope(tab, front);
  const box = useRef<HTMLDivElement>(null);
  useKeptScroll(box);
  return (
    <TabContext value={scope}>
      <div className="tab-page" ref={box}>
        {route ? (
          <Routes location={tab.address}>
            <Route path={route.path} element={<Page route={route} />} />
          </Routes>
        ) : (
          <Page404 />
        )}
      </div>
    </TabContext>
  );
}
