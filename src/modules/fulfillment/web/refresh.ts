import { countMcf, listMcf, mcfDetail } from '../contract/orders.ts';

/** What changes with an order. */
export const REFRESHES = [listMcf, countMcf, mcfDetail];
