import { cacheKey, queryClient, useCall } from '#kit/web/api/index.ts';
import { orderDetail } from '#modules/purchase/contract/order-calls.ts';
import { countTrades, listBuyers, listLinks, listTrades, orderTrades } from '../contract/index.ts';

/** Everything that shows 1688 asks again. */
export async function refreshAlibaba(): Promise<void> {
  const touched = [listBuyers, listLinks, listTrades, countTrades, orderTrades, orderDetail];
  await Promise.all(touched.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
}

/** Accounts that can order, as options; undefined until they are known. */
export function useBuyerOptions() {
  const { data } = useCall(listBuyers, {}, { staleTime: 30_000 });
  return data?.filter((row) => row.state === 'active').map((row) => ({ value: row.id, label: row.loginId }));
}
