import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Decimal, Id, Instant, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { base, GRADE, Grade, Quarter, VIEW } from '../contract.ts';

const at = (call: string) => `${base}/grading/${call}` as const;

const Points = (title: string) => z.int().min(1).max(100).meta({ title, kind: 'integer' });

const GradingFields = z.object({
  automatic: z.boolean().meta({ title: '自动调整等级', tip: '季度定稿后直接按得分调整，锁定的除外' }),
  atA: Points('A级最低分'),
  atB: Points('B级最低分'),
  atC: Points('C级最低分'),
  graceDays: z.int().min(0).max(31).meta({ title: '宽限天数', kind: 'integer' }),
});

/** How the company grades; thresholds go down from A to C, and whoever is below C is D. */
export const GradingForm = GradingFields.superRefine(({ atA, atB, atC }, context) => {
  const say = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
  if (atB >= atA) say('atB', 'B级最低分须小于A级最低分');
  if (atC >= atB) say('atC', 'C级最低分须小于B级最低分');
});
export type GradingForm = z.infer<typeof GradingForm>;

const GradingSetting = GradingFields.extend({
  /** The quarter from which on changes are applied without being asked for; null while nothing is. */
  firstQuarter: Quarter.nullable().meta({ title: '自动调整起始季度' }),
});
export type GradingSetting = z.infer<typeof GradingSetting>;

export const readGrading = endpoint({
  title: '评级设置',
  method: 'GET',
  path: at('setting'),
  permission: VIEW,
  concurrent: true,
  reply: GradingSetting,
});

export const saveGrading = endpoint({
  title: '保存评级设置',
  method: 'POST',
  path: at('setting'),
  permission: GRADE,
  body: GradingForm,
  reply: GradingSetting,
});

/** In the order of the tabs. */
export const ScoreState = States(
  {
    proposed: { title: '待处理', tone: 'waiting' },
    applied: { title: '已调整', tone: 'done' },
    kept: { title: '维持', tone: 'side' },
    none: { title: '无变化', tone: 'off' },
    running: { title: '进行中', tone: 'running' },
  },
  '状态',
);
export type ScoreState = z.infer<typeof ScoreState>;

const Score = (title: string, width = 84) => Decimal.nullable().meta({ title, width });

/** The scorecard of one supplier in one quarter. */
export const ScoreRow = z.object({
  supplierId: Id,
  supplier: z.string().meta({ title: '供应商', width: 180, pinned: 'left' }),
  code: z.string().meta({ title: '编码', kind: 'code', width: 100 }),
  quarter: Quarter.meta({ width: 86 }),
  currentGrade: Grade.meta({ title: '当前等级', width: 84 }),
  grade: Grade.nullable().meta({ title: '建议等级', width: 84, tip: '不足5行不计总分，也没有建议' }),
  gradeBefore: Grade.nullable().meta({ title: '定稿时等级', width: 96, optional: true }),
  total: Score('总分'),
  delivery: Score('交期'),
  quality: Score('质量'),
  price: Score('价格'),
  service: Score('服务'),
  lines: z.int().meta({ title: '行数', kind: 'integer', width: 72, tip: '季度内到期的采购行' }),
  leadDays: Score('平均交货天数', 116),
  state: ScoreState.meta({ width: 90 }),
  locked: z.boolean().meta({ title: '锁定', kind: 'boolean', width: 66, tip: '锁定的等级只能人工修改' }),
  reason: z.string().nullable().meta({ title: '原因', width: 200, optional: true }),
  decidedBy: z.string().nullable().meta({ title: '处理人', kind: 'person', optional: true }),
  decidedAt: Instant.nullable().meta({ title: '处理时间', optional: true }),
  computedAt: Instant.meta({ title: '计算时间', optional: true }),
});
export type ScoreRow = z.infer<typeof ScoreRow>;

