import { writtenDay } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';

/** A cell that can be taken as it will be written, or why not. Empty text is an empty cell. */
export type Read = { value: string } | { reason: string; suggestion: string };

export interface ImportColumn {
  /** Name of the column in the temporary table. */
  key: string;
  title: string;
  /** Other headings, lower case without blanks. */
  aliases?: readonly string[];
  required?: boolean;
  read: (text: string) => Read;
  /** What a template shows. */
  sample?: string;
}

/** Full-width digits and signs of a Chinese keyboard to plain ones. */
function narrowed(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ')
    .trim();
}

// Exports keep text that looks like a formula as text with this sign before it.
const unescaped = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, '');

const CONTROL = /\p{Cc}/u;

/** Trimmed text of at most `max` characters. */
export function text(max: number) {
  return (cell: string): Read => {
    const value = unescaped(cell.trim());
    if (value.length > max) return { reason: `超过${max}个字符`, suggestion: '请缩短内容' };
    return CONTROL.test(value) ? { reason: '含有换行等控制字符', suggestion: '请删除换行' } : { value };
  };
}

/** A decimal above zero (or from zero on) with so many places, thousands separators allowed. */
export function decimal(places: number, { zero = false, max = 1e12 } = {}) {
  const example = places === 0 ? '12' : '12.5';
  return (cell: string): Read => {
    const bare = narrowed(cell)
      .replace(/^[¥￥$]|(CNY|RMB|元)$/gi, '')
      .trim();
    if (bare === '') return { value: '' };
    const plain = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare) ? bare.replaceAll(',', '') : bare;
    if (!/^\d{1,12}(\.\d+)?$/.test(plain)) return { reason: '请输入正确的数字', suggestion: `例如 ${example}` };
    // Most cells are plain enough to be taken without arithmetic.
    const value = /^[1-9]\d{0,9}$/.test(plain) ? plain : new Decimal(plain).toFixed();
    if (!zero && Number(value) === 0) return { reason: '必须大于 0', suggestion: '没有数据请留空' };
    if (Number(value) > max) return { reason: `不能超过 ${max}`, suggestion: '请检查单位' };
    const point = value.indexOf('.');
    if (point >= 0 && value.length - point - 1 > places) {
      return places === 0
        ? { reason: '数量必须为正整数', suggestion: '请填写整数' }
        : { reason: `最多 ${places} 位小数`, suggestion: `改为 ${new Decimal(value).toFixed(places)}` };
    }
    return { value };
  };
}

/** "13%" or "0.13" as the ratio "0.13"; a plain number above `max` is a percentage written without its sign. */
export function share(max = 1) {
  return (cell: string): Read => {
    const bare = narrowed(cell);
    if (bare === '') return { value: '' };
    const match = /^(\d{1,3}(?:\.\d{1,6})?)(%?)$/.exec(bare);
    if (!match) return { reason: '请输入正确的百分比', suggestion: '例如 13%' };
    const number = new Decimal(match[1] ?? '0');
    const ratio = match[2] === '%' || number.gt(max) ? number.div(100) : number;
    return ratio.gt(max) ? { reason: `不能超过 ${max * 100}%`, suggestion: '例如 13%' } : { value: ratio.toFixed() };
  };
}

/** A day as people write it; spreadsheets' serial numbers as well. */
export function day(cell: string): Read {
  const bare = narrowed(cell);
  if (bare === '') return { value: '' };
  if (/^\d{5}$/.test(bare)) {
    return { value: new Date(Date.UTC(1899, 11, 30) + Number(bare) * 86_400_000).toISOString().slice(0, 10) };
  }
  const value = writtenDay(bare);
  return value ? { value } : { reason: '日期无效', suggestion: '填写 yyyy-MM-dd，例如 2026-01-31' };
}

/** One of a closed set by its Chinese name or its value. */
export function oneOf(choices: Readonly<Record<string, string>>) {
  const known = new Map(
    Object.entries(choices).flatMap(([value, title]) => [
      [title, value],
      [value, value],
    ]),
  );
  const titles = Object.values(choices).join('、');
  return (cell: string): Read => {
    const bare = cell.trim();
    if (bare === '') return { value: '' };
    const value = known.get(bare) ?? known.get(bare.toLowerCase());
    return value === undefined ? { reason: '不是可选的值', suggestion: `填写 ${titles}` } : { value };
  };
}

/** 是 or 否, as 't' and 'f'. */
export function yesNo(cell: string): Read {
  const bare = cell.trim().toLowerCase();
  if (bare === '') return { value: '' };
  if (['是', 'y', 'yes', 'true', '1', '√'].includes(bare)) return { value: 't' };
  if (['否', 'n', 'no', 'false', '0', '×'].includes(bare)) return { value: 'f' };
  return { reason: '请填写是或否', suggestion: '填写 是 或 否' };
}

/** A local SKU: trimmed, at most 50 characters. */
export const sku = text(50);

/** A code that must look like this, or an empty cell. */
export function code(pattern: RegExp, reason: string, suggestion: string) {
  return (cell: string): Read => {
    const value = narrowed(cell).toUpperCase();
    return value === '' || pattern.test(value) ? { value } : { reason, suggestion };
  };
}
