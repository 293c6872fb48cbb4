import { Input } from 'antd';
import { call } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { BindForm, bindAccount } from '../../contract/bind.ts';

const EMPTY = { account: '', password: '' };

interface Props {
  open: boolean;
  onClose: () => void;
  onBound: () => void;
}

/** Binds another account of the same person by its password. */
export function BindDialog({ open, onClose, onBound }: Props) {
  const form = useForm(BindForm, EMPTY);
  return (
    <FormDialog
      title="绑定其它账号"
      open={open}
      form={form}
      columns={1}
      okText="绑定"
      fields={{
        account: { placeholder: '请输入要绑定的账号' },
        password: {
          render: ({ id, value, onChange }) => (
            <Input.Password
              id={id}
              placeholder="请输入密码"
              autoComplete="off"
              value={String(value ?? '')}
              onChange={(event) => onChange(event.target.value)}
            />
          ),
        },
      }}
      onSubmit={async (body) => {
        await call(bindAccount, { body }, { quiet: true });
        notice.success('账号绑定成功');
        form.reset(EMPTY);
        onBound();
      }}
      onClose={() => {
        form.reset(EMPTY);
        onClose();
      }}
    />
  );
}
