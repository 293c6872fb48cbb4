/** The face of the module: what modules above it may use. */
export { demoWatch } from './demo.ts';
