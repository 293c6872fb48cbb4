import { writtenDay } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { SheetCell } from '#kit/server/excel/read.ts';

/** A cell that was understood, or why it was not. */
export type Read<T> = { value: T } | { reason: string };

const EMPTY: SheetCell = { text: '', numeric: false };

/** Text of a cell; a lone "-" is how the platform writes nothing. */
export function textOf(cell: SheetCell = EMPTY): string {
  const text = cell.text.trim();
  return /^[-—－]{1,2}$/.test(text) ? '' : text;
}

/** An amount of CNY, "1,234.50", "¥8.00" or "-5" for less than nothing; null where there is none. */
export function moneyOf(cell: SheetCell | undefined): Read<string | null> {
  const text = textOf(cell).replaceAll(/[,，\s]/g, '');
  if (text === '') return { value: null };
  const match = /^([-－−]?)[¥￥]?([-－−]?)(\d{1,12}(?:\.\d+)?)元?$/.exec(text);
  if (!match || (match[1] && match[2])) return { reason: '不是金额' };
  const amount = new Decimal(match[3] ?? '');
  if (!amount.eq(amount.toDecimalPlaces(2))) return { reason: '金额最多两位小数' };
  return { value: (match[1] || match[2] ? amount.neg() : amount).toFixed() };
}

/** A number of an order: text, because a numeric cell has lost what is behind its 15th digit. */
export function orderIdOf(cell: SheetCell | undefined): Read<string> {
  const text = textOf(cell).replace(/^'/, '');
  if (text === '') return { reason: '订单号不能为空' };
  if (cell?.numeric && text.length > 15) return { reason: '订单号是数字格式，末几位已丢失，请改为文本格式后重新导出' };
  return /^\d{10,30}$/.test(text) ? { value: text } : { reason: '订单号应为10至30位数字' };
}

const TIME = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;
const two = (part: string | undefined) => (part ?? '0').padStart(2, '0');

/** A time of Beijing as an instant (ISO 8601 in UTC); null where there is none. */
export function instantOf(cell: SheetCell | undefined): Read<string | null> {
  const text = textOf(cell);
  if (text === '') return { value: null };
  const [, year, month, day, hour, minute, second] = TIME.exec(text) ?? [];
  const wall = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`;
  // Read as UTC first: only there does the text of a day that exists come back as it was.
  const asUtc = new Date(`${wall}Z`);
  if (!year || Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(wall)) {
    return { reason: '不是时间，例如 2026-10-31 15:20:00' };
  }
  return { value: new Date(`${wall}+08:00`).toISOString() };
}

/** A day "yyyy-MM-dd", with or without a time behind it; null where there is none. */
export function dayOf(cell: SheetCell | undefined): Read<string | null> {
  const text = textOf(cell);
  if (text === '') return { value: null };
  const day = writtenDay(text);
  return day === undefined ? { reason: '不是日期，例如 2026-10-31' } : { value: day };
}

/** 是否退款: whatever is not a no is a yes. */
export function yesOf(cell: SheetCell | undefined): boolean {
  return !['', '否', '无', '未退款', 'N', 'FALSE', '0'].includes(textOf(cell).toUpperCase());
}
