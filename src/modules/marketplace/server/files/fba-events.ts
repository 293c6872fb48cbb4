import { flatReader } from './flat.ts';

const PRODUCT = {
  sku: {
    kind: 'text',
    name: 'sku',
    required: true,
    aliases: ['seller-sku', '出品者SKU', 'Händler-SKU', 'sku-vendeur'],
  },
  fnsku: { kind: 'text', name: 'fnsku', required: true },
  asin: { kind: 'text', name: 'asin' },
  title: { kind: 'text', name: 'product-name', aliases: ['Produktname', 'nom-produit', '商品名'] },
} as const;

/** GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: pieces that buyers sent back to Amazon's warehouses. */
export const customerReturns = flatReader({
  type: 'GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA',
  title: 'FBA退货报告',
  columns: {
    returnedAt: { kind: 'instant', name: 'return-date', required: true },
    orderId: { kind: 'need', name: 'order-id', required: true },
    ...PRODUCT,
    quantity: { kind: 'int', name: 'quantity', required: true },
    centre: { kind: 'text', name: 'fulfillment-center-id', required: true },
    disposition: { kind: 'text', name: 'detailed-disposition', required: true },
    reason: { kind: 'text', name: 'reason', required: true },
    status: { kind: 'text', name: 'status' },
    plate: { kind: 'text', name: 'license-plate-number' },
    comments: { kind: 'text', name: 'customer-comments' },
  },
});

/** GET_FBA_REIMBURSEMENTS_DATA: what Amazon pays, or gives back in pieces, for goods that it lost or broke. */
export const reimbursements = flatReader({
  type: 'GET_FBA_REIMBURSEMENTS_DATA',
  title: 'FBA赔偿报告',
  currency: 'currency',
  columns: {
    approvedAt: { kind: 'instant', name: 'approval-date', required: true },
    reimbursementId: { kind: 'need', name: 'reimbursement-id', required: true },
    caseId: { kind: 'text', name: 'case-id' },
    orderId: { kind: 'text', name: 'amazon-order-id' },
    reason: { kind: 'text', name: 'reason', required: true },
    ...PRODUCT,
    condition: { kind: 'text', name: 'condition' },
    currency: { kind: 'text', name: 'currency-unit', required: true },
    amountPerUnit: { kind: 'decimal', name: 'amount-per-unit' },
    amount: { kind: 'decimal', name: 'amount-total', required: true },
    quantityCash: { kind: 'count', name: 'quantity-reimbursed-cash' },
    quantityInventory: { kind: 'count', name: 'quantity-reimbursed-inventory' },
    quantity: { kind: 'count', name: 'quantity-reimbursed-total', required: true },
    originalId: { kind: 'text', name: 'original-reimbursement-id' },
    originalType: { kind: 'text', name: 'original-reimbursement-type' },
  },
});

/** GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA: orders to send back or destroy stock, a line per SKU and disposition. */
export const removalOrders = flatReader({
  type: 'GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA',
  title: 'FBA移除订单报告',
  currency: 'currency',
  columns: {
    requestedAt: { kind: 'instant', name: 'request-date', required: true },
    orderId: { kind: 'need', name: 'order-id', required: true },
    orderSource: { kind: 'text', name: 'order-source' },
    orderType: { kind: 'text', name: 'order-type', required: true },
    serviceSpeed: { kind: 'text', name: 'service-speed' },
    status: { kind: 'text', name: 'order-status', required: true },
    updatedAt: { kind: 'instant', name: 'last-updated-date', required: true },
    sku: PRODUCT.sku,
    fnsku: PRODUCT.fnsku,
    disposition: { kind: 'text', name: 'disposition', required: true },
    requested: { kind: 'count', name: 'requested-quantity', required: true },
    cancelled: { kind: 'count', name: 'cancelled-quantity' },
    disposed: { kind: 'count', name: 'disposed-quantity' },
    shipped: { kind: 'count', name: 'shipped-quantity' },
    inProcess: { kind: 'count', name: 'in-process-quantity' },
    fee: { kind: 'decimal', name: 'removal-fee' },
    currency: { kind: 'text', name: 'currency' },
  },
});

/** GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA: parcels of removal orders. */
export const removalShipments = flatReader({
  type: 'GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA',
  title: 'FBA移除货件报告',
  columns: {
    requestedAt: { kind: 'instant', name: 'request-date' },
    orderId: { kind: 'need', name: 'order-id', required: true },
    shippedAt: { kind: 'instant', name: 'shipment-date', required: true },
    sku: PRODUCT.sku,
    fnsku: PRODUCT.fnsku,
    disposition: { kind: 'text', name: 'disposition' },
    quantity: { kind: 'int', name: 'shipped-quantity', required: true },
    carrier: { kind: 'text', name: 'carrier', required: true },
    tracking: { kind: 'text', name: 'tracking-number', required: true },
    orderType: { kind: 'text', name: 'removal-order-type' },
  },
});

/** GET_RESERVED_INVENTORY_DATA: pieces that are there but not for sale at the moment, and why. */
export const reservedInventory = flatReader({
  type: 'GET_RESERVED_INVENTORY_DATA',
  title: '预留库存报告',
  columns: {
    ...PRODUCT,
    reserved: { kind: 'count', name: 'reserved_qty', required: true },
    customerOrders: { kind: 'count', name: 'reserved_customerorders', required: true },
    transfers: { kind: 'count', name: 'reserved_fc-transfers', required: true },
    processing: { kind: 'count', name: 'reserved_fc-processing', required: true },
    staging: { kind: 'count', name: 'reserved_staging' },
    program: { kind: 'text', name: 'program' },
  },
});
