/** The readers of Amazon's files that this module builds on, in one place. */
export type { SettlementHead, SettlementLine } from '#modules/marketplace/server/index.ts';
export { FileRefused, settlementV1, settlementV2 } from '#modules/marketplace/server/index.ts';
