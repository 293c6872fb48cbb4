/** The face of the module: what modules above it may use. */
export { type KnownProduct, learnProducts } from './products.ts';
export { costTouched } from './touched.ts';
