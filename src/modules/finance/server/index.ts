/** The face of the module: what modules above it may use. */

export type { Bill, BillOrder } from './bills/bill.ts';
export { type BilledOn, billedOn } from './bills/due.ts';
export { keepBill } from './bills/keep.ts';
export { type BillPurchases, billPurchases, type Purchase } from './bills/port.ts';
export { type CashBalance, cashBalances, freeOfDocuments } from './cash.ts';
export { demoFinance } from './demo.ts';
export { demoAbroad, demoRates } from './demo-abroad.ts';
export { demoBank } from './demo-bank.ts';
export { demoBloc, demoBlocWaiting } from './demo-bloc.ts';
export { demoPaid, demoRequests } from './demo-requests.ts';
export { demoSettlements } from './demo-settlements.ts';
export { checkLedger as checkMoney } from './ledger/checks.ts';
export { post as postMoney, reverse as reverseMoney } from './ledger/post.ts';
export type { Line, Party, Posted, Posting, Source, Subject } from './ledger/types.ts';
export {
  type DocumentRef,
  leftOf,
  type PaidDocuments,
  paidDocuments,
  type Worth,
} from './payables/documents.ts';
export { requireParty } from './payables/items.ts';
export { moneyOf, type OrderMoney } from './payables/money.ts';
export { savePartnerOf } from './payables/parties.ts';
export { type PrepaidPart, prepaidOf } from './payables/prepaid.ts';
export { creditPayable, type Debt, type DuePart, type Raised, raisePayable, reversePosted } from './payables/raise.ts';
export { type OrderPayments, orderPayments } from './payments/port.ts';
export { type DayRate, dayRatesSelect, knownRate, knownRates, monthRates, rateOn, ratesOfDays } from './rates/rates.ts';
export { type RequestMoved, requestMoved } from './requests/act.ts';
export { type AskedPayment, type RequestOf, requestPayment, requestsOf } from './requests/face.ts';
export { requireOtherApprover } from './separation.ts';
