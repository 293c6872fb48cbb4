import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Money, Quantity } from '#kit/contract/field.ts';
import { base, EXPORT, VIEW } from './fields.ts';

const amount = (title: string) => Money.meta({ title, currency: 'currency', width: 110 });
const euro = (title: string) =>
  Money.nullable().meta({ title, currency: 'EUR', width: 110, tip: '按期间最后一天的汇率；缺少汇率时为空' });

/** Documents of a country, a rate, a currency and a sort of customer in a period, by tax point. */
export const PeriodRow = z.object({
  id: z.string().meta({ hidden: true }),
  period: z.string().meta({ title: '期间', width: 90 }),
  country: z.string().meta({ title: '计税国', width: 80 }),
  rate: z.string().meta({ title: '税率%', kind: 'rate', width: 80 }),
  customer: Choice({ B2B: 'B2B', B2C: 'B2C' }, '客户').meta({ width: 70 }),
  documents: Quantity.meta({ title: '单据数', width: 80 }),
  currency: Currency,
  net: amount('净额'),
  tax: amount('税额'),
  gross: amount('总额'),
  netEur: euro('净额(EUR)'),
  taxEur: euro('税额(EUR)'),
  grossEur: euro('总额(EUR)'),
});
export type PeriodRow = z.infer<typeof PeriodRow>;

const Period = {
  /** Month "yyyy-MM", or quarter "yyyyQn". */
  from: z
    .string()
    .regex(/^\d{4}(-(0[1-9]|1[0-2])|Q[1-4])$/, '请选择期间')
    .meta({ title: '起始期间' }),
  to: z
    .string()
    .regex(/^\d{4}(-(0[1-9]|1[0-2])|Q[1-4])$/, '请选择期间')
    .meta({ title: '结束期间' }),
  entityId: Id.optional().meta({ title: '开票主体', hidden: false }),
};

export const periodReport = endpoint({
  title: 'VAT期间报表',
  method: 'POST',
  path: `${base}/report`,
  permission: VIEW,
  access: 'read',
  body: z.object(Period),
  reply: z.object({ rows: z.array(PeriodRow), missing: z.array(z.string()) }),
});

export const exportPeriodReport = endpoint({
  title: '导出VAT期间报表',
  method: 'POST',
  path: `${base}/report/export`,
  permission: EXPORT,
  file: true,
  body: z.object({ ...Period, format: z.enum(['xlsx', 'csv']).default('xlsx') }),
  reply: z.unknown(),
});

/** Supplies to consumers of another country of the Union under the one-stop shop, in euro. */
export const OssRow = z.object({
  id: z.string().meta({ hidden: true }),
  from: z.string().meta({ title: '发货国', width: 80 }),
  country: z.string().meta({ title: '消费国', width: 80 }),
  rate: z.string().meta({ title: '税率%', kind: 'rate', width: 80 }),
  documents: Quantity.meta({ title: '单据数', width: 80 }),
  currency: Currency,
  net: amount('净额'),
  tax: amount('税额'),
  netEur: euro('净额(EUR)'),
  taxEur: euro('税额(EUR)'),
});
export type OssRow = z.infer<typeof OssRow>;

const Quarter = {
  quarter: z
    .string()
    .regex(/^\d{4}Q[1-4]$/, '请选择季度')
    .meta({ title: '季度' }),
  entityId: Id.optional().meta({ title: '开票主体', hidden: false }),
};

export const ossSummary = endpoint({
  title: 'OSS申报汇总',
  method: 'POST',
  path: `${base}/oss`,
  permission: VIEW,
  access: 'read',
  body: z.object(Quarter),
  reply: z.object({ rows: z.array(OssRow), missing: z.array(z.string()) }),
});

export const exportOssSummary = endpoint({
  title: '导出OSS申报汇总',
  method: 'POST',
  path: `${base}/oss/export`,
  permission: EXPORT,
  file: true,
  body: z.object({ ...Quarter, format: z.enum(['xlsx', 'csv']).default('xlsx') }),
  reply: z.unknown(),
});
