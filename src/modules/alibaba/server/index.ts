/** The face of the module: what the composition root may use. */
export { demoTrades } from './demo.ts';
