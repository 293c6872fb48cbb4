import { z } from 'zod';

/**
 * How a value is shown and edited. The kind decides alignment, formatting, the grid cell, the form control and the
 * Excel cell type, on both sides.
 */
export type FieldKind =
  | 'text'
  | 'code'
  | 'integer'
  | 'money'
  | 'rate'
  | 'percent'
  | 'instant'
  | 'date'
  | 'month'
  | 'state'
  | 'choice'
  | 'boolean'
  | 'product'
  | 'store'
  | 'person'
  | 'image';

/** What a colour may mean: see the state tags of the interface rules. */
export type Tone = 'off' | 'running' | 'waiting' | 'done' | 'trouble' | 'side';

export interface StateMeta {
  title: string;
  tone: Tone;
}

declare module 'zod' {
  interface GlobalMeta {
    /** Chinese label: column title, form label, Excel header, API documentation, audit wording. */
    title?: string | undefined;
    kind?: FieldKind | undefined;
    /** Column width in px. */
    width?: number | undefined;
    /** money: key of the sibling field that holds the ISO currency, or the currency itself in upper case. */
    currency?: string | undefined;
    /** state and choice: what each value is called and means. */
    states?: Record<string, StateMeta> | undefined;
    /** Longer explanation, shown on the column title. */
    tip?: string | undefined;
    /** Permission code without which the value is not sent, shown, sorted by or exported. */
    permission?: string | undefined;
    /** Part of a row that screens need but no column shows. */
    hidden?: boolean | undefined;
    /** Not shown until the user asks for the column. */
    optional?: boolean | undefined;
    /** Header group over several columns. */
    group?: string | undefined;
    pinned?: 'left' | 'right' | undefined;
    /** Whether more is good, bad or neither; decides the colour of trends and of negative values. */
    good?: 'up' | 'down' | undefined;
  }
}

const DECIMAL = /^-?\d{1,18}(\.\d{1,10})?$/;

/** Row key: uuidv7 in text form. */
export const Id = z.uuid().meta({ title: '编号', hidden: true });

/** Exact decimal as text, e.g. "-1281.65"; its currency stands beside it (meta `currency`). */
export const Money = z.string().regex(DECIMAL, '请输入正确的金额').meta({ kind: 'money' });

/** Exact ratio as text: "0.2015" is 20.15 %. */
export const Rate = z.string().regex(DECIMAL).meta({ kind: 'percent' });

/** Exact decimal as text that is no money: exchange rate, weight, dimension. */
export const Decimal = z.string().regex(DECIMAL, '请输入数字').meta({ kind: 'rate' });

/** Whole number of pieces. */
export const Quantity = z.int().meta({ kind: 'integer' });

/** ISO 8601 instant in UTC, e.g. "2026-07-15T10:20:00.000Z". */
export const Instant = z.iso.datetime({ offset: true }).meta({ kind: 'instant' });

/** Calendar day "yyyy-MM-dd" of the zone that the field's title names. */
export const Day = z.iso.date().meta({ kind: 'date' });

/** ISO 4217 code. */
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ title: '币种', kind: 'code', width: 72 });

/** Trimmed text of 1 to `max` characters. */
export function Text(max: number, title: string) {
  return z
    .string()
    .trim()
    .min(1, `${title}不能为空`)
    .max(max, `${title}不能超过${max}个字符`)
    .meta({ title, kind: 'text' });
}

/** Trimmed text of at most `max` characters that may be empty. */
export function OptionalText(max: number, title: string) {
  return z.string().trim().max(max, `${title}不能超过${max}个字符`).optional().meta({ title, kind: 'text' });
}

/** A closed set of states or choices with the name and the meaning of each. */
export function States<const T extends Record<string, StateMeta>>(states: T, title = '状态') {
  const values = Object.keys(states) as [keyof T & string, ...(keyof T & string)[]];
  return z.enum(values).meta({ title, kind: 'state', states });
}

/** A closed set of plain choices: value to Chinese name. */
export function Choice<const T extends Record<string, string>>(choices: T, title: string) {
  const values = Object.keys(choices) as [keyof T & string, ...(keyof T & string)[]];
  const states = Object.fromEntries(
    Object.entries(choices).map(([key, name]) => [key, { title: name, tone: 'off' as const }]),
  );
  return z.enum(values).meta({ title, kind: 'choice', states });
}

/** One product as lists show it: picture, name, code below. */
export const Product = z.object({
  name: z.string(),
  code: z.string(),
  image: z.string().nullable().optional(),
  /** Second code, e.g. the ASIN under a SKU. */
  extra: z.string().nullable().optional(),
  /** How many further lines the record has. */
  more: z.int().optional(),
});
export type Product = z.infer<typeof Product>;

/** One store as lists show it: country badge and name. */
export const Store = z.object({ name: z.string(), country: z.string() });
export type Store = z.infer<typeof Store>;
