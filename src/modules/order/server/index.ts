/** The face of the module: what other domains may use of orders. */
export { LEFT_OF_LINE, UNREPORTED_OF_LINE } from './acts/left.ts';
export { dropPackage, notePackage } from './acts/note.ts';
export { type ActOrder, lockOrders, orderKey } from './acts/orders.ts';
export { type PackageStand, packageCounts, packageState, packagesMoved, packagesOf } from './acts/packages.ts';
export { planPackages, whyNotShip } from './acts/ship.ts';
export { aboutNowThere, nowThere, ordersAsOf, ordersReadUpTo, ordersReadUpToSelect } from './freshness.ts';
export { ordersTouched } from './landing/derive.ts';
export type { FactRow, LineFact, OrderHead } from './landing/fact.ts';
export { type Delivery, landOrders } from './landing/land.ts';
export { findOrder } from './list/find.ts';
export { COUNTED, LINES, MEASURES, type Measures, PRICE } from './measures.ts';
export { ORDER_HISTORY } from './sources/codes.ts';
export { landMappedOrders, type MappedOrders } from './sources/mapped.ts';
