import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant, Money, OptionalText, States } from '#kit/contract/field.ts';
import { base } from './config.ts';

export const DelegationState = States({
  coming: { title: '未开始', tone: 'off' },
  active: { title: '生效中', tone: 'running' },
  over: { title: '已结束', tone: 'off' },
  revoked: { title: '已取消', tone: 'off' },
});

export const DelegationRow = z.object({
  id: Id,
  fromName: z.string(),
  toName: z.string(),
  docTitles: z.array(z.string()),
  amountMax: Money.nullable().meta({ title: '金额上限', currency: 'base' }),
  base: z.string(),
  startsAt: Instant,
  endsAt: Instant,
  reason: z.string(),
  state: DelegationState,
  mine: z.boolean(),
});
export type DelegationRow = z.infer<typeof DelegationRow>;

export const listDelegations = endpoint({
  title: '审批委托列表',
  method: 'GET',
  path: `${base}/delegation`,
  permission: 'login',
  concurrent: true,
  reply: z.array(DelegationRow),
});

export const addDelegation = endpoint({
  title: '新建审批委托',
  method: 'POST',
  path: `${base}/delegation`,
  permission: 'login',
  body: z.object({
    toId: z.uuid('请选择受托人').meta({ title: '受托人' }),
    docTypes: z.array(z.string().max(60)).max(50).default([]).meta({ title: '单据类型' }),
    amountMax: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,2})?$/, '请输入正确的金额')
      .nullable()
      .default(null)
      .meta({ title: '金额上限' }),
    startsAt: Instant.meta({ title: '开始时间' }),
    endsAt: Instant.meta({ title: '结束时间' }),
    reason: OptionalText(200, '原因'),
  }),
  reply: z.object({ id: Id }),
});

export const revokeDelegation = endpoint({
  title: '取消审批委托',
  method: 'DELETE',
  path: `${base}/delegation/:id`,
  permission: 'login',
  params: z.object({ id: Id }),
  reply: z.null(),
});
