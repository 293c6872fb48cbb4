import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Currency, Id, Instant, Money, OptionalText, Quantity, States, Store } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { MarketOffer } from '#modules/listing/contract/rivals.ts';
import { base, EDIT, RUN, VIEW } from './rules.ts';

const COST = 'fin:cost:view';

export const RunOutcome = States(
  {
    sent: { title: '已调价', tone: 'running' },
    would: { title: '应调价(试运行)', tone: 'waiting' },
    kept: { title: '未调价', tone: 'off' },
    paused: { title: '暂停', tone: 'trouble' },
  },
  '决定',
);
export type RunOutcome = z.infer<typeof RunOutcome>;

export const Settled = States(
  {
    confirmed: { title: '已生效', tone: 'done' },
    unconfirmed: { title: '未生效', tone: 'trouble' },
    refused: { title: '被拒绝', tone: 'trouble' },
    cancelled: { title: '已撤下', tone: 'off' },
  },
  '结果',
);

/** One decision. Prices in the currency of the listing's marketplace. */
export const RunRow = z.object({
  id: Id,
  at: Instant.meta({ title: '时间', width: 130, pinned: 'left' }),
  sellerSku: z.string().meta({ title: 'MSKU', kind: 'code', width: 150 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  ruleName: z.string().meta({ title: '规则', width: 140 }),
  outcome: RunOutcome.meta({ width: 145 }),
  oldPrice: Money.nullable().meta({ title: '现价', currency: 'currency', width: 100 }),
  target: Money.nullable().meta({ title: '策略目标', currency: 'currency', width: 100 }),
  newPrice: Money.nullable().meta({ title: '调整后', currency: 'currency', width: 100 }),
  floor: Money.nullable().meta({ title: '保本价', currency: 'currency', width: 100, permission: COST }),
  words: z.string().meta({ title: '原因', width: 340 }),
  settled: Settled.nullable().meta({ width: 100 }),
  currency: Currency.meta({ hidden: true }),
  listingId: Id,
  ruleId: Id,
});
export type RunRow = z.infer<typeof RunRow>;

export const RunFilter = z.object({
  outcome: z.array(RunOutcome).meta({ title: '决定' }),
  ruleId: Id.optional(),
  listingId: Id.optional(),
  keyword: OptionalText(100, 'MSKU'),
});
const AnyRun = RunFilter.partial();
export type RunFilter = z.infer<typeof AnyRun>;

export const listRuns = endpoint({
  title: '智能调价日志',
  method: 'POST',
  path: `${base}/log`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(RunFilter),
  sortable: ['at'],
  reply: Page(RunRow),
});

/** One decision with what it was made from. */
export const runDetail = endpoint({
  title: '智能调价决定详情',
  method: 'GET',
  path: `${base}/log/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  reply: RunRow.extend({
    offers: z.array(MarketOffer),
    offersAt: Instant.nullable(),
    facts: z.array(z.object({ label: z.string(), value: z.string().nullable() })),
  }),
});

/** Sets what was before decisions again, and pauses their listings: else the rule would decide the same once more. */
export const revertRuns = endpoint({
  title: '恢复智能调价前的价格',
  method: 'POST',
  path: `${base}/revert`,
  permission: RUN,
  body: z.object({ ids: z.array(Id).min(1, '请选择记录').max(200).meta({ title: '记录' }) }),
  reply: z.object({ changes: Quantity }),
});

export const SimulatedRow = z.object({
  id: Id,
  sellerSku: z.string().meta({ title: 'MSKU', kind: 'code', width: 150 }),
  books: Quantity.meta({ title: '历史报价', width: 90 }),
  changes: Quantity.meta({ title: '调价次数', width: 90 }),
  floored: Quantity.meta({ title: '触底次数', width: 90 }),
  lowest: Money.nullable().meta({ title: '最低到过', currency: 'currency', width: 100 }),
  highest: Money.nullable().meta({ title: '最高到过', currency: 'currency', width: 100 }),
  last: Money.nullable().meta({ title: '最后价格', currency: 'currency', width: 100 }),
  words: z.string().meta({ title: '最后决定', width: 300 }),
  currency: Currency.meta({ hidden: true }),
});
export type SimulatedRow = z.infer<typeof SimulatedRow>;

export const SimulatedStep = z.object({
  at: Instant.meta({ title: '时间', width: 130 }),
  sellerSku: z.string().meta({ title: 'MSKU', kind: 'code', width: 150 }),
  oldPrice: Money.meta({ title: '现价', currency: 'currency', width: 100 }),
  newPrice: Money.meta({ title: '应调至', currency: 'currency', width: 100 }),
  words: z.string().meta({ title: '原因', width: 340 }),
  currency: Currency.meta({ hidden: true }),
});
export type SimulatedStep = z.infer<typeof SimulatedStep>;

/** What a rule would have done to its listings with the offers of the last days; sends and writes nothing. */
export const simulateRule = endpoint({
  title: '试算智能调价规则',
  method: 'POST',
  path: `${base}/simulate`,
  permission: EDIT,
  access: 'read',
  body: z.object({ ruleId: Id, days: z.enum(['1', '7', '30']).default('7').meta({ title: '天数' }) }),
  reply: z.object({ rows: z.array(SimulatedRow), steps: z.array(SimulatedStep) }),
});
