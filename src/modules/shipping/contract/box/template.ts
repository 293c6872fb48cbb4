import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Text } from '#kit/contract/field.ts';
import { AUDIT, BOX, base, VIEW } from '../fields.ts';

const at = <const S extends string>(part: S) => `${base}/box/${part}` as const;

const Side = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,4}(\.\d{1,2})?$/, `${title}须为正数，最多两位小数`)
    .refine((text) => /[1-9]/.test(text), `${title}须大于0`)
    .meta({ title, kind: 'rate', width: 90 });
const Kg = (title: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,4}(\.\d{1,3})?$/, `${title}须为数字，最多三位小数`)
    .meta({ title, kind: 'rate', width: 110 });

/** 箱型: a carton; outside measures in cm, weights in kg. */
export const TemplateForm = z.object({
  name: Text(60, '名称'),
  length: Side('长(cm)'),
  width: Side('宽(cm)'),
  height: Side('高(cm)'),
  tare: Kg('空箱重(kg)').default('0'),
  maxWeight: Kg('最大毛重(kg)')
    .refine((text) => /[1-9]/.test(text), '最大毛重须大于0')
    .nullable()
    .default(null)
    .meta({ title: '最大毛重(kg)', tip: '含空箱；留空时按站点规则' }),
});
export type TemplateForm = z.infer<typeof TemplateForm>;

export const BoxTemplate = TemplateForm.extend({ id: Id, version: z.int() });
export type BoxTemplate = z.infer<typeof BoxTemplate>;

export const BoxRules = Choice({ WARN: '仅提示', BLOCK: '禁止完成装箱' }, '箱子超出站点限制时');
export type BoxRules = z.infer<typeof BoxRules>;

export const boxTemplates = endpoint({
  title: '箱型',
  method: 'GET',
  path: at('templates'),
  permission: VIEW,
  concurrent: true,
  reply: z.object({ templates: z.array(BoxTemplate), rules: BoxRules }),
});

export const saveTemplate = endpoint({
  title: '保存箱型',
  method: 'POST',
  path: at('template/save'),
  permission: BOX,
  body: TemplateForm.extend({
    id: z.uuid().optional().meta({ title: '箱型', hidden: true }),
    version: z.int().optional().meta({ title: '版本', hidden: true }),
  }),
  reply: z.object({ id: Id, version: z.int() }),
});

export const deleteTemplate = endpoint({
  title: '删除箱型',
  method: 'POST',
  path: at('template/delete'),
  permission: BOX,
  body: z.object({ id: Id.meta({ title: '箱型' }) }),
  reply: z.object({ deleted: z.int() }),
});

export const putBoxRules = endpoint({
  title: '装箱规则设置',
  method: 'POST',
  path: at('rules'),
  permission: AUDIT,
  body: z.object({ rules: BoxRules }),
  reply: z.object({ rules: BoxRules }),
});
