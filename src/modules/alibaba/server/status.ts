import { TradeStatus } from '../contract/index.ts';

/** States of the platform that mean one of ours; others are shown as the nearest one. */
const NEAREST: Record<string, TradeStatus> = {
  waitlogisticstakein: 'waitbuyerreceive',
  waitbuyersign: 'waitbuyerreceive',
  signinsuccess: 'waitbuyerreceive',
  confirm_goods: 'success',
  terminated: 'cancel',
};

/** Our state for one of the platform's. */
export const statusOf = (text: string): TradeStatus =>
  NEAREST[text] ?? TradeStatus.safeParse(text).data ?? 'waitbuyerpay';

/** Whether nothing comes of an order any more. */
export const isClosed = (text: string): boolean => statusOf(text) === 'cancel';
