/** The face of the module: what modules above it may use. */
export { UNALLOCATED } from './shares.ts';
