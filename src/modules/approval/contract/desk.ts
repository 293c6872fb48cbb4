import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { AUTHORIZE, base } from './config.ts';
import { DeskRow, InstanceState, InstanceView, PathStep, Tab } from './instance.ts';

export const DeskFilter = z.object({
  tab: Tab,
  docType: z.array(z.string().max(60)).max(50).meta({ title: '单据类型' }),
  state: z.array(InstanceState).max(10).meta({ title: '状态' }),
  keyword: z.string().trim().max(100).meta({ title: '单号、摘要' }),
  initiator: z.string().trim().max(50).meta({ title: '发起人' }),
  submitted: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '提交日期', kind: 'date' }),
});
export type DeskFilter = z.infer<ReturnType<typeof DeskFilter.partial>>;

const Comment = z.string().trim().max(500, '审批意见不能超过500个字符').default('').meta({ title: '审批意见' });
const Required = z
  .string()
  .trim()
  .min(1, '请填写审批意见')
  .max(500, '审批意见不能超过500个字符')
  .meta({ title: '审批意见' });
const People = z.array(Id).min(1, '请选择人员').max(10).meta({ title: '人员' });
const OnTask = z.object({ taskId: Id.meta({ title: '审批任务' }), comment: Comment });
const OnInstance = z.object({ instanceId: Id.meta({ title: '审批' }), comment: Comment });
const Document = z.object({
  docType: z.string().min(1).max(60).meta({ title: '单据类型' }),
  docId: Id.meta({ title: '单据' }),
});

/** What became of an approval by an act. */
export const Acted = z.object({ instanceId: Id, state: InstanceState, message: z.string() });

function acts<const P extends string, B extends z.ZodType>(part: P, title: string, body: B, permission = 'login') {
  return endpoint({ title, method: 'POST', path: `${base}/${part}` as `/${string}`, permission, body, reply: Acted });
}

export const deskList = endpoint({
  title: '审批工作台',
  method: 'POST',
  path: `${base}/desk/list`,
  permission: 'login',
  access: 'read',
  body: PageQuery(DeskFilter),
  sortable: ['number', 'amountBase', 'initiatorName', 'submittedAt', 'since', 'dueAt'],
  reply: Page(DeskRow),
});

export const deskCount = endpoint({
  title: '审批工作台数量',
  method: 'POST',
  path: `${base}/desk/count`,
  permission: 'login',
  access: 'read',
  concurrent: true,
  body: z.object({ filter: DeskFilter.partial().default({}) }),
  reply: z.object({ todo: z.int(), done: z.int(), mine: z.int(), copied: z.int() }),
});

export const readInstance = endpoint({
  title: '审批详情',
  method: 'GET',
  path: `${base}/instance/:id`,
  permission: 'login',
  concurrent: true,
  params: z.object({ id: Id }),
  reply: InstanceView,
});

/** The approval under way or the last one of a document, or how it would go if it were handed in now. */
export const documentApproval = endpoint({
  title: '单据审批情况',
  method: 'GET',
  path: `${base}/history`,
  permission: 'login',
  concurrent: true,
  query: Document,
  reply: z.object({ enabled: z.boolean(), current: InstanceView.nullable(), deciding: z.boolean() }),
});

export const preview = endpoint({
  title: '审批路径预测',
  method: 'GET',
  path: `${base}/preview`,
  permission: 'login',
  concurrent: true,
  query: Document,
  reply: z.object({
    flowName: z.string(),
    /** Why it cannot be handed in, or nothing. */
    obstacle: z.string(),
    path: z.array(PathStep),
  }),
});

/** Whom the maker of a document picks for the steps that leave it to him; before it is handed in. */
export const choosePeople = endpoint({
  title: '自选审批人',
  method: 'POST',
  path: `${base}/choose`,
  permission: 'login',
  body: Document.extend({
    nodeKey: z
      .string()
      .regex(/^[a-z0-9]{1,12}$/)
      .meta({ title: '节点' }),
    people: People,
  }),
  reply: z.null(),
});

/** Whom somebody who agrees picks for the steps right after his. */
const Named = z
  .array(z.object({ nodeKey: z.string().max(12).meta({ title: '节点' }), people: People }))
  .max(10)
  .default([])
  .meta({ title: '下一节点审批人' });
export const approveTask = acts('approve', '同意审批', OnTask.extend({ next: Named }));
export const rejectTask = acts('reject', '拒绝审批', OnTask.extend({ comment: Required }));
export const returnTask = acts(
  'return',
  '退回审批',
  OnTask.extend({
    comment: Required,
    /** A step that is done; left out: the maker. */
    toNode: z.string().max(12).nullable().default(null).meta({ title: '退回到' }),
    mode: z.enum(['again', 'direct']).default('again').meta({ title: '重新提交后' }),
  }),
);
export const transferTask = acts('transfer', '转交审批', OnTask.extend({ to: Id.meta({ title: '转交给' }) }));
export const addSign = acts(
  'addSign',
  '加签',
  OnTask.extend({ people: People, how: z.enum(['before', 'after', 'parallel']).meta({ title: '加签方式' }) }),
);
export const removeSign = acts('removeSign', '减签', OnTask);
export const withdraw = acts('withdraw', '撤回审批', OnInstance);
export const takeBack = acts('takeBack', '拿回审批', OnInstance);
export const urge = acts('urge', '催办', OnInstance);
export const copyTo = acts('cc', '抄送审批', OnInstance.extend({ people: People }));
export const comment = acts('comment', '评论审批', OnInstance.extend({ comment: Required }));
export const terminate = acts('terminate', '终止审批', OnInstance.extend({ comment: Required }), AUTHORIZE);
export const reassign = acts(
  'reassign',
  '改派审批人',
  OnInstance.extend({ nodeKey: z.string().max(12).meta({ title: '节点' }), people: People }),
  AUTHORIZE,
);

export const batchApprove = endpoint({
  title: '批量同意',
  method: 'POST',
  path: `${base}/batchApprove`,
  permission: 'login',
  body: z.object({
    taskIds: z.array(Id).min(1, '请选择单据').max(50, '一次最多50条').meta({ title: '审批任务' }),
    comment: Comment,
  }),
  reply: z.array(z.object({ taskId: Id, ok: z.boolean(), msg: z.string() })),
});

/** The caller has read what he was sent a copy of. */
export const readCopy = endpoint({
  title: '抄送已读',
  method: 'POST',
  path: `${base}/cc/read`,
  permission: 'login',
  body: z.object({ instanceId: Id.meta({ title: '审批' }) }),
  reply: z.null(),
});
