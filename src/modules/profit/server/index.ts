/** The face of the module: what modules above it may use. */
export { ownRates } from './fx.ts';
export { UNALLOCATED } from './shares.ts';
