import type { ReactNode } from 'react';
import { z } from 'zod';
import { Text } from '../../contract/field.ts';
import { FormDialog } from './FormDialog.tsx';
import { useForm } from './use-form.ts';

const Form = z.object({ reason: Text(200, '原因') });

interface Props {
  title: string;
  /** Says what pressing does: 「撤销」, 「驳回」. */
  okText: string;
  /** What follows from it. */
  children: ReactNode;
  /** Sends the reason with `quiet`; a refusal leaves the dialog open and is said in it. */
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks why, before something that is not done silently. */
export function ReasonDialog({ title, okText, children, onSend, onClose }: Props) {
  const form = useForm(Form, {});
  return (
    <FormDialog
      title={title}
      open
      form={form}
      columns={1}
      okText={okText}
      onSubmit={({ reason }) => onSend(reason)}
      onClose={onClose}
    >
      <p className="label">{children}</p>
    </FormDialog>
  );
}
