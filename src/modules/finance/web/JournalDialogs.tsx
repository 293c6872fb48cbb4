import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  accountTrend,
  addJournal,
  addTransfer,
  CategoryForm,
  JournalForm,
  listAccounts,
  listCategories,
  listJournal,
  saveCategory,
  TransferForm,
} from '../contract/accounts.ts';
import { useAccountOptions, useCategoryOptions } from './choices.ts';

/** Reads anew what an entry changes. */
export async function refreshMoney(): Promise<void> {
  await Promise.all(
    [listAccounts, listJournal, accountTrend].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}

interface Props {
  account: string | undefined;
  onClose: () => void;
}

/** 记一笔: money that came in or went out. */
export function JournalDialog({ account, onClose }: Props) {
  const form = useForm(JournalForm, { direction: 'OUT', ...(account ? { cashAccountId: account } : {}) });
  const accounts = useAccountOptions();
  const categories = useCategoryOptions(form.values.direction === 'IN' ? 'IN' : 'OUT');
  return (
    <FormDialog
      title="记一笔"
      open
      form={form}
      fields={{
        cashAccountId: { options: accounts, span: 2 },
        categoryId: { options: categories, help: categories.length === 0 ? '可先在「收支项」里添加' : undefined },
        day: { help: '留空为今天' },
        memo: { span: 2 },
      }}
      onSubmit={async (values) => {
        await call(addJournal, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await refreshMoney();
      }}
      onClose={onClose}
    />
  );
}

/** 账户互转, with a change of currency where the two accounts differ. */
export function TransferDialog({ account, onClose }: Props) {
  const form = useForm(TransferForm, { fee: '0', ...(account ? { fromId: account } : {}) });
  const accounts = useAccountOptions();
  const currencyOf = (key: 'fromId' | 'toId') =>
    accounts.find((one) => one.value === form.values[key])?.label.slice(-3) ?? '';
  const [from, to] = [currencyOf('fromId'), currencyOf('toId')];
  const differ = from !== '' && to !== '' && from !== to;
  return (
    <FormDialog
      title="账户互转"
      open
      form={form}
      fields={{
        fromId: { options: accounts },
        toId: { options: accounts },
        amount: { prefix: from },
        received: { prefix: to, hidden: !differ, help: '实际到账的金额' },
        fee: { prefix: from, help: '由转出账户支付' },
        memo: { span: 2 },
      }}
      okText="转账"
      onSubmit={async (values) => {
        await call(addTransfer, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await refreshMoney();
      }}
      onClose={onClose}
    />
  );
}

/** 收支项: one more name for what money is earned by or spent on. */
export function CategoryDialog({ onClose }: { onClose: () => void }) {
  const form = useForm(CategoryForm, { direction: 'OUT' });
  const known = [...useCategoryOptions('OUT'), ...useCategoryOptions('IN')].map((one) => one.label);
  return (
    <FormDialog
      title="添加收支项"
      open
      form={form}
      onSubmit={async (values) => {
        await call(saveCategory, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await queryClient.invalidateQueries({ queryKey: cacheKey(listCategories) });
      }}
      onClose={onClose}
    >
      {known.length > 0 && <p className="label">已有：{known.join('、')}</p>}
    </FormDialog>
  );
}
