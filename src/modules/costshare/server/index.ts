/** The face of the module: what modules above it may use. */
export { demoCosts } from './demo.ts';
export { feesTouched } from './ledger.ts';
export { type ShareBases, type SkuBase, shareBases } from './share.ts';
