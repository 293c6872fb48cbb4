import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

export const CallOutcome = States(
  {
    ok: { title: '成功', tone: 'done' },
    throttled: { title: '限流', tone: 'waiting' },
    refused: { title: '被拒绝', tone: 'trouble' },
    failed: { title: '失败', tone: 'trouble' },
  },
  '结果',
);

export const CallRow = z.object({
  id: Id,
  at: Instant.meta({ title: '时间', width: 150 }),
  store: z.string().meta({ title: '店铺账号', width: 160 }),
  operation: z.string().meta({ title: '操作', kind: 'code', width: 220 }),
  outcome: CallOutcome.meta({ width: 90 }),
  status: z.int().nullable().meta({ title: '状态码', width: 80 }),
  ms: z.int().meta({ title: '耗时（毫秒）', kind: 'integer', width: 110 }),
  attempt: z.int().meta({ title: '第几次', kind: 'integer', width: 80 }),
  rate: z.string().nullable().meta({ title: '限速（次/秒）', kind: 'rate', width: 120 }),
  requestId: z.string().nullable().meta({ title: 'requestId', kind: 'code', width: 350 }),
  problem: z.string().nullable().meta({ title: '错误', width: 200 }),
  path: z.string().meta({ title: '请求', kind: 'code', width: 360, optional: true }),
});
export type CallRow = z.infer<typeof CallRow>;

export const CallFilter = z.object({
  at: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '时间', kind: 'date' }),
  authid: z.array(Id).max(200).meta({ title: '店铺账号', hidden: false }),
  outcome: CallOutcome,
  operation: z.string().trim().max(100).meta({ title: '操作' }),
  requestId: z.string().trim().max(100).meta({ title: 'requestId' }),
});
const AnyCallFilter = CallFilter.partial();
export type CallFilter = z.infer<typeof AnyCallFilter>;

export const listCalls = endpoint({
  title: '接口日志',
  method: 'POST',
  path: '/amazon/api/v1/sync/apiLog',
  permission: 'amz:apilog:view',
  access: 'read',
  body: PageQuery(CallFilter),
  sortable: ['at', 'operation', 'status', 'ms'],
  reply: Page(CallRow),
});

export const exportCalls = endpoint({
  title: '导出接口日志',
  method: 'POST',
  path: '/amazon/api/v1/sync/apiLog/export',
  permission: 'amz:apilog:view',
  access: 'read',
  body: ExportQuery(CallFilter),
  file: true,
  reply: z.unknown(),
});

/** One call with what went and came where it failed: masked, shortened, and kept for three days. */
export const CallDetail = CallRow.extend({
  method: z.string(),
  requestBody: z.string().nullable(),
  responseBody: z.string().nullable(),
});
export type CallDetail = z.infer<typeof CallDetail>;

export const callDetail = endpoint({
  title: '接口调用详情',
  method: 'GET',
  path: '/amazon/api/v1/sync/apiLog/detail/:id',
  permission: 'amz:apilog:view',
  params: z.object({ id: Id }),
  reply: CallDetail,
});
