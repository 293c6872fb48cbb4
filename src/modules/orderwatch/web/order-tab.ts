/** What the frame of the page plugs into the kit: what is odd about an order beside the order. */
import { createElement, lazy, Suspense } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import type { AddedTab } from '#kit/web/ports.ts';
import { useAllowed } from '#kit/web/session.ts';
import { findingsOfOrder, VIEW } from '../contract/findings.ts';

const Content = lazy(() => import('./OrderFindings.tsx'));
/** As orders name themselves. */
const ORDER = 'order';
const NONE: readonly AddedTab[] = [];

/** 异常 as a tab of an order that has some. */
export function useOrderFindings(type: string, id: string | undefined): readonly AddedTab[] {
  const may = useAllowed(VIEW);
  const wanted = may && type === ORDER && id !== undefined;
  const { data } = useCall(findingsOfOrder, { params: { id: id ?? '' } }, { enabled: wanted });
  if (!wanted || !data || data.length === 0) return NONE;
  const content = createElement(Suspense, { fallback: null }, createElement(Content, { rows: data }));
  return [{ key: 'abnormal', title: '异常', count: data.length, content }];
}
