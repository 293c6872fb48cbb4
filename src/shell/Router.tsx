import { lazy, Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { Page404 } from './pages/Page404.tsx';
import { PublicScreen } from './pages/PublicScreen.tsx';
import { declaredRoutes } from './screens.ts';

// The frame brings most of the page's code; the login page does without it.
const Frame = lazy(() => import('./frame/Frame.tsx').then((file) => ({ default: file.Frame })));

/** Public pages by their own paths; everything else is a tab of the frame. */
export function Router() {
  return (
    <Suspense fallback={null}>
      <Routes>
        <Route path="/" element={<Navigate to="/ssologin" replace />} />
        {declaredRoutes
          .filter((route) => route.public)
          .map((route) => (
            <Route key={route.path} path={route.path} element={<PublicScreen route={route} />} />
          ))}
        <Route path="/404" element={<Page404 />} />
        <Route path="*" element={<Frame />} />
      </Routes>
    </Suspense>
  );
}
