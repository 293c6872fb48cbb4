import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { AmountOrNone } from '#modules/finance/contract/fields.ts';
import { EDIT, root, VIEW } from './fields.ts';

/** How the company looks at its forecast. */
export const CashSetting = z.object({
  floor: AmountOrNone('最低安全余额').meta({ currency: 'CNY', tip: '预计余额低于它的日子标为缺口' }),
  bankDays: z
    .int('请输入 0 到 30 的整数')
    .min(0, '请输入 0 到 30 的整数')
    .max(30, '请输入 0 到 30 的整数')
    .meta({ title: '到账天数', kind: 'integer', tip: '平台转账后多少天到银行账户' }),
});
export type CashSetting = z.infer<typeof CashSetting>;

export const readCashSetting = endpoint({
  title: '现金流预测设置',
  method: 'GET',
  path: `${root}/setting`,
  permission: VIEW,
  access: 'read',
  /** `version` is 0 while nobody has set anything. */
  reply: CashSetting.extend({ version: z.int() }),
});

export const saveCashSetting = endpoint({
  title: '保存现金流预测设置',
  method: 'POST',
  path: `${root}/setting`,
  permission: EDIT,
  body: CashSetting.extend({ version: z.int().min(0).meta({ title: '版本' }) }),
  reply: CashSetting.extend({ version: z.int() }),
});
