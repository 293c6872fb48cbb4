/** One amount of a settlement, the same shape for both forms of the file. Texts are '' when the file has nothing. */
export interface SettlementLine {
  /** Physical line in the file. */
  lineNo: number;
  /** 1, 2 … for the amounts of one physical line: (lineNo, part) is unique in a file. Always 1 in form V2. */
  part: number;
  transactionType: string;
  amountType: string;
  amountDescription: string;
  /** Canonical decimal string in the settlement's currency. */
  amount: string;
  orderId: string;
  merchantOrderId: string;
  adjustmentId: string;
  shipmentId: string;
  marketplaceName: string;
  fulfillmentId: string;
  /** ISO instant (UTC), null when the line has no date. */
  postedAt: string | null;
  orderItemCode: string;
  merchantOrderItemId: string;
  merchantAdjustmentItemId: string;
  sku: string;
  /** Whole number as string, null when the line states none. */
  quantity: string | null;
  promotionId: string;
  /** Columns of the file that this program does not know. */
  extra?: Record<string, string>;
}

/** The header record of a settlement, proved against its lines. */
export interface SettlementHead {
  settlementId: string;
  /** ISO instants; null when the file leaves them blank. */
  startAt: string | null;
  endAt: string | null;
  depositAt: string | null;
  /** total-amount as stated; equals `lineSum` exactly, or the file is refused. */
  totalAmount: string;
  lineSum: string;
  currency: string;
  /** Physical lines without the header record. */
  detailRows: number;
}

/** Words of form V2 that the reader of form V1 puts in place of its columns. */
export const AMOUNT_TYPE = {
  price: 'ItemPrice',
  itemFee: 'ItemFees',
  orderFee: 'ItemFees',
  shipmentFee: 'Shipment-Fees',
  promotion: 'Promotion',
  directPayment: 'DirectPayment',
  reimbursement: 'FBA Inventory Reimbursement',
  other: 'other-transaction',
} as const;
