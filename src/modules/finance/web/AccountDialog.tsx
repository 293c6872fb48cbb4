import { Button } from 'antd';
import { useEffect } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import {
  AccountForm,
  type AccountRow,
  addAccount,
  changeAccount,
  defaultAccount,
  listAccounts,
  NewAccountForm,
  switchAccount,
} from '../contract/accounts.ts';

interface Props {
  account: AccountRow | 'new' | undefined;
  onClose: () => void;
}

const CHANGE = AccountForm.omit({ currency: true });
const refresh = () => queryClient.invalidateQueries({ queryKey: cacheKey(listAccounts) });

function NewAccount({ onClose }: { onClose: () => void }) {
  const form = useForm(NewAccountForm, { method: 'BANK', currency: 'CNY', opening: '0', overdraft: '0' });
  return (
    <FormDialog
      title="添加账户"
      open
      form={form}
      fields={{
        name: { span: 2 },
        currency: { help: '保存后不能修改' },
        overdraft: { help: '信用卡、平台账期可填，其余为0' },
        openingDay: { help: '留空为今天' },
      }}
      onSubmit={async (values) => {
        await call(addAccount, { body: values }, { quiet: true, idempotencyKey: uuid() });
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

function Change({ account, onClose }: { account: AccountRow; onClose: () => void }) {
  const form = useForm(CHANGE, {});
  const { reset } = form;
  useEffect(() => {
    const { name, method, bankName, tail, overdraft, remark } = account;
    reset({ name, method, bankName, tail, overdraft: overdraft.replace(/\.?0+$/, '') || '0', remark });
  }, [account, reset]);
  const run = async (work: Promise<unknown>) => {
    await work;
    await refresh();
    onClose();
  };
  const { id, disabled, isDefault, version } = account;
  return (
    <FormDialog
      title={`账户设置 · ${account.name}`}
      open
      form={form}
      fields={{ name: { span: 2 }, remark: { span: 2 } }}
      onSubmit={async (values) => {
        const body = { ...values, id, version };
        await call(changeAccount, { body }, { quiet: true, idempotencyKey: uuid() });
        await refresh();
      }}
      onClose={onClose}
    >
      <div className="finance-bar">
        {!isDefault && !disabled && (
          <Button onClick={() => void run(call(defaultAccount, { body: { id } }, {}))}>设为默认</Button>
        )}
        <Button
          danger={!disabled}
          onClick={() => void run(call(switchAccount, { body: { id, disabled: !disabled } }, {}))}
        >
          {disabled ? '恢复使用' : '停用账户'}
        </Button>
      </div>
    </FormDialog>
  );
}

/** A new account, or the settings of one. */
export function AccountDialog({ account, onClose }: Props) {
  if (account === undefined) return null;
  return account === 'new' ? <NewAccount onClose={onClose} /> : <Change account={account} onClose={onClose} />;
}
