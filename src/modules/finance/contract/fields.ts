import { z } from 'zod';
import { Choice, Id } from '#kit/contract/field.ts';

/** Root of the calls. */
export const base = '/erp/api/v1/finance';

/** More than 0, at most two decimals; the ledger refuses decimals that the currency has not. */
export const Amount = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, '请输入正确的金额')
    .refine((text) => /[1-9]/.test(text), '请输入正确的金额')
    .meta({ title, kind: 'money' });

/** 0 or more. */
export const AmountOrNone = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, '请输入正确的金额')
    .meta({ title, kind: 'money' });

export const Words = (max: number, title: string) => z.string().trim().max(max).default('').meta({ title });

/** What an entry was for, where nobody chose a category. */
export const Purpose = Choice(
  {
    OPENING: '期初余额',
    MANUAL: '其他收支',
    TRANSFER: '账户互转',
    FEE: '手续费',
    EXCHANGE: '换汇',
    PURCHASE: '采购付款',
    DEPOSIT: '预付款',
    REFUND: '供应商退款',
    RAISE: '应付确认',
    CREDIT: '应付冲减',
    SETTLE: '预付核销',
    LOAN: '往来借款',
    ON_BEHALF: '往来代付',
    COST: '成本转移',
    GAIN: '汇兑损益',
  },
  '收支项',
);

export const PartyKind = Choice({ SUPPLIER: '供应商', PARTNER: '往来单位' }, '对象类型');

/** Whom a payment or a debt is about. */
export const PartyInput = z.object({ kind: PartyKind, id: Id.meta({ title: '收款方' }) });

export const ById = z.object({ id: Id });
export const Reason = z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' });
export const Saved = z.object({ id: Id });

/** A decimal text with the opposite sign. */
export function minus(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}
