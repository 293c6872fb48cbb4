import { type ReactNode, useMemo, useState } from 'react';
import { TabContext, useTab } from '../tabs/scope.ts';

/** Lists inside keep their filters, order and page to themselves: several stand on one page and share no address. */
export function OwnAddress({ children }: { children: ReactNode }) {
  const tab = useTab();
  const [address, rewrite] = useState(() => tab.address.split('?')[0] ?? '');
  const scope = useMemo(() => ({ ...tab, address, rewrite }), [tab, address]);
  return (
    <TabContext value={scope}>
      <div className="inner-list">{children}</div>
    </TabContext>
  );
}
