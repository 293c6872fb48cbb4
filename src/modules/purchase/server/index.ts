/** The face of the module: what modules above it and the composition root may use. */
export { demoPurchases } from './demo.ts';
export { addPlanLines } from './plan/lines.ts';
