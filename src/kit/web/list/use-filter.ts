import { useTab } from '../tabs/scope.ts';

/** Sets one filter in the list's address and goes back to page 1. */
export function useFilter(): (key: string, value: string) => void {
  const { address, rewrite } = useTab();
  return (key, value) => {
    const [path = '', query = ''] = address.split('?');
    const search = new URLSearchParams(query);
    search.set(`f.${key}`, value);
    search.delete('page');
    rewrite(`${path}?${search}`);
  };
}
