/** Stream of changed orders. */
export const LIVE = 'orders.live';
/** Plan of the reports that bring the past of a new account. */
export const ORDER_HISTORY = 'orders.history';
