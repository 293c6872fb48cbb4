import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';

/** What has to be read and agreed to before anything else. */
export const MERGE_WARNING = '此操作会把本公司全部数据迁入目标公司且不可撤销，是否继续？';

const path = '/admin/api/v1/users/mergeAccount';
const Password = z.string().min(1, '请输入密码').max(200);
const FactorCode = z.string().trim().max(40).optional();

export const MergeForm = z.object({
  account: z.string().trim().min(1, '请输入目标账号').max(254).meta({ title: '目标账号' }),
  /** Proves that the target's owner agrees. */
  targetPassword: Password.meta({ title: '目标账号密码' }),
  targetMfa: FactorCode.meta({ title: '目标账号动态验证码' }),
  password: Password.meta({ title: '当前账号密码' }),
  key: z.string().min(1, '请先获取验证码').max(200).meta({ title: '验证码编号' }),
  code: z.string().trim().min(1, '验证码不能为空').max(12).meta({ title: '验证码' }),
  mfa: FactorCode.meta({ title: '当前账号动态验证码' }),
  /** Name of the own company, typed. */
  company: z.string().trim().min(1, '请输入公司名称以确认迁移').max(50).meta({ title: '公司名称' }),
});
export type MergeForm = z.infer<typeof MergeForm>;

/**
 * Moves the caller's company, with everything in it, into the company of the target account. Answers the id of the task
 * that does it. Refused with data.conflicts [{title, value}] where rows of both are in each other's way.
 */
export const mergeAccount = endpoint({
  title: '账号迁移',
  method: 'POST',
  path,
  permission: 'login',
  body: MergeForm,
  reply: z.object({ id: Id, state: z.literal('迁移中') }),
});

export const MERGE_STATES = {
  none: '未迁移',
  queued: '等待迁移',
  running: '迁移中',
  failed: '迁移失败',
} as const;

/** How far the caller's own is; once it is done his session is over. */
export const mergeState = endpoint({
  title: '账号迁移进度',
  method: 'GET',
  path,
  permission: 'login',
  reply: z.object({
    state: z.enum(['none', 'queued', 'running', 'failed']),
    /** Why it failed. */
    error: z.string().nullable(),
  }),
});
