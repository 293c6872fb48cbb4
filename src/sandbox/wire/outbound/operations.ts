import type { Operation } from '../operation.ts';
import {
  cancelFulfillmentOrder,
  createFulfillmentOrder,
  getFulfillmentOrder,
  listAllFulfillmentOrders,
  updateFulfillmentOrder,
} from './orders.ts';
import { getFulfillmentPreview } from './preview.ts';
import { getPackageTrackingDetails } from './tracking.ts';

const BASE = '/fba/outbound/2020-07-01';
const ORDERS = `${BASE}/fulfillmentOrders`;
const ONE = `${ORDERS}/:sellerFulfillmentOrderId`;
const plan = { rate: 2, burst: 30 };

/** Fulfillment Outbound API 2020-07-01: orders from elsewhere that Amazon sends out of a seller's stock. */
export const outboundOperations: Operation[] = [
  { name: 'getFulfillmentPreview', method: 'POST', path: `${ORDERS}/preview`, plan, handle: getFulfillmentPreview },
  { name: 'createFulfillmentOrder', method: 'POST', path: ORDERS, plan, handle: createFulfillmentOrder },
  { name: 'listAllFulfillmentOrders', method: 'GET', path: ORDERS, plan, handle: listAllFulfillmentOrders },
  { name: 'getFulfillmentOrder', method: 'GET', path: ONE, plan, handle: getFulfillmentOrder },
  { name: 'updateFulfillmentOrder', method: 'PUT', path: ONE, plan, handle: updateFulfillmentOrder },
  { name: 'cancelFulfillmentOrder', method: 'PUT', path: `${ONE}/cancel`, plan, handle: cancelFulfillmentOrder },
  {
    name: 'getPackageTrackingDetails',
    method: 'GET',
    path: `${BASE}/tracking`,
    plan,
    handle: getPackageTrackingDetails,
  },
];
