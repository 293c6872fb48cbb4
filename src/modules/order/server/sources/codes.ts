/** Stream of changed orders. */
export const LIVE = 'orders.live';
/** Plan of the reports that bring the past of a new account, and how many days of it. */
export const ORDER_HISTORY = 'orders.history';
export const HISTORY_DAYS = 120;
