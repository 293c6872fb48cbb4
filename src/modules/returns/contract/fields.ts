import { z } from 'zod';
import { Choice, Day } from '#kit/contract/field.ts';
import { RETURN_REASONS } from '#modules/inventory/contract/events.ts';

/** Who may see returns and take them into a file: those who may do so with the stock at Amazon's. */
export const OWN = { view: 'amz:inventory:view', export: 'amz:inventory:export' };
/** Who may say whose fault a return was. */
export const EDIT = 'amz:returns:edit';

export const base = '/amazon/api/v1/returns';

export const Channel = Choice({ FBA: 'FBA', FBM: '自发货' }, '配送方式');

/** Whether a reason speaks of the product itself. */
export const ReasonClass = Choice({ quality: '质量', other: '非质量', unsure: '不确定' }, '原因类');
export type ReasonClass = z.infer<typeof ReasonClass>;

/** Whose fault a return was. */
export const Party = Choice({ product: '产品', logistics: '物流', amazon: '亚马逊', buyer: '买家' }, '责任方');
export type Party = z.infer<typeof Party>;

const QUALITY = ['NOT_AS_DESCRIBED', 'QUALITY_UNACCEPTABLE', 'DEFECTIVE', 'MISSING_PARTS'];
/** Somebody has to look: it may be the product or what was said of it. */
const UNSURE = ['NO_REASON_GIVEN', 'NOT_COMPATIBLE', 'SWITCHEROO'];

/** Reasons by class; one that is not known is of no class but 'unsure'. */
export const CLASS_REASONS: Readonly<Record<Exclude<ReasonClass, 'unsure'>, readonly string[]>> = {
  quality: QUALITY,
  other: Object.keys(RETURN_REASONS).filter((reason) => ![...QUALITY, ...UNSURE].includes(reason)),
};

/** The class of a reason. */
export function classOf(reason: string): ReasonClass {
  if (CLASS_REASONS.quality.includes(reason)) return 'quality';
  return CLASS_REASONS.other.includes(reason) ? 'other' : 'unsure';
}

/** Days of a report, both included. */
export const Days = z
  .object({ from: Day.optional(), to: Day.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, '结束日期不能早于开始日期');
