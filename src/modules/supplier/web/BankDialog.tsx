import { useEffect } from 'react';
import { cacheKey, call, queryClient, uuid } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { askBank, supplierDetail } from '../contract.ts';

const Form = askBank.body.omit({ id: true });

/** 修改收款账户: asked for here, agreed to by somebody else, in force a day later. */
export function BankDialog({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const form = useForm(Form, {});
  const { reset } = form;
  useEffect(() => {
    if (id) reset({});
  }, [id, reset]);
  return (
    <FormDialog
      title="修改收款账户"
      open={id !== undefined}
      form={form}
      okText="提交审批"
      fields={{ account: { span: 2 } }}
      onSubmit={async (values) => {
        await call(askBank, { body: { id: id ?? '', ...values } }, { quiet: true, idempotencyKey: uuid() });
        await queryClient.invalidateQueries({ queryKey: cacheKey(supplierDetail) });
        notice.success('已提交，须由另一人审批，通过 24 小时后生效');
      }}
      onClose={onClose}
    >
      <p className="label">须由另一人审批，通过 24 小时后生效。账号加密保存，列表只显示后四位。</p>
    </FormDialog>
  );
}
