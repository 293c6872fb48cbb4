import { useEffect } from 'react';
import { isTyping, overlayOpen, saveFront } from '#kit/web/keys.ts';
import type { TabsControl } from './use-tabs.tsx';

/**
 * Keys of the frame: Ctrl+K search, Ctrl+S save, `?` all keys, Alt+1…9 tab, Alt+W close, Alt+R refresh. Esc closes the tab in front only when
 * nothing else wanted it: no overlay, no field, no selection (whoever uses Esc listens on the document and
 * marks the event as handled; the frame listens on the window, which comes last).
 */
export function useFrameKeys(tabs: TabsControl, onSearch: () => void, onHelp: () => void): void {
  useEffect(() => {
    const { list, active } = tabs.state;
    const front = list.find((tab) => tab.title === active);
    const byAlt = (event: KeyboardEvent): boolean => {
      if (event.code === 'KeyW') tabs.close(active);
      else if (event.code === 'KeyR') tabs.refresh(active);
      else if (/^Digit[1-9]$/.test(event.code)) {
        const tab = list[Number(event.code.slice(5)) - 1];
        if (tab) tabs.show(tab);
      } else return false;
      return true;
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if ((event.ctrlKey || event.metaKey) && event.code === 'KeyK') {
        event.preventDefault();
        onSearch();
      } else if ((event.ctrlKey || event.metaKey) && event.code === 'KeyS') {
        // Never the browser's own dialog, which would save the page as a file.
        event.preventDefault();
        saveFront();
      } else if (event.key === '?' && !isTyping(event.target) && !overlayOpen()) {
        event.preventDefault();
        onHelp();
      } else if (event.altKey && !event.ctrlKey && byAlt(event)) {
        event.preventDefault();
      } else if (event.key === 'Escape' && !isTyping(event.target) && !overlayOpen() && front && !front.dirty) {
        tabs.close(active);
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [tabs, onSearch, onHelp]);
}
