import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { countShipOrders, listShipOrders, shipChoices, shipOrderDetail } from '../contract/order-calls.ts';
import { pickingSheet, pickRows } from '../contract/picking.ts';
import { boxReceipts } from '../contract/receipt/calls.ts';

export type Choices = Reply<typeof shipChoices>;

/** Stores and warehouses for forms and filters; undefined until they are known. */
export function useShipChoices(): Choices | undefined {
  return useCall(shipChoices, {}, { staleTime: 60_000 }).data;
}

export const toOptions = (rows: readonly { id: string; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: id, label: name })) ?? [];

const TOUCHED = [listShipOrders, countShipOrders, shipOrderDetail, pickRows, pickingSheet, boxReceipts];

/** Everything that shows ship orders asks again. */
export async function refreshShip(): Promise<void> {
  await Promise.all(TOUCHED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
