/** What the frame of the page plugs into the kit: the money of an order beside the order. */
import { createElement, lazy, Suspense } from 'react';
import type { AddedTab } from '#kit/web/ports.ts';
import { useAllowed } from '#kit/web/session.ts';

const Content = lazy(() => import('./OrderMoney.tsx'));
/** As orders name themselves. */
const ORDER = 'order';
const VIEW = 'fin:profit:view';
const NONE: readonly AddedTab[] = [];

/** 利润 as a tab of an order, for those who may see profits. */
export function useOrderProfit(type: string, id: string | undefined): readonly AddedTab[] {
  const may = useAllowed(VIEW);
  if (!may || type !== ORDER || id === undefined) return NONE;
  return [
    {
      key: 'profit',
      title: '利润',
      content: createElement(Suspense, { fallback: null }, createElement(Content, { id })),
    },
  ];
}
