/** The face of the module: what the composition root may use. */

export { demoVat } from './demo.ts';
