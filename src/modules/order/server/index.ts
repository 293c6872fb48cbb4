/** The face of the module: what other domains may use of orders. */
export { nowThere, ordersAsOf, ordersReadUpTo, ordersReadUpToSelect } from './freshness.ts';
export { ordersTouched } from './landing/derive.ts';
export type { FactRow, LineFact, OrderHead } from './landing/fact.ts';
export { type Delivery, landOrders } from './landing/land.ts';
export { COUNTED, LINES, MEASURES, type Measures, PRICE } from './measures.ts';
export { ORDER_HISTORY } from './sources/codes.ts';
export { landMappedOrders, type MappedOrders } from './sources/mapped.ts';
