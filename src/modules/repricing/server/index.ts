/** The face of the module: what the demo shows of it. */
export { demoRules } from './demo.ts';
