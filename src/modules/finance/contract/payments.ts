import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Day, Id, Money, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Method } from './accounts.ts';
import { base } from './fields.ts';
import { RequestKind, VIEW } from './requests.ts';

export const PaymentState = States({
  PAID: { title: '已付款', tone: 'done' },
  REVERSED: { title: '已冲销', tone: 'off' },
});

/** One payment of one request. */
export const PaidRow = z.object({
  id: Id,
  day: Day.meta({ title: '付款日期', width: 110, pinned: 'left' }),
  request: z.string().meta({ title: '请款单号', kind: 'code', width: 160 }),
  state: PaymentState.meta({ width: 90 }),
  kind: RequestKind.meta({ title: '费用类型', width: 100 }),
  subject: z.string().meta({ title: '采购单或关联单号', kind: 'code', width: 150 }),
  items: z.string().meta({ title: '费用项目', width: 170 }),
  payee: z.string().meta({ title: '供应商或收款方', width: 160 }),
  amount: Money.meta({ title: '付款金额', currency: 'currency', width: 130 }),
  currency: Currency.meta({ title: '币种' }),
  account: z.string().meta({ title: '付款账户', width: 140 }),
  method: Method.meta({ width: 100 }),
  rate: z.string().nullable().meta({ title: '汇率', kind: 'rate', width: 100, tip: '1 单位币种兑人民币' }),
  base: Money.nullable().meta({ title: '折合人民币', currency: 'CNY', width: 130 }),
  gain: Money.nullable().meta({ title: '汇兑损益', currency: 'CNY', width: 120, good: 'up' }),
  paid: Money.meta({ title: '账户支出', currency: 'accountCurrency', width: 130 }),
  fee: Money.meta({ title: '手续费', currency: 'accountCurrency', width: 110 }),
  by: z.string().meta({ title: '付款人', kind: 'person', width: 110 }),
  note: z.string().meta({ title: '备注', width: 160 }),
  accountCurrency: Currency.meta({ title: '账户币种', optional: true }),
  requestId: Id,
});
export type PaidRow = z.infer<typeof PaidRow>;

export const PaidFilter = z.object({
  day: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '付款日期', kind: 'date' }),
  state: PaymentState,
  kind: z.array(RequestKind).max(5).meta({ title: '费用类型' }),
  party: z.array(Id).max(200).meta({ title: '收款方' }),
  cashAccount: z.array(Id).max(50).meta({ title: '付款账户' }),
  method: z.array(Method).max(8).meta({ title: '付款方式' }),
  currency: z.string().trim().max(3).meta({ title: '币种' }),
  keyword: z.string().trim().max(100).meta({ title: '请款单、采购单、收款方' }),
});
const Loose = PaidFilter.partial();
export type PaidFilter = z.infer<typeof Loose>;

export const listPayments = endpoint({
  title: '付款明细',
  method: 'POST',
  path: `${base}/payment/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(PaidFilter),
  sortable: ['day', 'amount', 'base', 'gain'],
  reply: Page(PaidRow),
});

export const exportPayments = endpoint({
  title: '导出付款明细',
  method: 'POST',
  path: `${base}/payment/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(PaidFilter),
  reply: z.unknown(),
});
