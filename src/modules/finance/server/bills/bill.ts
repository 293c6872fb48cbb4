/** A bill as its workbook says it. Amounts in CNY as decimal text; instants ISO 8601 in UTC; days yyyy-MM-dd. */
export interface Bill {
  buyerAccount: string;
  amount: string;
  orderCount: number;
  statementDate: string;
  dueOn: string;
  exportedAt: string | null;
  orders: BillOrder[];
  repayments: { at: string; method: string; kind: string; amount: string }[];
  refunds: BillRefund[];
  topups: { at: string; kind: string; reference: string; amount: string }[];
}

/** An order of a bill; billed is `confirmed` less `refund`. */
export interface BillOrder {
  orderId: string;
  paidAt: string | null;
  name: string;
  paid: string | null;
  confirmed: string | null;
  confirmedAt: string | null;
  term: string;
  refunded: boolean;
  /** 0 or more, whichever sign the workbook gave it. */
  refund: string | null;
}

/** Money of an order that was given back. */
export interface BillRefund {
  orderId: string;
  at: string;
  name: string;
  paid: string | null;
  amount: string;
  kind: string;
  destination: string;
}
