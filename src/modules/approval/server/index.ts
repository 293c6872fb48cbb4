/** The face of the module: what the composition root may use. */
export { demoFlows } from './demo.ts';
