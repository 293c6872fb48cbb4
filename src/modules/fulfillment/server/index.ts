/** The face of the module: what modules above it may use. */
export { demoMcf } from './demo.ts';
