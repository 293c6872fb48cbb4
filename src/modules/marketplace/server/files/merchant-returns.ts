import { flatReader } from './flat.ts';

/**
 * GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: returns of orders that the seller ships himself. Where nothing has to be sent
 * back there is no RMA: such a return is known by its order, product and day alone.
 */
export const merchantReturns = flatReader({
  type: 'GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE',
  title: '自发货退货报告',
  currency: 'currency',
  ignored: ['Is prime', 'Invoice number', 'Order quantity', 'SafeT Action reason', 'SafeT claim creation time'],
  columns: {
    orderId: { kind: 'need', name: 'Order ID', required: true },
    orderDay: { kind: 'day', name: 'Order date' },
    day: { kind: 'day', name: 'Return request date', required: true },
    status: { kind: 'text', name: 'Return request status', required: true },
    rma: { kind: 'text', name: 'Amazon RMA ID', required: true },
    merchantRma: { kind: 'text', name: 'Merchant RMA ID' },
    labelType: { kind: 'text', name: 'Label type' },
    labelCost: { kind: 'decimal', name: 'Label cost' },
    currency: { kind: 'text', name: 'Currency code' },
    carrier: { kind: 'text', name: 'Return carrier' },
    tracking: { kind: 'text', name: 'Tracking ID' },
    labelPayer: { kind: 'text', name: 'Label to be paid by' },
    claim: { kind: 'text', name: 'A-to-Z Claim' },
    asin: { kind: 'text', name: 'ASIN' },
    sku: { kind: 'need', name: 'Merchant SKU', required: true, aliases: ['Händler-SKU', '出品者SKU'] },
    title: { kind: 'text', name: 'Item Name', aliases: ['Produktname', '商品名'] },
    quantity: { kind: 'int', name: 'Return quantity', required: true },
    reason: { kind: 'text', name: 'Return Reason' },
    inPolicy: { kind: 'text', name: 'In policy' },
    returnType: { kind: 'text', name: 'Return type' },
    resolution: { kind: 'text', name: 'Resolution' },
    deliveredDay: { kind: 'day', name: 'Return delivery date' },
    orderAmount: { kind: 'decimal', name: 'Order Amount' },
    safetId: { kind: 'text', name: 'SafeT claim id' },
    safetState: { kind: 'text', name: 'SafeT claim state' },
    safetAmount: { kind: 'decimal', name: 'SafeT claim reimbursement amount' },
    refunded: { kind: 'decimal', name: 'Refunded Amount' },
  },
});
