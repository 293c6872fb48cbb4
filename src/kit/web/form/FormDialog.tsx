import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { z } from 'zod';
import { ApiError, messageOf } from '../api/errors.ts';
import { notice } from '../notice.tsx';
import { type FieldSetting, SchemaForm } from './SchemaForm.tsx';
import type { FormState } from './use-form.ts';

interface Props<S extends z.ZodObject> {
  title: string;
  open: boolean;
  form: FormState<S>;
  fields?: Partial<Record<Extract<keyof z.output<S>, string>, FieldSetting>>;
  /** Says what pressing does: 「保存」, 「授权」. */
  okText?: string;
  columns?: number;
  width?: number;
  /** Sends the checked values with `quiet`; field errors of the server go beside their fields. */
  onSubmit: (values: z.output<S>) => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
  /** Below the fields: what is chosen by what they say. */
  after?: ReactNode;
}

/** A form in a dialog of 560 px; Ctrl+S or Ctrl+Enter saves. */
export function FormDialog<S extends z.ZodObject>(props: Props<S>) {
  const {
    title,
    open,
    form,
    fields,
    okText = '保存',
    columns = 2,
    width = 560,
    onSubmit,
    onClose,
    children,
    after,
  } = props;
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const values = form.check();
    if (values === null || busy) return;
    setBusy(true);
    try {
      await onSubmit(values);
      form.reset(form.values);
      onClose();
    } catch (error) {
      if (!form.refuse(error) && error instanceof ApiError) notice.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={title}
      open={open}
      width={width}
      okText={okText}
      confirmLoading={busy}
      onOk={() => void submit()}
      onCancel={() => {
        form.abandon();
        onClose();
      }}
      mask={{ closable: !form.dirty }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        onKeyDown={(event) => {
          const saves = (event.ctrlKey || event.metaKey) && (event.key === 's' || event.key === 'Enter');
          if (!saves) return;
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        <SchemaForm form={form} columns={columns} {...(fields ? { fields } : {})} />
        {after}
        <button type="submit" hidden aria-label={okText} />
      </form>
    </Modal>
  );
}
