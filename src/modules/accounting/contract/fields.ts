import { z } from 'zod';
import { Choice, Day } from '#kit/contract/field.ts';

/** Root of the calls. */
export const base = '/finance/api/v1';

export const VIEW = 'gl:voucher:view';
export const EDIT_SUBJECTS = 'gl:subject:edit';

export const SubjectKind = Choice(
  { ASSET: '资产', LIABILITY: '负债', EQUITY: '权益', COST: '成本', PROFIT: '损益' },
  '类别',
);
export type SubjectKind = z.infer<typeof SubjectKind>;

export const Direction = Choice({ DEBIT: '借', CREDIT: '贷' }, '余额方向');
export type Direction = z.infer<typeof Direction>;

/** A month of the books, "yyyy-MM". */
export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, '请选择月份')
  .meta({ kind: 'month' });

/** First day of a month "yyyy-MM". */
export const firstDay = (month: string): string => `${month}-01`;

/** The later of two months "yyyy-MM". */
export const laterOf = (one: string, other: string): string => (one > other ? one : other);

/** The month "yyyy-MM" so many months after another one. */
export function monthAfter(month: string, count: number): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}`;
}

export const Days = z.object({ from: Day.optional(), to: Day.optional() });
