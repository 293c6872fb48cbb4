import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { paymentRequest, RequestKind } from '#modules/finance/contract/requests.ts';
import { leftOf, type RequestOf, requestsOf } from '#modules/finance/server/index.ts';
import { type OrderMoney, type OrderPaymentRow, purchaseOrder } from '../../contract/order.ts';
import { moneyOfOrder } from '../payable.ts';
import type { Order } from './load.ts';

/** A request as the page of the document shows it for which it asks. */
export function paymentRow({ subjectId: _, ...request }: RequestOf): OrderPaymentRow {
  const kind = RequestKind.meta()?.states?.[request.kind]?.title ?? request.kind;
  return { ...request, kind, state: paymentRequest.states[request.state].title };
}

/** Requests of an order, and its money as the money ledger has it. */
export async function paymentsOf(ctx: Ctx, order: Order): Promise<{ payments: OrderPaymentRow[]; money: OrderMoney }> {
  const { currency } = order;
  const requests = await requestsOf(ctx, purchaseOrder.name, [order.id]);
  const known = (await leftOf(ctx, [{ type: purchaseOrder.name, id: order.id }])).get(order.id);
  const money = known ? known.money : await moneyOfOrder(ctx, order);
  return {
    payments: requests.map(paymentRow),
    money: {
      raised: money?.raised ?? '0',
      open: money?.open ?? '0',
      prepaid: money?.prepaid ?? '0',
      paid: money?.paid ?? '0',
      requested: money?.requested ?? '0',
      left: Decimal.max(0, known?.left ?? 0).toFixed(currencyScale(currency)),
      currency,
    },
  };
}
