/** The face of the module: what the composition root may use. */
export { demoRemoval } from './demo.ts';
