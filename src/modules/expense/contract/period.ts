import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Money, Quantity } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { VIEW } from './document.ts';

const root = '/erp/api/v1/finance/expense/period';
const Month = (title: string) =>
  z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式为 2026-01')
    .meta({ title, kind: 'month' });

/** What the company and its departments bear of a month, by what it was for; no store's profit has it. */
export const PeriodRow = z.object({
  id: z.string().meta({ title: '行', hidden: true }),
  month: z.string().meta({ title: '月份', kind: 'code', width: 100, pinned: 'left' }),
  feeType: z.string().meta({ title: '费用类型', width: 150 }),
  department: z.string().meta({ title: '归属', width: 150 }),
  documents: Quantity.meta({ title: '费用单数', width: 90 }),
  amount: Money.meta({ title: '期间费用', currency: 'CNY', width: 140, tip: '已通过的费用单按月摊销，冲销后转回' }),
});
export type PeriodRow = z.infer<typeof PeriodRow>;

export const PeriodFilter = z.object({
  from: Month('起始月份'),
  to: Month('截止月份'),
  feeType: z.array(z.string().max(40)).max(100).meta({ title: '费用类型' }),
  department: z.array(Id).max(200).meta({ title: '部门' }),
});
const Loose = PeriodFilter.partial();
export type PeriodFilter = z.infer<typeof Loose>;

export const listPeriodCosts = endpoint({
  title: '期间费用',
  method: 'POST',
  path: `${root}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(PeriodFilter),
  sortable: ['month', 'feeType', 'amount'],
  reply: Page(PeriodRow),
});

export const exportPeriodCosts = endpoint({
  title: '导出期间费用',
  method: 'POST',
  path: `${root}/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(PeriodFilter),
  reply: z.unknown(),
});
