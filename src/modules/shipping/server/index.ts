/** The face of the module: what modules above it may use. */
export { demoShipping } from './demo.ts';
export { demoFreight } from './demo-freight.ts';
export { demoTransport } from './demo-transport.ts';
