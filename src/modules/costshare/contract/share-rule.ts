import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Id } from '#kit/contract/field.ts';
import { Amount, CostRowInput, EDIT, StoreKey, VIEW } from './document.ts';

const root = '/amazon/api/v1/fin/costShare/rule';

/** Rows of one rule. */
export const MOST_SHARES = 200;

/** Who bears which part, in percent with at most four decimals. */
export const ShareRuleRow = z.object({
  store: StoreKey,
  /** '' is the whole store. */
  sku: CostRowInput.shape.sku,
  percent: z
    .string()
    .trim()
    .regex(/^\d{1,3}(\.\d{1,4})?$/, '比例须为 0 到 100 的数字，最多 4 位小数')
    .meta({ title: '比例', kind: 'rate' }),
});
export type ShareRuleRow = z.output<typeof ShareRuleRow>;

const ShareRule = z.object({
  id: Id,
  name: z.string().meta({ title: '规则名称' }),
  version: z.int(),
  rows: z.array(ShareRuleRow),
  /** Whether these are all of its rows: whoever does not see a store does not see its row. */
  whole: z.boolean(),
});
export type ShareRule = z.infer<typeof ShareRule>;

/** The rules of the company by name. */
export const listShareRules = endpoint({
  title: '分摊规则列表',
  method: 'GET',
  path: `${root}/list`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(ShareRule),
});

export const ShareRuleInput = z.object({
  name: z.string().trim().min(1, '请填写规则名称').max(40).meta({ title: '规则名称' }),
  rows: z.array(ShareRuleRow).min(1, '请添加分摊商品').max(MOST_SHARES, `一个规则最多 ${MOST_SHARES} 行`).meta({
    title: '分摊商品',
  }),
});
export type ShareRuleInput = z.output<typeof ShareRuleInput>;

/** Writes a rule, or changes the one with `id`; costs that were shared by it stay as they are. */
export const saveShareRule = endpoint({
  title: '分摊规则·保存',
  method: 'POST',
  path: `${root}/save`,
  permission: EDIT,
  body: ShareRuleInput.extend({
    id: Id.optional().meta({ title: '规则' }),
    version: z.int().optional().meta({ title: '版本' }),
  }),
  reply: z.object({ id: Id }),
});

export const dropShareRule = endpoint({
  title: '分摊规则·删除',
  method: 'POST',
  path: `${root}/drop`,
  permission: EDIT,
  body: z.object({ id: Id.meta({ title: '规则' }), version: z.int().meta({ title: '版本' }) }),
  reply: z.literal('success'),
});

/** Rows that share an amount by a rule, to the last unit of its currency; nothing is written. */
export const shareByRule = endpoint({
  title: '按固定比例分摊',
  method: 'POST',
  path: `${root}/share`,
  permission: EDIT,
  access: 'read',
  body: z.object({
    id: Id.meta({ title: '规则' }),
    amount: Amount('金额'),
    currency: Currency.meta({ title: '货币' }),
  }),
  reply: z.array(CostRowInput),
});
