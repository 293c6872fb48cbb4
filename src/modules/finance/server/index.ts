/** The face of the module: what modules above it may use. */

export type { Bill, BillOrder } from './bills/bill.ts';
export { keepBill } from './bills/keep.ts';
export { type BillPurchases, billPurchases, type Purchase } from './bills/port.ts';
export { demoFinance } from './demo.ts';
export { demoRequests } from './demo-requests.ts';
export { post as postMoney, reverse as reverseMoney } from './ledger/post.ts';
export type { Line, Party, Posted, Posting, Source, Subject } from './ledger/types.ts';
export {
  creditPayable,
  type Debt,
  moneyOf,
  type OrderMoney,
  type Raised,
  raisePayable,
  reversePosted,
} from './payables/raise.ts';
export { type DayRate, knownRate, monthRates, rateOn } from './rates/rates.ts';
export { type RequestMoved, requestMoved } from './requests/act.ts';
export { type AskedPayment, type RequestOf, requestPayment, requestsOf } from './requests/face.ts';
