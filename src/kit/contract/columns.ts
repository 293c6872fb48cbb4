import { z } from 'zod';
import type { FieldKind, StateMeta } from './field.ts';
import { unwrap, wrapped } from './unwrap.ts';

/** One field of a row as grids, forms, Excel files and the column settings see it. */
export interface Column {
  key: string;
  title: string;
  kind: FieldKind;
  nullable: boolean;
  width?: number;
  currency?: string;
  states?: Record<string, StateMeta>;
  tip?: string;
  permission?: string;
  hidden?: boolean;
  optional?: boolean;
  group?: string;
  pinned?: 'left' | 'right';
  good?: 'up' | 'down';
}

type Meta = z.core.GlobalMeta;

// Every call asks for the metadata of the fields of its answer; a schema's metadata never changes.
const metas = new WeakMap<z.ZodType, Meta>();

/** Metadata of a field, looked for through optional and nullable wrappers; the outermost value of each key wins. */
export function metaOf(schema: z.ZodType): Meta {
  let meta = metas.get(schema);
  if (!meta) {
    meta = collected(schema);
    metas.set(schema, meta);
  }
  return meta;
}

function collected(schema: z.ZodType): Meta {
  const own = schema.meta() ?? {};
  const inner = wrapped(schema);
  return inner ? { ...metaOf(inner), ...own } : own;
}

function isNullable(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return true;
  return schema instanceof z.ZodDefault && isNullable(schema.unwrap() as z.ZodType);
}

const rowColumns = new WeakMap<z.ZodObject, readonly Column[]>();

/** Fields of a row schema in the order of their declaration; a field without a title is not a column. */
export function columnsOf(row: z.ZodObject): readonly Column[] {
  let columns = rowColumns.get(row);
  if (!columns) {
    columns = readColumns(row);
    rowColumns.set(row, columns);
  }
  return columns;
}

function readColumns(row: z.ZodObject): Column[] {
  const columns: Column[] = [];
  for (const [key, schema] of Object.entries(row.shape as Record<string, z.ZodType>)) {
    const meta = metaOf(schema);
    if (meta.title === undefined) continue;
    const { title, kind = 'text', ...rest } = meta;
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    columns.push({ ...known, key, title, kind, nullable: isNullable(schema) });
  }
  return columns;
}

/** Chinese title of the field at a path, for messages; falls back to the last key of the path. */
export function titleAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): string {
  let current: z.ZodType | undefined = schema;
  for (const key of path) {
    if (current) current = unwrap(current);
    if (current instanceof z.ZodObject && typeof key === 'string')
      current = current.shape[key] as z.ZodType | undefined;
    else if (current instanceof z.ZodArray) current = current.element as z.ZodType;
    else current = undefined;
  }
  const title = current ? metaOf(current).title : undefined;
  return title ?? String(path.at(-1) ?? '请求内容');
}
