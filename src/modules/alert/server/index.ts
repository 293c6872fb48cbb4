/** The face of the module: what modules above it may use. */
export { type AlertKind, alertKinds, type Subject } from './kinds.ts';
