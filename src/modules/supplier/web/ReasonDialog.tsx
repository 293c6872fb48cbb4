import type { ReactNode } from 'react';
import { z } from 'zod';
import { Text } from '#kit/contract/field.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';

const Form = z.object({ reason: Text(200, '原因') });

interface Props {
  title: string;
  okText: string;
  children: ReactNode;
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks why; what follows from it stands above. */
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
