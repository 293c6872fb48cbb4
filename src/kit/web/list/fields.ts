import { z } from 'zod';
import { metaOf } from '../../contract/columns.ts';
import type { StateMeta } from '../../contract/field.ts';
import { unwrap } from '../../contract/unwrap.ts';

export interface FilterOption {
  value: string;
  label: string;
}

interface Base {
  key: string;
  title: string;
  /** Stands behind 「更多筛选」. */
  optional: boolean;
  options: FilterOption[];
}

/** One filter as the bar shows it. The control follows from the type of the field in the filter schema. */
export type FilterField =
  | (Base & { control: 'search'; many: boolean; separators: RegExp })
  | (Base & { control: 'select' | 'multi' | 'boolean' | 'date' | 'month' | 'number' })
  | (Base & { control: 'dateRange' | 'numberRange'; shape: 'tuple' | 'object' });

export type FilterValue = Readonly<Record<string, unknown>>;

function optionsOf(schema: z.ZodEnum): FilterOption[] {
  const states = metaOf(schema).states;
  return schema.options.map((value) => ({ value: String(value), label: states?.[value]?.title ?? String(value) }));
}

/** States over which a list's tabs run, with their tones: those of a state filter, or of a list of states. */
export function statesOf(schema: z.ZodType | undefined): Record<string, StateMeta> {
  if (!schema) return {};
  const inner = unwrap(schema);
  const states = metaOf(schema).states ?? metaOf(inner).states;
  if (states) return states;
  return inner instanceof z.ZodArray ? statesOf(inner.element as z.ZodType) : {};
}

/** Codes never hold blanks, so a pasted column or a typed row of codes parts at any of them; names do not. */
const CODE_SEPARATORS = /[\s,，;；、]+/;
const TEXT_SEPARATORS = /[\t\r\n,，;；]+/;

function rangeShape(schema: z.ZodType): { shape: 'tuple' | 'object'; item: z.ZodType } | undefined {
  if (schema instanceof z.ZodTuple && schema.def.items.length === 2) {
    return { shape: 'tuple', item: schema.def.items[0] as z.ZodType };
  }
  if (schema instanceof z.ZodObject && 'from' in schema.shape && 'to' in schema.shape) {
    return { shape: 'object', item: schema.shape.from as z.ZodType };
  }
  return undefined;
}

function fieldOf(key: string, schema: z.ZodType, given: readonly FilterOption[] | undefined): FilterField | undefined {
  const meta = metaOf(schema);
  if (meta.hidden || meta.title === undefined) return undefined;
  const inner = unwrap(schema);
  const base: Base = { key, title: meta.title, optional: meta.optional ?? false, options: [...(given ?? [])] };
  const range = rangeShape(inner);
  if (range) {
    const kind = meta.kind ?? metaOf(range.item).kind;
    return {
      ...base,
      control: kind === 'date' || kind === 'instant' ? 'dateRange' : 'numberRange',
      shape: range.shape,
    };
  }
  if (inner instanceof z.ZodArray) {
    const item = unwrap(inner.element as z.ZodType);
    if (given) return { ...base, control: 'multi' };
    if (item instanceof z.ZodEnum) return { ...base, control: 'multi', options: optionsOf(item) };
    const kind = meta.kind ?? metaOf(item).kind;
    return { ...base, control: 'search', many: true, separators: kind === 'code' ? CODE_SEPARATORS : TEXT_SEPARATORS };
  }
  if (inner instanceof z.ZodEnum)
    return { ...base, control: 'select', options: given ? base.options : optionsOf(inner) };
  if (inner instanceof z.ZodBoolean) return { ...base, control: 'boolean' };
  if (inner instanceof z.ZodNumber) return { ...base, control: 'number' };
  if (meta.kind === 'date' || meta.kind === 'month') return { ...base, control: meta.kind };
  if (given) return { ...base, control: 'select' };
  return { ...base, control: 'search', many: false, separators: TEXT_SEPARATORS };
}

/** The filters of a list: every titled field of its filter schema. `options` holds choices that only the server or the caller's rights know. */
export function filterFields(
  filter: z.ZodObject,
  options: Readonly<Record<string, readonly FilterOption[] | undefined>> = {},
): FilterField[] {
  return Object.entries(filter.shape as Record<string, z.ZodType>)
    .map(([key, schema]) => fieldOf(key, schema, options[key]))
    .filter((field) => field !== undefined);
}

/** Both ends of a range, whatever its shape. */
export function rangeOf(value: unknown): [string | undefined, string | undefined] {
  if (Array.isArray(value))
    return [value[0], value[1]].map((end) => (end == null ? undefined : String(end))) as [string, string];
  const { from, to } = (value ?? {}) as { from?: unknown; to?: unknown };
  return [from == null ? undefined : String(from), to == null ? undefined : String(to)];
}

/** A range in the shape that its schema wants; undefined where both ends are open, or a pair is not complete. */
export function rangeValue(
  field: Extract<FilterField, { shape: string }>,
  from: string | undefined,
  to: string | undefined,
): unknown {
  const cast = (end: string | undefined) => (end === undefined || field.control === 'dateRange' ? end : Number(end));
  if (field.shape === 'tuple') return from === undefined || to === undefined ? undefined : [cast(from), cast(to)];
  if (from === undefined && to === undefined) return undefined;
  return { ...(from === undefined ? {} : { from: cast(from) }), ...(to === undefined ? {} : { to: cast(to) }) };
}

/** Whether a filter narrows anything. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** The value of a filter in words: for chips and for 「没有符合条件的数据」. */
export function filterText(field: FilterField, value: unknown): string {
  const name = (one: unknown) => field.options.find((option) => option.value === String(one))?.label ?? String(one);
  switch (field.control) {
    case 'dateRange':
    case 'numberRange': {
      const [from = '…', to = '…'] = rangeOf(value);
      return `${from} 至 ${to}`;
    }
    case 'boolean':
      return value === true || value === 'true' ? '是' : '否';
    default: {
      const all = (Array.isArray(value) ? value : [value]).map(name);
      return all.length > 3 ? `${all.slice(0, 2).join('、')} 等 ${all.length} 项` : all.join('、');
    }
  }
}
