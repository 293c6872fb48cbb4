import type { ComponentProps } from 'react';
import { useEffect } from 'react';
import type { z } from 'zod';
import type { EndpointDef } from '#kit/contract/endpoint.ts';
import { cacheKey, queryClient } from '#kit/web/api/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';

interface Props<S extends z.ZodObject> {
  title: string;
  schema: S;
  initial: Readonly<Record<string, unknown>>;
  fields?: ComponentProps<typeof FormDialog<S>>['fields'];
  okText?: string;
  send: (values: z.output<S>) => Promise<unknown>;
  /** Endpoints whose answers are old afterwards. */
  refreshes: readonly EndpointDef[];
  onClose: () => void;
}

/** A form over a schema in a dialog that is open as long as it is there. */
export function EditDialog<S extends z.ZodObject>(props: Props<S>) {
  const { title, schema, initial, fields, okText, send, refreshes, onClose } = props;
  const form = useForm(schema, initial);
  const { reset } = form;
  useEffect(() => () => reset({}), [reset]);
  return (
    <FormDialog
      title={title}
      open
      form={form}
      {...(fields ? { fields } : {})}
      {...(okText ? { okText } : {})}
      onSubmit={async (values) => {
        await send(values);
        await Promise.all(refreshes.map((each) => queryClient.invalidateQueries({ queryKey: cacheKey(each) })));
      }}
      onClose={onClose}
    />
  );
}
