import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ById } from '../fields.ts';
import {
  DecideForm,
  QUOTA_APPLY,
  QUOTA_EDIT,
  QUOTA_EXPORT,
  QUOTA_VIEW,
  QuotaFilter,
  QuotaForm,
  QuotaRow,
  RequestForm,
  RequestRow,
} from './fields.ts';

const base = '/erp/api/v1/ship/quota';
const Version = z.int().optional().meta({ title: '版本' });
const Written = z.object({ id: Id, version: z.int() });

export const listQuotas = endpoint({
  title: '仓容额度列表',
  method: 'POST',
  path: `${base}/list`,
  permission: QUOTA_VIEW,
  access: 'read',
  body: PageQuery(QuotaFilter),
  sortable: ['month', 'updatedAt'],
  reply: Page(QuotaRow),
});

export const exportQuotas = endpoint({
  title: '导出仓容额度',
  method: 'POST',
  path: `${base}/export`,
  permission: QUOTA_EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(QuotaFilter),
  reply: z.unknown(),
});

/** With all that was asked for, the newest first. */
export const quotaDetail = endpoint({
  title: '仓容额度详情',
  method: 'GET',
  path: `${base}/detail/:id`,
  permission: QUOTA_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({ quota: QuotaRow, requests: z.array(RequestRow) }),
});

/** Without `id` a new one; what it is for is said once: of a known one only room, unit and remark change. */
export const saveQuota = endpoint({
  title: '保存仓容额度',
  method: 'POST',
  path: `${base}/save`,
  permission: QUOTA_EDIT,
  body: QuotaForm.extend({ id: z.uuid().optional().meta({ title: '仓容额度' }), version: Version }),
  reply: Written,
});

export const removeQuota = endpoint({
  title: '删除仓容额度',
  method: 'POST',
  path: `${base}/remove`,
  permission: QUOTA_EDIT,
  body: z.object({ id: Id.meta({ title: '仓容额度' }), version: Version }),
  reply: z.object({ id: Id }),
});

/** Notes that Amazon was asked for more room. */
export const requestQuota = endpoint({
  title: '申请仓容额度',
  method: 'POST',
  path: `${base}/request`,
  permission: QUOTA_APPLY,
  body: RequestForm.extend({ id: Id.meta({ title: '仓容额度' }) }),
  reply: Written,
});

/** Notes Amazon's answer; once. */
export const decideQuota = endpoint({
  title: '登记仓容申请结果',
  method: 'POST',
  path: `${base}/decide`,
  permission: QUOTA_APPLY,
  body: DecideForm.extend({ id: Id.meta({ title: '申请' }), version: Version }),
  reply: Written,
});
