import type { Reply } from '#kit/contract/endpoint.ts';
import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { orderAmendments } from '../contract/amend.ts';
import { countExchanges, exchangeDetail, listExchanges } from '../contract/exchange.ts';
import { countInvoices, listInvoices, orderInvoices } from '../contract/invoice.ts';
import { countOrders, listOrders, orderDetail, purchaseChoices } from '../contract/order-calls.ts';
import { countPlan, listPlan, previewPlan } from '../contract/plan.ts';
import { countReceipts, listReceipts, receiptLines } from '../contract/receipt.ts';
import { countRequisitions, listRequisitions, requisitionDetail } from '../contract/requisition.ts';
import { countReturns, listReturns } from '../contract/return.ts';
import { countSurplus, listSurplus } from '../contract/surplus.ts';

export type Choices = Reply<typeof purchaseChoices>;

/** Warehouses and suppliers for forms and filters; undefined until they are known. */
export function usePurchaseChoices(): Choices | undefined {
  const { data } = useCall(purchaseChoices, {}, { staleTime: 60_000 });
  return data;
}

export const toOptions = (rows: readonly { id: string; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: id, label: name }));

/** Warehouses of a quality as options. */
export function placesOf(choices: Choices | undefined, quality: Choices['warehouses'][number]['quality']) {
  return toOptions(choices?.warehouses.filter((one) => one.quality === quality)) ?? [];
}

const TOUCHED = [
  orderAmendments,
  listPlan,
  countPlan,
  previewPlan,
  listRequisitions,
  countRequisitions,
  requisitionDetail,
  listOrders,
  countOrders,
  orderDetail,
  listReceipts,
  countReceipts,
  receiptLines,
  listReturns,
  countReturns,
  listExchanges,
  countExchanges,
  exchangeDetail,
  listSurplus,
  countSurplus,
  listInvoices,
  countInvoices,
  orderInvoices,
];

/** Everything that shows orders asks again. */
export async function refreshOrders(): Promise<void> {
  await Promise.all(TOUCHED.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}
