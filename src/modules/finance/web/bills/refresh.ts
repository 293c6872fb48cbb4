import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { billData, countBills, listBills } from '../../contract/bills/bill.ts';
import { listBillOrders, listBillPayments } from '../../contract/bills/lines.ts';

/** Reads anew what a step of a bill changes. */
export async function refreshBills(): Promise<void> {
  await Promise.all(
    [listBills, countBills, billData, listBillOrders, listBillPayments].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}
