import { useCall, useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { listAccounts } from '#modules/finance/contract/accounts.ts';
import { PayForm, requestExpense } from '../contract/calls.ts';
import type { ExpenseRow } from '../contract/document.ts';
import { refreshExpenses } from './refresh.ts';

interface Props {
  expense: Pick<ExpenseRow, 'id' | 'number' | 'version' | 'currency'>;
  onClose: () => void;
}

/** 申请付款: makes the payment request of an approved expense, which finance approves and pays. */
export function PayDialog({ expense, onClose }: Props) {
  const form = useForm(PayForm, { method: 'BANK' });
  const mayChoose = useAllowed('fin:account:view');
  const { data: accounts = [] } = useCall(listAccounts, {}, { staleTime: 30_000, enabled: mayChoose });
  const send = useSend(requestExpense, { quiet: true });
  return (
    <FormDialog
      title={`申请付款 ${expense.number}`}
      okText="提交请款单"
      open
      form={form}
      fields={{
        cashAccountId: {
          options: accounts
            .filter(({ disabled }) => !disabled)
            .map(({ id, name, currency }) => ({ value: id, label: `${name} · ${currency}` })),
          help: '付款时可以改',
        },
      }}
      onSubmit={async (values) => {
        const done = await send.mutateAsync({ body: { ...values, id: expense.id, version: expense.version } });
        notice.success(done.message);
        await refreshExpenses();
      }}
      onClose={onClose}
    />
  );
}
