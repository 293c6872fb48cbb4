import { TabLink } from '#kit/web/tabs/TabLink.tsx';

/** The number of a document, as a link where it has a page. */
export function DocumentCell({ number, path }: { number: string; path: string | null }) {
  if (path === null) return number;
  return (
    <TabLink to={path} title={number}>
      {number}
    </TabLink>
  );
}
