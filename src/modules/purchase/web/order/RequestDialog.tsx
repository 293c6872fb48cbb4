import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { OrderHead } from '../../contract/order.ts';
import { requestOrderPayment } from '../../contract/order-calls.ts';
import { refreshOrders } from '../choices.ts';

const Form = requestOrderPayment.body.omit({ id: true });

interface Props {
  order: OrderHead;
  /** What may still be asked for, in the order's currency. */
  left: string;
  onClose: () => void;
}

const depositOf = (order: OrderHead, share: string) =>
  round(new Decimal(order.amount ?? 0).times(share), currencyScale(order.currency));

/** Asks finance to pay: a deposit before the goods come, the balance after. */
export function RequestDialog({ order, left, onClose }: Props) {
  const before = order.receivedQty === 0;
  const share = order.terms[0]?.anchor === 'order' ? order.terms[0].share : '1';
  const form = useForm(Form, { kind: before ? 'DEPOSIT' : 'BALANCE', amount: before ? depositOf(order, share) : left });
  const send = useSend(requestOrderPayment, {
    quiet: true,
    onSuccess: async (done) => {
      notice.success(done.message);
      await refreshOrders();
    },
  });
  return (
    <FormDialog
      title={`请款 ${order.number}`}
      open
      okText="提交请款"
      form={form}
      onClose={onClose}
      onSubmit={(values) => send.mutateAsync({ body: { ...values, id: order.id } })}
      fields={{
        amount: { help: `剩余可请 ${formatMoney(left, order.currency)}` },
        remark: { span: 2 },
      }}
    />
  );
}
