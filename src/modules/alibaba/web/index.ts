/** What the frame of the page plugs into the kit. */
import { createElement, lazy, Suspense } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import type { AddedTab } from '#kit/web/ports.ts';
import { useAllowed } from '#kit/web/session.ts';
import { VIEW } from '../contract/fields.ts';
import { orderTrades } from '../contract/trades.ts';

const Content = lazy(() => import('./OrderTrades.tsx'));
/** As the purchase order's contract calls it, which is too large for the frame. */
const ORDERS = 'purchase.order';
const NONE: readonly AddedTab[] = [];

/** The orders at the platform as a tab of their purchase order, where there are some or could be. */
export function useOrderTrades(type: string, id: string | undefined): readonly AddedTab[] {
  const may = useAllowed(VIEW);
  const wanted = may && type === ORDERS && id !== undefined;
  const { data } = useCall(orderTrades, { params: { id: id ?? '' } }, { enabled: wanted, staleTime: 0 });
  if (!wanted || !data || (data.trades.length === 0 && !data.orderable)) return NONE;
  const content = createElement(Suspense, { fallback: null }, createElement(Content, { id, data }));
  return [{ key: 'alibaba', title: '1688订单', count: data.trades.length, content }];
}
