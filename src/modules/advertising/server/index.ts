/** The face of the module: what modules above it may use. */
export { adCostsSelect, adDaysSelect, adsToSelect, siteAdDaysSelect } from './sku-days.ts';
export { adSpendTouched, type Spend, spendBySku } from './spend.ts';
