import { Suspense, useEffect } from 'react';
import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import { screenOf } from '../screens.ts';
import { Page404 } from './Page404.tsx';
import { ScreenBoundary } from './ScreenBoundary.tsx';

/** A page outside the frame. */
export function PublicScreen({ route }: { route: ScreenRoute }) {
  const Screen = screenOf(route.component);
  useEffect(() => {
    document.title = `${route.title} - 跨境电商 ERP`;
  }, [route.title]);
  if (!Screen) return <Page404 />;
  return (
    <ScreenBoundary component={route.component}>
      <Suspense fallback={null}>
        <Screen />
      </Suspense>
    </ScreenBoundary>
  );
}
