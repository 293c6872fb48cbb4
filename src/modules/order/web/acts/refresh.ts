import { listOrders, orderChanges, orderDetail } from '../../contract/orders.ts';

/** What shows another picture after an act on orders. */
export const REFRESHES = [listOrders, orderDetail, orderChanges];
