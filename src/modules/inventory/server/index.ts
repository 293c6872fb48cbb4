/** The face of the module: what modules above it may use. */
export { stockSummary } from './summary.ts';
export { type SalesVelocity, salesVelocity, type Units30 } from './velocity.ts';
