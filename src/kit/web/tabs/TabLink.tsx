import type { MouseEvent, ReactNode } from 'react';
import { type OpenOptions, tabAddress, useTab } from './scope.ts';

interface Props extends OpenOptions {
  to: string;
  className?: string;
  children: ReactNode;
}

/** Link that opens a screen as a tab; with Ctrl or the middle button as a new tab of the browser. */
export function TabLink({ to, children, className = 'link', ...options }: Props) {
  const tab = useTab();
  const open = (event: MouseEvent) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    tab.open(to, options);
  };
  return (
    <a className={className} href={tabAddress(to, options)} onClick={open}>
      {children}
    </a>
  );
}
