import { type ReactNode, useId, useMemo } from 'react';
import type { z } from 'zod';
import { Control } from './Control.tsx';
import { type FormField, type FormOption, formFields } from './fields.ts';
import type { FormState } from './use-form.ts';

/** What a screen says about one field of its form. */
export interface FieldSetting {
  /** Columns of six. */
  span?: 1 | 2 | 3 | 4 | 5 | 6;
  options?: readonly FormOption[];
  placeholder?: string;
  /** In the 18 px under the control, until an error takes the place. */
  help?: ReactNode;
  prefix?: ReactNode;
  disabled?: boolean;
  hidden?: boolean;
  /** Another control. */
  render?: (props: { id: string; value: unknown; onChange: (value: unknown) => void; invalid: boolean }) => ReactNode;
}

interface Props<S extends z.ZodObject> {
  form: FormState<S>;
  fields?: Partial<Record<Extract<keyof z.output<S>, string>, FieldSetting>>;
  /** Columns of the grid; 6 on a page, 1 or 2 in a dialog. */
  columns?: number;
}

interface RowProps {
  field: FormField;
  setting: FieldSetting;
  id: string;
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
}

function FieldRow({ field, setting, id, value, error, onChange }: RowProps) {
  const invalid = error !== undefined;
  return (
    <div
      className={`field${invalid ? ' is-invalid' : ''}`}
      data-field={field.key}
      style={{ gridColumn: `span ${setting.span ?? 1}` }}
    >
      <label className="field-label" htmlFor={id} title={field.tip}>
        {field.title}
        {field.required && <i aria-hidden="true">*</i>}
      </label>
      {setting.render?.({ id, value, onChange, invalid }) ?? (
        <Control
          field={field}
          id={id}
          value={value}
          onChange={onChange}
          options={setting.options}
          placeholder={setting.placeholder}
          prefix={setting.prefix}
          disabled={setting.disabled}
          invalid={invalid}
        />
      )}
      <div className="field-help" role={invalid ? 'alert' : undefined}>
        {error ?? setting.help}
      </div>
    </div>
  );
}

/** The fields of a schema as a form: labels above, help or error in the 18 px below, so that nothing moves. */
export function SchemaForm<S extends z.ZodObject>({ form, fields, columns = 6 }: Props<S>) {
  const prefix = useId();
  const all = useMemo(() => formFields(form.schema), [form.schema]);
  const settings = (fields ?? {}) as Record<string, FieldSetting | undefined>;
  return (
    <div className="form" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {all
        .filter((field) => !settings[field.key]?.hidden)
        .map((field) => (
          <FieldRow
            key={field.key}
            field={field}
            setting={settings[field.key] ?? {}}
            id={`${prefix}-${field.key}`}
            value={form.values[field.key]}
            error={form.errors[field.key]}
            onChange={(value) => form.set(field.key, value)}
          />
        ))}
    </div>
  );
}
