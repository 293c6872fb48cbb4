/** The face of the module: what modules above it may use. */
export { demoSales } from './demo.ts';
export { type PlatformShipment, shipmentOf } from './orders/shipment.ts';
