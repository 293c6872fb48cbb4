import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import {
  countFreightBills,
  findFreightOrders,
  freightBillDetail,
  freightChoices,
  listFreightBills,
  readFreightSetting,
} from '../../contract/freight/calls.ts';
import { listFreightFees, orderFreight } from '../../contract/freight/report.ts';

export const EDIT_PATH = '/erp/ship/freight/edit';

export type FreightChoices = Reply<typeof freightChoices>;

/** Carriers and the usual way of sharing; undefined until they are known. */
export function useFreightChoices(): FreightChoices | undefined {
  return useCall(freightChoices, {}, { staleTime: 60_000 }).data;
}

const TOUCHED = [
  listFreightBills,
  countFreightBills,
  freightBillDetail,
  freightChoices,
  findFreightOrders,
  readFreightSetting,
  listFreightFees,
  orderFreight,
];

/** Everything that shows freight asks again. */
export async function refreshFreight(): Promise<void> {
  await Promise.all(TOUCHED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
