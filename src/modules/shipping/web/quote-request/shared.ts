import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import {
  countQuoteRequests,
  listQuoteRequests,
  orderBooking,
  quoteChoices,
  quoteGoods,
  quoteRequestDetail,
} from '../../contract/quote-request/calls.ts';
import { refreshShip } from '../choices.ts';

export const EDIT_PATH = '/erp/shipment/quote/edit';

export type QuoteChoices = Reply<typeof quoteChoices>;

/** Carriers, channels and warehouses for forms and filters; undefined until they are known. */
export function useQuoteChoices(): QuoteChoices | undefined {
  return useCall(quoteChoices, {}, { staleTime: 60_000 }).data;
}

const TOUCHED = [listQuoteRequests, countQuoteRequests, quoteRequestDetail, quoteGoods, orderBooking];

/** Everything that shows requests, and the orders that they book, asks again. */
export async function refreshQuotes(): Promise<void> {
  await Promise.all([
    ...TOUCHED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })),
    refreshShip(),
  ]);
}
