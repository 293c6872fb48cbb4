/** The face of the module: what modules above it may use. */
export { demoExpenses } from './demo.ts';
