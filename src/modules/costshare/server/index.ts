/** The face of the module: what modules above it may use. */
export { bearerCells } from './cells.ts';
export { demoCosts } from './demo.ts';
export { feeTypes, requireType } from './fee-types.ts';
export { feesTouched } from './ledger.ts';
export { costsOf, type MadeCost, postCosts, takeBackCosts } from './made.ts';
export { type CostSource, requireStores } from './save.ts';
export { type ShareBases, type SkuBase, shareBases, shareOf } from './share.ts';