export const ScoreFilter = z.object({
  state: ScoreState,
  quarter: Quarter,
  search: z.string().trim().max(100).meta({ title: '编码/名称' }),
  grade: z.array(Grade).max(4).meta({ title: '建议等级' }),
});
const AnyFilter = ScoreFilter.partial();
export type ScoreFilter = z.infer<typeof AnyFilter>;

/** The quarters that have scores, the newest first; the running one is always among them. */
export const scoreQuarters = endpoint({
  title: '评分季度',
  method: 'GET',
  path: at('quarters'),
  permission: VIEW,
  concurrent: true,
  reply: z.object({ running: Quarter, waiting: Quarter.nullable(), quarters: z.array(Quarter) }),
});

export const listScores = endpoint({
  title: '供应商季度评分',
  method: 'POST',
  path: at('list'),
  permission: VIEW,
  access: 'read',
  body: PageQuery(ScoreFilter),
  sortable: ['total', 'supplier'],
  reply: Page(ScoreRow),
});

export const countScores = endpoint({
  title: '供应商季度评分数量',
  method: 'POST',
  path: at('statusCounts'),
  permission: VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportScores = endpoint({
  title: '导出供应商季度评分',
  method: 'POST',
  path: at('export'),
  permission: VIEW,
  access: 'read',
  body: ExportQuery(ScoreFilter),
  file: true,
  reply: z.unknown(),
});

const Chosen = z.object({
  ids: z
    .array(z.object({ supplierId: Id, quarter: Quarter }))
    .min(1)
    .max(500)
    .meta({ title: '评分' }),
});
export type ScoreKey = z.infer<typeof Chosen>['ids'][number];

/** Of what was chosen but not done: whose, and why not. */
const Skipped = z.array(z.object({ supplier: z.string(), quarter: Quarter, why: z.string() }));
export type Skipped = z.infer<typeof Skipped>;

/** Gives suppliers the grades that the last closed quarter proposes. */
export const applyProposals = endpoint({
  title: '应用评级建议',
  method: 'POST',
  path: at('apply'),
  permission: GRADE,
  body: Chosen,
  reply: z.object({ applied: z.int(), skipped: Skipped }),
});

/** Leaves suppliers the grades that they have, in spite of what is proposed. */
export const keepGrades = endpoint({
  title: '维持原等级',
  method: 'POST',
  path: at('keep'),
  permission: GRADE,
  body: Chosen.extend({ reason: Text(200, '原因') }),
  reply: z.object({ kept: z.int(), skipped: Skipped }),
});

/** A locked grade is changed by hand only. */
export const lockGrade = endpoint({
  title: '锁定等级',
  method: 'POST',
  path: at('lock'),
  permission: GRADE,
  body: z.object({ id: Id, locked: z.boolean().meta({ title: '锁定' }), reason: Text(200, '原因') }),
  reply: z.literal('success'),
});

export const ChangeSource = Choice({ manual: '人工评级', proposal: '应用建议', automatic: '自动调整' }, '来源');

const GradeChange = z.object({
  id: Id,
  at: Instant,
  by: z.string(),
  from: Grade,
  to: Grade,
  source: ChangeSource,
  quarter: Quarter.nullable(),
  total: Decimal.nullable(),
  reason: z.string(),
});
export type GradeChange = z.infer<typeof GradeChange>;

/** How the grade of a supplier came about: the last hundred changes and the last eight quarters, the newest first. */
export const gradeHistory = endpoint({
  title: '等级历史',
  method: 'POST',
  path: at('history'),
  permission: VIEW,
  access: 'read',
  body: z.object({ id: Id }),
  reply: z.object({
    grade: Grade,
    locked: z.boolean(),
    lockReason: z.string().nullable(),
    changes: z.array(GradeChange),
    quarters: z.array(
      z.object({
        quarter: Quarter,
        lines: z.int(),
        total: Decimal.nullable(),
        grade: Grade.nullable(),
        state: ScoreState,
      }),
    ),
  }),
});
