import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, Text } from '#kit/contract/field.ts';
import { EDIT, VIEW } from './calculator.ts';
import { CountryCode, Figure, Percent } from './input.ts';

const base = '/amazon/api/v1/profit/plan';

/** By what the freight to the marketplace is reckoned. */
export const FreightBy = Choice(
  { MANUAL: '手动填写', WEIGHT: '按实重', VOLUME: '按材积', GREATER: '取大' },
  '头程计算',
);
export type FreightBy = z.infer<typeof FreightBy>;

/** What a plan takes for granted in one country: amounts in CNY, shares in percent. */
export const PlanSite = z.object({
  country: CountryCode,
  freight: Figure('头程单价'),
  divisor: Figure('材积系数'),
  vat: Percent('VAT'),
  duty: Percent('关税率'),
  ads: Percent('广告'),
  returns: Percent('退货'),
  other: Percent('其他'),
  fixed: Figure('固定费用'),
  months: Figure('仓储月数'),
});
export type PlanSite = z.infer<typeof PlanSite>;

/** Fields of a country in the order of the form; the unit stands in brackets. */
export const SITE_FIELDS = [
  ['freight', '头程单价(¥/kg)'],
  ['divisor', '材积系数'],
  ['vat', 'VAT(%)'],
  ['duty', '关税率(%)'],
  ['ads', '广告(%)'],
  ['returns', '退货(%)'],
  ['other', '其他(%)'],
  ['fixed', '固定费用(¥)'],
  ['months', '仓储月数'],
] as const satisfies readonly (readonly [Exclude<keyof PlanSite, 'country'>, string])[];

export const PlanForm = z.object({ name: Text(40, '方案名称'), freightBy: FreightBy });

export const Plan = z.object({
  id: Id,
  ...PlanForm.shape,
  sites: z.array(PlanSite),
  isDefault: z.boolean().meta({ title: '默认', kind: 'boolean', width: 70 }),
  version: z.int().meta({ title: '版本', kind: 'integer', width: 70 }),
  updatedBy: z.string().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 140 }),
});
export type Plan = z.infer<typeof Plan>;

/** A company has a handful: all of them, the default one first. */
export const listPlans = endpoint({
  title: '利润方案',
  method: 'GET',
  path: `${base}/list`,
  permission: VIEW,
  reply: z.array(Plan),
});

/** Makes a plan, or changes one as it was seen in `version`. */
export const savePlan = endpoint({
  title: '保存利润方案',
  method: 'POST',
  path: `${base}/save`,
  permission: EDIT,
  body: z.object({
    id: Id.optional(),
    version: z.int().default(0).meta({ title: '版本', hidden: true }),
    ...PlanForm.shape,
    sites: z.array(PlanSite).max(20).meta({ title: '国家' }),
  }),
  reply: z.object({ id: Id, version: z.int() }),
});

export const defaultPlan = endpoint({
  title: '设为默认利润方案',
  method: 'POST',
  path: `${base}/setDefault`,
  permission: EDIT,
  body: z.object({ id: Id }),
  reply: z.literal('success'),
});

export const removePlan = endpoint({
  title: '删除利润方案',
  method: 'POST',
  path: `${base}/remove`,
  permission: EDIT,
  body: z.object({ id: Id, version: z.int().meta({ title: '版本', hidden: true }) }),
  reply: z.literal('success'),
});
