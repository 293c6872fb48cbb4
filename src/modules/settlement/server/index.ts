/** The face of the module: what modules above it may use. */
export { moneyTouched } from './touched.ts';
