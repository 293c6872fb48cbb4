import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, SchemaForm, useForm } from '#kit/web/form/index.ts';
import { ImportDialog } from '#kit/web/import/index.ts';
import { listAccounts, listJournal } from '../contract/accounts.ts';
import {
  BankPayForm,
  type BankRow,
  BankUploadForm,
  countBank,
  listBank,
  type PayableRequest,
  payFromBank,
  reconcileBank,
  suggestBank,
} from '../contract/bank.ts';
import { type Checked, checker, template, writer } from './bank-import.ts';
import { useAccountOptions } from './choices.ts';
import { refreshRequests } from './refresh.ts';

/** Reads anew what bringing in and matching changes. */
export async function refreshBank(): Promise<void> {
  await Promise.all(
    [listBank, countBank, suggestBank, reconcileBank, listAccounts, listJournal].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}

/** 导入银行流水: the account first, then the file. */
export function BankImport({ account, onClose }: { account: string | undefined; onClose: () => void }) {
  const form = useForm(BankUploadForm, account ? { cashAccountId: account } : {});
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const cashAccountId = text(form.values.cashAccountId);
  const statement = { cashAccountId, opening: text(form.values.opening), closing: text(form.values.closing) };
  return (
    <ImportDialog<Checked>
      title="导入银行流水"
      open
      onClose={onClose}
      check={checker(statement)}
      commit={writer(statement)}
      template={template}
      onDone={() => void refreshBank()}
      blocked={cashAccountId ? undefined : '请先选择账户'}
    >
      <SchemaForm
        form={form}
        columns={3}
        fields={{
          cashAccountId: { options: useAccountOptions() },
          opening: { help: '文件有余额列时可不填' },
          closing: { help: '填写后核对期初 + 发生额' },
        }}
      />
    </ImportDialog>
  );
}

interface PayProps {
  line: BankRow;
  request: PayableRequest;
  onClose: () => void;
}

/** Pays an approved request by a line of the bank. */
export function BankPayDialog({ line, request, onClose }: PayProps) {
  const same = request.currency === line.currency;
  const amount = same ? (line.outgo ?? '') : request.open;
  const form = useForm(BankPayForm, { amount: amount.replace(/(\.\d\d)\d*$/, '$1'), fee: '0' });
  return (
    <FormDialog
      title={`按银行流水付款 ${request.number}`}
      open
      form={form}
      columns={2}
      okText="付款并匹配"
      fields={{
        amount: { prefix: request.currency },
        fee: { prefix: line.currency, help: same ? '付款金额 + 手续费 = 银行支出' : '银行支出 − 手续费为账户支出' },
      }}
      onSubmit={async (values) => {
        const body = { ...values, id: line.id, requestId: request.id, version: request.version, batchId: uuid() };
        await call(payFromBank, { body }, { quiet: true, idempotencyKey: uuid() });
        await Promise.all([refreshBank(), refreshRequests()]);
      }}
      onClose={onClose}
    />
  );
}
