/** The face of the module: sales figures for whoever stands above it. */
export { auditCompany } from './audit.ts';
export { countedLinesSelect, type SoldDay, skuDaysSelect, storeDaysSelect } from './days.ts';
export { foldOnce, salesFolded } from './fold.ts';
export { type SalesSite, salesSitesSelect } from './listing.ts';
export { type PaceRow, paceSelect, type SkuKey, salesAsOf, skuKey, unitsOfDays, unitsSelect } from './read.ts';
export { compareMonth, type Drift, rebuild } from './rebuild.ts';
