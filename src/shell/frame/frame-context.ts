import { createContext, useContext } from 'react';
import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import type { MenuEntry } from '#modules/identity/contract/menus.ts';
import type { TabsControl } from './use-tabs.tsx';

export interface FrameState {
  menu: MenuEntry[];
  routes: ScreenRoute[];
  tabs: TabsControl;
}

export const FrameContext = createContext<FrameState | null>(null);

/** Menu, routes and tabs; only inside the frame. */
export function useFrame(): FrameState {
  const frame = useContext(FrameContext);
  if (!frame) throw new Error('outside the frame');
  return frame;
}
