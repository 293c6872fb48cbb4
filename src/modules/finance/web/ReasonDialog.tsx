import { z } from 'zod';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { Reason } from '../contract/fields.ts';

const Form = z.object({ reason: Reason });

interface Props {
  title: string;
  okText: string;
  text: string;
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks why, before something is taken back. */
export function ReasonDialog({ title, okText, text, onSend, onClose }: Props) {
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
      <p className="label">{text}</p>
    </FormDialog>
  );
}
