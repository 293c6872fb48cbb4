import { useCallback } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { frameSource } from '#modules/system/contract/frame.ts';
import { shellSettings } from '#modules/system/contract/shell.ts';
import { isLegacy, type MenuLink } from '../menu.ts';
import { useFrame } from './frame-context.ts';

/** What the installation says about the frame: old system, hosts that may be embedded. */
export function useShellSettings() {
  return useCall(shellSettings, {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/**
 * Opens a link of the menu: a screen as a tab, an allowed site inside one, pages of the former system and every other
 * site in a window that learns nothing of this one.
 */
export function useOpenLink(): (link: MenuLink) => void {
  const { tabs } = useFrame();
  const settings = useShellSettings();
  return useCallback(
    (link) => {
      if (!isLegacy(link.entry)) return tabs.open(link.path, { title: link.title });
      const src = frameSource(link.entry.redirect, settings?.frameHosts ?? [], window.location.host);
      if (src) tabs.open('/frame', { title: link.title, query: { src } });
      else window.open(link.entry.redirect, '_blank', 'noopener,noreferrer');
    },
    [tabs, settings],
  );
}
