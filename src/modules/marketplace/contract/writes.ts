import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const WriteState = States(
  {
    planned: { title: '待提交', tone: 'waiting' },
    sending: { title: '提交中', tone: 'running' },
    done: { title: '亚马逊已受理', tone: 'done' },
    refused: { title: '被拒绝', tone: 'trouble' },
    unknown: { title: '结果未知', tone: 'trouble' },
    cancelled: { title: '已撤销', tone: 'off' },
  },
  '提交状态',
);
export type WriteState = z.infer<typeof WriteState>;

/** One call that changes one thing at the marketplace. */
export const WriteRow = z.object({
  id: Id,
  title: z.string().meta({ title: '内容', width: 120 }),
  subject: z.string().meta({ title: '对象', kind: 'code', width: 190 }),
  summary: z.string().meta({ title: '摘要', width: 220 }),
  store: z.string().meta({ title: '店铺账号', width: 150 }),
  country: z.string().meta({ title: '站点', width: 80 }),
  state: WriteState.meta({ width: 120 }),
  problem: z.string().nullable().meta({ title: '原因', width: 280 }),
  createdBy: z.string().meta({ title: '操作人', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  sentAt: Instant.nullable().meta({ title: '提交时间', width: 130 }),
  finishedAt: Instant.nullable().meta({ title: '完成时间', width: 130 }),
});
export type WriteRow = z.infer<typeof WriteRow>;

export const WriteFilter = z.object({
  state: z.array(WriteState).max(6).meta({ title: '提交状态' }),
  kind: z.array(z.string().max(60)).max(20).meta({ title: '内容', kind: 'choice' }),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  subject: z.string().trim().max(80).meta({ title: '对象', kind: 'text', tip: '例如完整的订单号' }),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '创建日期', kind: 'date' }),
});
const AnyWrite = WriteFilter.partial();
export type WriteFilter = z.infer<typeof AnyWrite>;

export const WriteDetail = WriteRow.extend({
  /** As it is sent: e.g. "POST /orders/v0/orders/…/shipmentConfirmation" and its body as JSON text. */
  call: z.string(),
  request: z.string(),
  /** What the marketplace answered, as JSON text; null before. */
  answer: z.string().nullable(),
  requestId: z.string().nullable(),
  attempts: z.int(),
  nextAt: Instant.nullable(),
  may: z.object({ cancel: z.boolean(), retry: z.boolean() }),
});
export type WriteDetail = z.infer<typeof WriteDetail>;

const base = '/amazon/api/v1/write';
const params = z.object({ id: Id });

export const listWrites = endpoint({
  title: '接口提交列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'amz:write:view',
  access: 'read',
  body: PageQuery(WriteFilter),
  sortable: ['createdAt', 'finishedAt'],
  reply: Page(WriteRow),
});

export const countWrites = endpoint({
  title: '接口提交数量',
  method: 'POST',
  path: `${base}/counts`,
  permission: 'amz:write:view',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyWrite.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** What can be sent, for the filter: value and Chinese name. */
export const writeChoices = endpoint({
  title: '接口提交内容',
  method: 'GET',
  path: `${base}/kinds`,
  permission: 'amz:write:view',
  concurrent: true,
  reply: z.array(z.object({ value: z.string(), label: z.string() })),
});

export const writeDetail = endpoint({
  title: '接口提交详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: 'amz:write:view',
  concurrent: true,
  params,
  reply: WriteDetail,
});

/** As long as the call has not left. */
export const cancelWrite = endpoint({
  title: '撤销接口提交',
  method: 'POST',
  path: `${base}/cancel/:id`,
  permission: 'amz:write:run',
  params,
  reply: z.literal('success'),
});

/** Sends once more what was refused or has no known result; the permission of what is sent is asked for too. */
export const retryWrite = endpoint({
  title: '重试接口提交',
  method: 'POST',
  path: `${base}/retry/:id`,
  permission: 'amz:write:run',
  params,
  reply: z.literal('success'),
});
