import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, OptionalText, Quantity, Rate, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { RuleSettings, Strategy } from './settings.ts';

export const VIEW = 'amz:reprice:view';
export const EDIT = 'amz:reprice:edit';
/** Puts rules on trial, lets them send, stops them. */
export const RUN = 'amz:reprice:run';
export const base = '/amazon/api/v1/product/autoprice';

export const RuleStatus = States(
  {
    DRAFT: { title: '草稿', tone: 'off' },
    SHADOW: { title: '试运行', tone: 'waiting' },
    ACTIVE: { title: '正式', tone: 'done' },
    PAUSED: { title: '停用', tone: 'trouble' },
    ARCHIVED: { title: '已归档', tone: 'off' },
  },
  '模式',
);
export type RuleStatus = z.infer<typeof RuleStatus>;

/** One rule and how it went in the last day. */
export const RuleRow = z.object({
  id: Id,
  name: Text(60, '名称').meta({ title: '名称', width: 200, pinned: 'left' }),
  strategy: Strategy.meta({ width: 150 }),
  status: RuleStatus.meta({ width: 100 }),
  listings: Quantity.meta({ title: '绑定商品数', width: 110 }),
  paused: Quantity.meta({ title: '暂停商品数', width: 110, good: 'down' }),
  changes: Quantity.meta({ title: '24h调价次数', width: 120, tip: '试运行时为应调而未发送的次数' }),
  floored: Quantity.meta({ title: '触底次数', width: 100, tip: '最近 24 小时调到最低价或保本价的次数', good: 'down' }),
  featured: Rate.nullable().meta({
    title: '购物车占有率',
    kind: 'percent',
    width: 120,
    tip: '当前报价中由本店持有购物车的商品占比',
  }),
  shadowSince: Instant.nullable().meta({ title: '试运行开始', width: 130 }),
  updatedBy: z.string().meta({ title: '修改人', width: 100 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  version: z.int().meta({ title: '版本', hidden: true }),
});
export type RuleRow = z.infer<typeof RuleRow>;

export const RuleFilter = z.object({
  status: z.array(RuleStatus).meta({ title: '模式' }),
  keyword: OptionalText(60, '名称'),
});
const AnyRule = RuleFilter.partial();
export type RuleFilter = z.infer<typeof AnyRule>;

export const listRules = endpoint({
  title: '智能调价规则列表',
  method: 'POST',
  path: `${base}/rules`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(RuleFilter),
  sortable: ['name', 'status', 'updatedAt'],
  reply: Page(RuleRow),
});

export const countRules = endpoint({
  title: '智能调价规则数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyRule.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const RuleDetail = RuleSettings.extend({
  id: Id,
  name: z.string(),
  status: RuleStatus,
  shadowSince: Instant.nullable(),
  version: z.int(),
});
export type RuleDetail = z.infer<typeof RuleDetail>;

export const ruleDetail = endpoint({
  title: '智能调价规则详情',
  method: 'GET',
  path: `${base}/rule/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  reply: RuleDetail,
});

/** Makes a rule, or changes one: of an active one the change holds from the next decision on. */
export const saveRule = endpoint({
  title: '保存智能调价规则',
  method: 'POST',
  path: `${base}/save`,
  permission: EDIT,
  body: z.object({
    id: Id.optional(),
    version: z.int().default(0).meta({ title: '版本', hidden: true }),
    name: Text(60, '名称'),
    ...RuleSettings.shape,
  }),
  reply: z.object({ id: Id, version: z.int() }),
});

const Move = z.object({ id: Id, version: z.int().meta({ title: '版本', hidden: true }) });
const Moved = z.object({ status: RuleStatus, version: z.int() });
const move = <const T extends string, const P extends string>(title: T, name: P) =>
  endpoint({
    title,
    method: 'POST',
    path: `${base}/${name}`,
    permission: RUN,
    body: Move,
    reply: Moved,
  });

/** Decides and writes down from now on, and sends nothing. */
export const shadowRule = move('试运行智能调价规则', 'shadow');
/** Sends from now on, after a day of trial at least. */
export const activateRule = move('启用智能调价规则', 'activate');
export const pauseRule = move('停用智能调价规则', 'pause');
/** For good; its listings are free for other rules. */
export const archiveRule = move('归档智能调价规则', 'archive');
