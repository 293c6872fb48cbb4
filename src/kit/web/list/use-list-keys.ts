import type { RefObject } from 'react';
import { press, usePageKeys } from '../keys.ts';
import { useTab } from '../tabs/scope.ts';

/** `/` goes to the search of the list in front, N presses the primary button of its head. */
export function useListKeys(box: RefObject<HTMLElement | null>): void {
  const { active } = useTab();
  usePageKeys(active, {
    '/': () => {
      const search = box.current?.querySelector<HTMLInputElement>('.filter-search input');
      search?.focus();
      return search != null;
    },
    n: () => press(box.current, '.page-head .ant-btn-primary'),
  });
}
