/** The face of the module: what modules above it may use. */
export { LINE_COLUMNS, type LineDbRow, lineRow } from './lines.ts';
export { settlementsOf } from './list.ts';
export { COUNTED_MONEY, IS_PRICE, IS_REFUND } from './refunded.ts';
export { storePairs } from './stores.ts';
export { moneyTouched } from './touched.ts';
