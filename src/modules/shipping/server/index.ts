/** The face of the module: what modules above it may use. */
export { demoShipping } from './demo.ts';
export { demoFreight } from './demo-freight.ts';
export { demoQuotas } from './demo-quota.ts';
export { demoQuotes } from './demo-quotes.ts';
export { demoSelf } from './demo-self.ts';
export { demoShipments } from './demo-shipments.ts';
export { demoTransport } from './demo-transport.ts';
export { sentToAmazonSelect } from './shipment/sent.ts';
export { freightOfPart, holdSentPart, type SentPart, sentPartsSelect } from './shipment/sent-parts.ts';
