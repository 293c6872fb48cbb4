import { useSend } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import type { ExpenseRow } from '../contract/document.ts';
import { addRecurring, listRecurring, RecurringForm } from '../contract/recurring.ts';

interface Props {
  expense: Pick<ExpenseRow, 'id' | 'number' | 'payee' | 'spentOn'>;
  onClose: () => void;
}

/** 设为周期费用: a draft of the same is made every month. */
export function RecurringDialog({ expense, onClose }: Props) {
  const form = useForm(RecurringForm, { name: expense.payee, day: Number(expense.spentOn.slice(8)) });
  const send = useSend(addRecurring, { quiet: true, refreshes: [listRecurring] });
  return (
    <FormDialog
      title={`设为周期费用 ${expense.number}`}
      open
      form={form}
      fields={{ day: { help: '没有这一天的月份在最后一天生成' } }}
      onSubmit={async (values) => {
        const { nextOn } = await send.mutateAsync({ body: { ...values, expenseId: expense.id } });
        notice.success(`已设为周期费用，下次 ${nextOn} 生成草稿`);
      }}
      onClose={onClose}
    />
  );
}
