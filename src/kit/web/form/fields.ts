import { z } from 'zod';
import { metaOf } from '../../contract/columns.ts';
import type { FieldKind } from '../../contract/field.ts';
import { unwrap } from '../../contract/unwrap.ts';

export interface FormOption {
  value: string;
  label: string;
}

/** How a field is edited; follows from its type and its kind. */
export type FormControl =
  | 'text'
  | 'area'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'percent'
  | 'select'
  | 'multi'
  | 'switch'
  | 'date';

export interface FormField {
  key: string;
  title: string;
  control: FormControl;
  required: boolean;
  options: FormOption[];
  tip: string | undefined;
  /** Longest text that the schema takes. */
  limit: number | undefined;
}

const AREA_FROM = 200;

function optionsOf(schema: z.ZodType): FormOption[] {
  if (!(schema instanceof z.ZodEnum)) return [];
  const states = metaOf(schema).states;
  return schema.options.map((value) => ({ value: String(value), label: states?.[value]?.title ?? String(value) }));
}

/** A code is one line, however long it may be. */
const BY_KIND: Partial<Record<FieldKind, FormControl>> = {
  code: 'text',
  money: 'decimal',
  rate: 'decimal',
  percent: 'percent',
  date: 'date',
};

function controlOf(schema: z.ZodType, kind: FieldKind | undefined): FormControl {
  if (schema instanceof z.ZodEnum) return 'select';
  if (schema instanceof z.ZodArray) return 'multi';
  if (schema instanceof z.ZodBoolean) return 'switch';
  if (schema instanceof z.ZodNumber) return schema.format === 'safeint' || kind === 'integer' ? 'integer' : 'number';
  const byKind = kind && BY_KIND[kind];
  if (byKind) return byKind;
  return schema instanceof z.ZodString && (schema.maxLength ?? 0) >= AREA_FROM ? 'area' : 'text';
}

/** The fields of a form: every titled field of the schema that is not hidden. */
export function formFields(schema: z.ZodObject): FormField[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, each]) => {
    const meta = metaOf(each);
    if (meta.title === undefined || meta.hidden) return [];
    const inner = unwrap(each);
    const item = inner instanceof z.ZodArray ? unwrap(inner.element as z.ZodType) : inner;
    return [
      {
        key,
        title: meta.title,
        control: controlOf(inner, meta.kind),
        required: !each.safeParse(undefined).success && !(inner instanceof z.ZodBoolean),
        options: optionsOf(item),
        tip: meta.tip,
        limit: inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined,
      },
    ];
  });
}
