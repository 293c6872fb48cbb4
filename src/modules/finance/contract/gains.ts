import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Id, Money } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, PartyKind } from './fields.ts';

const VIEW = 'fin:dealing:view';

/** Exchange gains and losses that were realised in a month with one party in one currency. */
export const GainRow = z.object({
  id: z.string().meta({ hidden: true }),
  month: z.string().meta({ title: '月份', kind: 'code', width: 90, pinned: 'left' }),
  currency: Currency,
  party: z.string().meta({ title: '往来单位', width: 180 }),
  partyKind: PartyKind.meta({ width: 100 }),
  count: z.int().meta({ title: '笔数', kind: 'integer', width: 80, tip: '产生汇兑损益的付款、核销与收款，含冲销' }),
  settled: Money.meta({ title: '结清原币', currency: 'currency', width: 140 }),
  booked: Money.meta({ title: '入账人民币', currency: 'CNY', width: 140, tip: '结清部分按入账汇率的人民币金额' }),
  gain: Money.meta({ title: '汇兑收益', currency: 'CNY', width: 130 }),
  loss: Money.meta({ title: '汇兑损失', currency: 'CNY', width: 130 }),
  net: Money.meta({ title: '净损益', currency: 'CNY', width: 130, good: 'up', tip: '收益 − 损失；冲销在冲销当月转回' }),
  partyId: Id,
});
export type GainRow = z.infer<typeof GainRow>;

export const GainFilter = z.object({
  from: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式为 2026-01')
    .meta({ title: '起始月份', kind: 'month' }),
  to: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式为 2026-01')
    .meta({ title: '截止月份', kind: 'month' }),
  currency: z.string().trim().max(3).meta({ title: '币种' }),
  party: z.array(Id).max(200).meta({ title: '往来单位' }),
});
const Loose = GainFilter.partial();
export type GainFilter = z.infer<typeof Loose>;

export const listGains = endpoint({
  title: '汇兑损益',
  method: 'POST',
  path: `${base}/exchangeGain/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(GainFilter),
  sortable: ['month', 'gain', 'loss', 'net'],
  reply: Page(GainRow),
});

export const exportGains = endpoint({
  title: '导出汇兑损益',
  method: 'POST',
  path: `${base}/exchangeGain/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(GainFilter),
  reply: z.unknown(),
});
