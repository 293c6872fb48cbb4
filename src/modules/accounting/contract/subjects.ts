import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, OptionalText, States, Text } from '#kit/contract/field.ts';
import { ExportQuery } from '#kit/contract/page.ts';
import { base, Direction, EDIT_SUBJECTS, Month, SubjectKind, VIEW } from './fields.ts';

export const SubjectState = States({
  active: { title: '启用', tone: 'done' },
  stopped: { title: '停用', tone: 'off' },
});

export const SubjectRow = z.object({
  id: Id,
  code: z.string().meta({ title: '科目编码', kind: 'code', width: 120, pinned: 'left' }),
  name: z.string().meta({ title: '科目名称', width: 300 }),
  kind: SubjectKind.meta({ width: 90 }),
  direction: Direction.meta({ width: 90 }),
  leaf: z.boolean().meta({ title: '末级', kind: 'boolean', width: 80, tip: '只有末级科目可以记账' }),
  state: SubjectState.meta({ width: 90 }),
  path: z.string().meta({ title: '全称', width: 300, optional: true }),
  parentId: Id.nullable(),
  version: z.int(),
});
export type SubjectRow = z.infer<typeof SubjectRow>;

const SubjectFilter = z.object({ kind: SubjectKind, state: SubjectState, keyword: OptionalText(50, '编码/名称') });
const Loose = SubjectFilter.partial();
export type SubjectFilter = z.infer<typeof Loose>;

/** The whole chart that a filter leaves, in the order of codes: parents before their children. */
export const listSubjects = endpoint({
  title: '科目列表',
  method: 'POST',
  path: `${base}/subject/list`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: Loose.default({}) }),
  reply: z.array(SubjectRow),
});

export const exportSubjects = endpoint({
  title: '导出科目',
  method: 'POST',
  path: `${base}/subject/export`,
  permission: VIEW,
  access: 'read',
  file: true,
  body: ExportQuery(SubjectFilter),
  reply: z.unknown(),
});

/** A subject as people look for it: by its code, its name or the initials of its name. */
export const SubjectChoice = z.object({
  id: Id,
  code: z.string(),
  /** With the names of its parents, e.g. 「应收账款-亚马逊」. */
  name: z.string(),
  /** Initials of the name's sounds, e.g. "YSZKYMX". */
  initials: z.string(),
  leaf: z.boolean(),
  active: z.boolean(),
});
export type SubjectChoice = z.infer<typeof SubjectChoice>;

export const subjectChoices = endpoint({
  title: '科目选择',
  method: 'POST',
  path: `${base}/subject/choices`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({}),
  reply: z.array(SubjectChoice),
});

/** Where the books stand: whether there are any, their first month, and the voucher of the opening balances. */
export const bookState = endpoint({
  title: '账套状态',
  method: 'POST',
  path: `${base}/book/state`,
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({}),
  reply: z.object({ startMonth: Month.nullable(), openingDay: Day.nullable(), openingId: Id.nullable() }),
});

export const SubjectForm = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{4}(\d\d){0,2}$/, '科目编码为 4 位数字，每下一级加 2 位，最多三级')
    .meta({ title: '科目编码', kind: 'code', tip: '下级编码以上级编码开头' }),
  name: Text(50, '科目名称'),
  kind: SubjectKind,
  direction: Direction,
});
export type SubjectForm = z.output<typeof SubjectForm>;

/** Adds a subject below the one whose code it begins with, or changes one; the kind follows the parent. */
export const saveSubject = endpoint({
  title: '科目·保存',
  method: 'POST',
  path: `${base}/subject/save`,
  permission: EDIT_SUBJECTS,
  body: z.object({
    id: Id.optional(),
    version: z.int().optional().meta({ title: '版本' }),
    subject: SubjectForm.meta({ title: '科目' }),
  }),
  reply: z.object({ id: Id }),
});

/** Stops a subject, or takes it back into use. */
export const setSubjectState = endpoint({
  title: '科目·启用停用',
  method: 'POST',
  path: `${base}/subject/state`,
  permission: EDIT_SUBJECTS,
  body: z.object({ id: Id, version: z.int().meta({ title: '版本' }), state: SubjectState }),
  reply: z.object({ id: Id }),
});

export const TemplateForm = z.object({ startMonth: Month.meta({ title: '启用月份', kind: 'month' }) });

/** Opens the books where there are none, and adds what is missing of the chart of accounts; safe to repeat. */
export const applyTemplate = endpoint({
  title: '科目·套用模板',
  method: 'POST',
  path: `${base}/subject/template`,
  permission: EDIT_SUBJECTS,
  body: TemplateForm,
  reply: z.object({ count: z.int() }),
});
