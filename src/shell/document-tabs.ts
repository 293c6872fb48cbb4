import type { AddedTab } from '#kit/web/ports.ts';
import { useOrderTrades } from '#modules/alibaba/web/index.ts';
import { useOrderFindings } from '#modules/orderwatch/web/order-tab.ts';
import { useOrderProfit } from '#modules/profit/web/order-tab.ts';

/** The tabs that modules add to the pages of others, in the order in which they stand. */
export function useDocumentTabs(type: string, id: string | undefined): readonly AddedTab[] {
  return [...useOrderProfit(type, id), ...useOrderFindings(type, id), ...useOrderTrades(type, id)];
}
