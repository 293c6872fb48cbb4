/** What the frame of the page plugs into the kit. */
import { createElement, lazy, Suspense } from 'react';
import type { ApprovalPanelProps } from '#kit/web/ports.ts';

const Panel = lazy(() => import('./ApprovalPanel.tsx'));

/** The approval of a document on its own page; loaded with the first such page. */
export function ApprovalPanel(props: ApprovalPanelProps) {
  return createElement(Suspense, { fallback: null }, createElement(Panel, props));
}
