/** The face of the module: what modules above it may use. */
export { demoPerformance } from './demo.ts';
