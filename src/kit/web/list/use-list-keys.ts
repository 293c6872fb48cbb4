import { type RefObject, useEffect } from 'react';
import { useTab } from '../tabs/scope.ts';

/** `/` goes to the search of the list in front. */
export function useListKeys(box: RefObject<HTMLElement | null>): void {
  const { active } = useTab();
  useEffect(() => {
    if (!active) return;
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key !== '/' || typing || event.defaultPrevented) return;
      const search = box.current?.querySelector<HTMLInputElement>('.filter-search input');
      if (!search) return;
      event.preventDefault();
      search.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [box, active]);
}
