import { useCallback, useMemo, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from '../api/errors.ts';
import { useDirty } from '../tabs/scope.ts';

export type FormValues = Readonly<Record<string, unknown>>;
export type FormErrors = Readonly<Record<string, string>>;

export interface FormState<S extends z.ZodObject> {
  schema: S;
  values: FormValues;
  errors: FormErrors;
  dirty: boolean;
  set: (key: string, value: unknown) => void;
  /** The checked values, or null: then the errors are shown and the first field in error has the focus. */
  check: () => z.output<S> | null;
  /** Puts the server's field errors beside their fields; false where the error is none of that sort. */
  refuse: (error: unknown) => boolean;
  /** Starts over from these values, unsaved changes are gone. */
  reset: (values: FormValues) => void;
  /** Gives up what was changed. */
  abandon: () => void;
}

/** Messages by field. A field that nobody filled in says so, instead of naming the type that it is not. */
export function errorsOf(schema: z.ZodObject, values: FormValues): FormErrors {
  const parsed = schema.safeParse(values);
  if (parsed.success) return {};
  const errors: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const key = String(issue.path[0] ?? '');
    const empty = values[key] === undefined || values[key] === null || values[key] === '';
    const title = (schema.shape[key] as z.ZodType | undefined)?.meta()?.title ?? '此项';
    // What the field itself says goes first; the library's own words are no words for a user.
    const unworded = /^(Invalid|Too) /.test(issue.message);
    errors[key] ??= empty && unworded ? `${title}不能为空` : issue.message;
  }
  return errors;
}

/** Values that count as not given: what a control holds after it was cleared. */
function given(values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
}

function focusField(key: string): void {
  document.querySelector<HTMLElement>(`[data-field="${CSS.escape(key)}"] :is(input, textarea, button)`)?.focus();
}

/** State of a form over a schema: the same schema that the endpoint checks. Marks its tab while it holds changes. */
export function useForm<S extends z.ZodObject>(schema: S, initial: FormValues): FormState<S> {
  const [start, setStart] = useState(initial);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FormErrors>({});
  const dirty = useMemo(() => JSON.stringify(given(values)) !== JSON.stringify(given(start)), [values, start]);
  useDirty(dirty);

  const set = useCallback((key: string, value: unknown) => {
    setValues((old) => ({ ...old, [key]: value }));
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([each]) => each !== key)));
  }, []);
  const check = useCallback((): z.output<S> | null => {
    const found = errorsOf(schema, given(values));
    setErrors(found);
    const [first] = Object.keys(found);
    if (first !== undefined) {
      focusField(first);
      return null;
    }
    return schema.parse(given(values));
  }, [schema, values]);
  const refuse = useCallback((error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.fields.length === 0) return false;
    const found = Object.fromEntries(error.fields.map(({ field, msg }) => [field.split('.').at(-1) ?? field, msg]));
    setErrors(found);
    const [first] = Object.keys(found);
    if (first !== undefined) focusField(first);
    return true;
  }, []);
  const reset = useCallback((next: FormValues) => {
    setStart(next);
    setValues(next);
    setErrors({});
  }, []);
  const abandon = useCallback(() => reset(start), [reset, start]);
  return { schema, values, errors, dirty, set, check, refuse, reset, abandon };
}
