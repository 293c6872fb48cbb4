/** The face of the module: what modules above it may use. */

export { refundClaimSelect } from './claims/of-refunds.ts';
export { day, instant, int, money, parts, text } from './facts/columns.ts';
export type { FactDef, RowOf } from './facts/def.ts';
export { factLoader } from './facts/load.ts';
export { fulfilmentFee } from './fulfilment-fee.ts';
export { type IncomingFact, incomingRowsSelect } from './incoming-rows.ts';
export { stockTouched } from './land.ts';
export { allOf, among, type FactList, type Facts, factFile, factPage, factsOf, withText } from './lists/base.ts';
export { goodsCompared } from './lists/goods-compared.ts';
export { type PoolStock, poolStockSelect, stocksKnown } from './pool-stock.ts';
export { freshness as stockAsOf } from './query.ts';
export { type Reimbursed, reimbursed, reimbursedFor } from './reimbursed.ts';
export { removalOrdersSelect } from './removal-orders.ts';
export { type ReturnFact, returnRowsSelect } from './return-rows.ts';
export { returnsTouched } from './returned.ts';
export { returnedSelect, returnsKnownSelect, returnsSelect, type SkuDays, stockDaysSelect } from './sku-days.ts';
export { storageTypeOf } from './storage-types.ts';
export { type SalesVelocity, salesVelocity, type Units30 } from './velocity.ts';
export { strandedSelect, surchargesSelect } from './warnings.ts';
