import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { APPROVE, base, VIEW } from './fields.ts';

const SHARE = z
  .string()
  .regex(/^(0(\.\d{1,4})?|1(\.0{1,4})?)$/, '比例须在0到1之间')
  .meta({ kind: 'percent' });

/** How a company buys. */
export const PurchaseSetting = z.object({
  separateApprover: z.boolean().meta({ title: '制单人不能审核' }),
  receiveTolerance: SHARE.meta({ title: '超收容差' }),
  priceRise: SHARE.meta({ title: '涨价提醒', tip: '单价高于近3次均价的比例' }),
  changeTolerance: SHARE.meta({ title: '变更免审', tip: '变更后总额或1688金额比批准的增加不超过该比例时不再审核' }),
});
export type PurchaseSetting = z.infer<typeof PurchaseSetting>;

export const readSetting = endpoint({
  title: '采购设置',
  method: 'GET',
  path: `${base}/purchaseOrder/setting`,
  permission: VIEW,
  concurrent: true,
  reply: PurchaseSetting,
});

export const saveSetting = endpoint({
  title: '保存采购设置',
  method: 'POST',
  path: `${base}/purchaseOrder/setting`,
  permission: APPROVE,
  body: PurchaseSetting,
  reply: PurchaseSetting,
});
