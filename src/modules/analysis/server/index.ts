/** The face of the module: what modules above it may use. */
export { careSelect, coverSelect, fallsSelect } from './warnings.ts';
export { paceWindows } from './weights.ts';
