import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { base } from './fields.ts';
import { APPROVE, VIEW } from './requests.ts';

/** How a company handles its money. */
export const FinanceSetting = z.object({
  separatePayer: z
    .boolean()
    .meta({ title: '审核人不能付款', tip: '审核请款单的人不能付同一张请款单，审核往来申请的人不能执行同一张申请' }),
});
export type FinanceSetting = z.infer<typeof FinanceSetting>;

export const readSetting = endpoint({
  title: '请款设置',
  method: 'GET',
  path: `${base}/paymentRequest/setting`,
  permission: VIEW,
  concurrent: true,
  reply: FinanceSetting,
});

export const saveSetting = endpoint({
  title: '保存请款设置',
  method: 'POST',
  path: `${base}/paymentRequest/setting`,
  permission: APPROVE,
  body: FinanceSetting,
  reply: FinanceSetting,
});
