/** The face of the module: what modules above it may use. */
export { adSpendTouched, type Spend, spendBySku } from './spend.ts';
