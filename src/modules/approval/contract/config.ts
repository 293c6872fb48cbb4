import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Instant } from '#kit/contract/field.ts';
import { Condition } from './condition.ts';

export const base = '/erp/api/v1/examine';
export const VIEW = 'erp:examine:view';
export const CONFIG = 'erp:examine:config';
export const AUTHORIZE = 'erp:examine:authorize';

/** How a company handles a kind of document. */
export const SettingInput = z.object({
  docType: z.string().min(1).max(60).meta({ title: '单据类型' }),
  enabled: z.boolean().meta({ title: '启用审批' }),
  /** Documents for which it holds are approved at once. */
  exempt: Condition.nullable().meta({ title: '免审条件' }),
  selfApprove: z.boolean().meta({ title: '本人可审' }),
  dedup: z.enum(['none', 'adjacent', 'all']).meta({ title: '审批人去重' }),
  withdraw: z.enum(['untouched', 'always']).meta({ title: '撤回' }),
  /** Ratio: "0.05" is 5 %. */
  tolerance: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,6})?$/, '容差须为非负数')
    .meta({ title: '变更后重审容差', kind: 'percent' }),
  batch: z.boolean().meta({ title: '允许批量同意' }),
  admins: z.array(Id).max(20).meta({ title: '流程管理员' }),
  delegationDays: z.int().min(1).max(90, '委托期最长90天').meta({ title: '委托期上限（天）' }),
});
export const Setting = SettingInput.extend({
  docTitle: z.string().meta({ title: '单据' }),
  updatedAt: Instant.nullable(),
  updatedByName: z.string(),
});
export type Setting = z.infer<typeof Setting>;

export const readSettings = endpoint({
  title: '审批全局配置',
  method: 'GET',
  path: `${base}/config`,
  permission: VIEW,
  reply: z.array(Setting),
});

export const saveSetting = endpoint({
  title: '保存审批配置',
  method: 'PUT',
  path: `${base}/config`,
  permission: CONFIG,
  body: SettingInput,
  reply: Setting,
});

const Option = z.object({ value: z.string(), title: z.string() });

/** What flows of a kind of document can use: what the designer offers. */
export const KindView = z.object({
  docType: z.string(),
  title: z.string(),
  pays: z.boolean(),
  fields: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      kind: z.enum(['money', 'number', 'text', 'choice', 'boolean']),
      options: z.array(Option),
    }),
  ),
  people: z.array(z.object({ key: z.string(), title: z.string() })),
});
export type KindView = z.infer<typeof KindView>;

export const readKinds = endpoint({
  title: '可审批的单据类型',
  method: 'GET',
  path: `${base}/kinds`,
  permission: VIEW,
  concurrent: true,
  reply: z.array(KindView),
});

/** Whom and what flows can name, by name. */
export const readOrganisation = endpoint({
  title: '审批可选人员',
  method: 'GET',
  path: `${base}/people`,
  permission: 'login',
  concurrent: true,
  reply: z.object({
    members: z.array(z.object({ id: Id, name: z.string(), department: z.string() })),
    roles: z.array(z.object({ id: Id, name: z.string() })),
    departments: z.array(z.object({ id: Id, name: z.string() })),
    /** Kinds of documents that flows can approve. */
    kinds: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
});
