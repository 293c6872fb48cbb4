/** The face of the module: what modules above it may use. */
export { demoForecasts } from './demo.ts';
