import { z } from 'zod';
import { metaOf } from './columns.ts';
import { type Totals, withoutFields } from './totals.ts';

/** Whether the caller holds a permission code. */
export type May = (code: string) => boolean;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Schemas directly inside another one, whatever wraps them. */
function parts(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape as Record<string, z.ZodType>);
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  if (schema instanceof z.ZodRecord) return [schema.valueType as z.ZodType];
  if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[];
  if (schema instanceof z.ZodTuple) return schema.def.items as z.ZodType[];
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right] as z.ZodType[];
  if (schema instanceof z.ZodPipe) return [schema.out as z.ZodType];
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return [schema.unwrap() as z.ZodType];
  }
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodReadonly || schema instanceof z.ZodPrefault) {
    return [schema.unwrap() as z.ZodType];
  }
  return [];
}

const known = new WeakMap<z.ZodType, ReadonlySet<string>>();

function collect(schema: z.ZodType, codes: Set<string>, seen: Set<z.ZodType>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const { permission } = metaOf(schema);
  if (permission !== undefined) codes.add(permission);
  for (const part of parts(schema)) collect(part, codes, seen);
}

/** Permission codes that fields anywhere in a schema ask for. */
export function permissionsIn(schema: z.ZodType): ReadonlySet<string> {
  const before = known.get(schema);
  if (before) return before;
  const codes = new Set<string>();
  collect(schema, codes, new Set());
  known.set(schema, codes);
  return codes;
}

/** Whether a field with a permission stands anywhere in a schema. */
export function protects(schema: z.ZodType): boolean {
  return permissionsIn(schema).size > 0;
}

/** Whether the caller holds all that the fields of a schema ask for, so that nothing has to be looked through. */
function seesAll(schema: z.ZodType, may: May): boolean {
  return permissionsIn(schema).values().every(may);
}

/** Keys of an object's own fields that the caller may not see. */
function keysWithheld(schema: z.ZodObject, may: May): string[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>)
    .filter(([, field]) => {
      const { permission } = metaOf(field);
      return permission !== undefined && !may(permission);
    })
    .map(([key]) => key);
}

/** A page's totals carry the names of its rows' fields. */
function keysOfTotals(schema: z.ZodObject, may: May): string[] {
  const { records, totals } = schema.shape as Record<string, z.ZodType | undefined>;
  if (!totals || !(records instanceof z.ZodArray) || !(records.element instanceof z.ZodObject)) return [];
  return keysWithheld(records.element, may);
}

function prunedObject(schema: z.ZodObject, value: Record<string, unknown>, may: May): Record<string, unknown> {
  const withheld = keysWithheld(schema, may);
  const ofTotals = keysOfTotals(schema, may);
  const shape = schema.shape as Record<string, z.ZodType>;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const field = shape[key];
    if (withheld.includes(key)) continue;
    if (key === 'totals' && isObject(inner)) result[key] = withoutFields(inner as Totals, ofTotals);
    else result[key] = field ? withheldFrom(field, inner, may) : inner;
  }
  return result;
}

/** A copy of a value without the fields that its schema keeps from the caller; the same value where it keeps none. */
export function withheldFrom(schema: z.ZodType, value: unknown, may: May): unknown {
  if (value === null || value === undefined || seesAll(schema, may)) return value;
  if (schema instanceof z.ZodObject) return isObject(value) ? prunedObject(schema, value, may) : value;
  const inner = parts(schema);
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value) && inner[0]
      ? value.map((item) => withheldFrom(schema.element as z.ZodType, item, may))
      : value;
  }
  if (schema instanceof z.ZodRecord) {
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, withheldFrom(schema.valueType as z.ZodType, item, may)]),
    );
  }
  if (schema instanceof z.ZodTuple) {
    return Array.isArray(value)
      ? value.map((item, at) => (inner[at] ? withheldFrom(inner[at], item, may) : item))
      : value;
  }
  return inner.reduce((current: unknown, part) => withheldFrom(part, current, may), value);
}

/** First field of an input that the caller filled without being allowed to see it, by its permission code. */
export function forbiddenInput(schema: z.ZodType, value: unknown, may: May): string | undefined {
  if (value === null || value === undefined || seesAll(schema, may)) return undefined;
  if (schema instanceof z.ZodObject && isObject(value)) {
    for (const [key, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
      if (value[key] === undefined) continue;
      const { permission } = metaOf(field);
      if (permission !== undefined && !may(permission)) return permission;
      const inner = forbiddenInput(field, value[key], may);
      if (inner) return inner;
    }
    return undefined;
  }
  const items = Array.isArray(value) ? value : [value];
  for (const part of parts(schema)) {
    for (const item of items) {
      const found = forbiddenInput(part, item, may);
      if (found) return found;
    }
  }
  return undefined;
}
