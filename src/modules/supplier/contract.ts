import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Decimal, Id, Instant, OptionalText, Rate, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

export const base = '/erp/api/v1/supplier';
export const VIEW = 'erp:supplier:view';
const EDIT = 'erp:supplier:edit';
export const BANK = 'erp:supplier:field:bank';
export const GRADE = 'erp:grade:edit';

const STATES = {
  pending: { title: '待启用', tone: 'waiting' },
  active: { title: '合作中', tone: 'done' },
  suspended: { title: '已暂停', tone: 'off' },
  blacklisted: { title: '黑名单', tone: 'trouble' },
} as const;
export const SupplierState = States(STATES, '状态');
export type SupplierState = z.infer<typeof SupplierState>;

export const Grade = Choice({ A: 'A', B: 'B', C: 'C', D: 'D' }, '等级');
export type Grade = z.infer<typeof Grade>;

const InvoiceType = Choice({ none: '不开票', normal: '普通发票', special: '专用发票' }, '发票类型');

/** What a payment is due after, and by how many days. `monthly`: the end of the anchor's month plus the days. */
const Anchor = Choice(
  { order: '下单后', before_shipment: '发货前', receipt: '到货后', invoice: '收票后', monthly: '月结' },
  '起算',
);
const Stage = z.object({
  share: Rate.refine((value) => Number(value) > 0 && Number(value) <= 1, '比例须大于0且不超过100%').meta({
    title: '比例',
  }),
  anchor: Anchor,
  days: z.int().min(0).max(365).meta({ title: '天数', kind: 'integer' }),
});
export type Stage = z.infer<typeof Stage>;

export const SupplierRow = z.object({
  id: Id,
  code: z.string().meta({ title: '编码', kind: 'code', width: 110, pinned: 'left' }),
  shortName: z.string().meta({ title: '简称', width: 160, pinned: 'left' }),
  fullName: z.string().meta({ title: '全称', width: 220 }),
  state: SupplierState.meta({ width: 90 }),
  grade: Grade.meta({ width: 64 }),
  contact: z.string().nullable().meta({ title: '联系人', width: 100 }),
  phone: z.string().nullable().meta({ title: '电话', kind: 'code', width: 130 }),
  terms: z.string().meta({ title: '结算条款', width: 190 }),
  currency: Currency,
  invoice: z.string().meta({ title: '发票', width: 110 }),
  bankTail: z
    .string()
    .nullable()
    .meta({ title: '收款账号', kind: 'code', width: 120, permission: BANK, optional: true }),
  alibabaMember: z.string().nullable().meta({ title: '1688会员', width: 130, optional: true }),
  remark: z.string().nullable().meta({ title: '备注', width: 200, optional: true }),
  updatedBy: z.string().meta({ title: '修改人', kind: 'person', width: 110 }),
  updatedAt: Instant.meta({ title: '修改时间', width: 130 }),
  version: z.int(),
});
export type SupplierRow = z.infer<typeof SupplierRow>;

export const SupplierFilter = z.object({
  state: SupplierState,
  search: z.string().trim().max(100).meta({ title: '编码/名称' }),
  grade: z.array(Grade).max(4).meta({ title: '等级' }),
  currency: z.string().trim().max(3).meta({ title: '币种', optional: true }),
});
const AnyFilter = SupplierFilter.partial();
export type SupplierFilter = z.infer<typeof AnyFilter>;

const Contact = z.object({
  name: Text(50, '联系人'),
  role: z.string().trim().max(50).default('').meta({ title: '职务' }),
  phone: z.string().trim().max(30).default('').meta({ title: '电话' }),
  email: z.string().trim().max(100).default('').meta({ title: '邮箱' }),
  wechat: z.string().trim().max(50).default('').meta({ title: '微信' }),
});
export type Contact = z.infer<typeof Contact>;

export const SupplierForm = z.object({
  code: Text(30, '编码').optional().meta({ title: '编码', tip: '留空自动编号' }),
  shortName: Text(50, '简称'),
  fullName: OptionalText(200, '全称').meta({ title: '全称' }),
  taxId: OptionalText(30, '税号'),
  currency: Currency.default('CNY'),
  invoiceType: InvoiceType.default('none'),
  invoiceRate: Rate.refine((value) => Number(value) >= 0 && Number(value) < 1, '税率须小于100%')
    .default('0')
    .meta({ title: '税率' }),
  /** Share by which more than ordered may come; left out: as the company has it. */
  receiveTolerance: Rate.refine((value) => Number(value) >= 0 && Number(value) <= 1, '超收容差须在0到100%之间')
    .optional()
    .meta({ title: '超收容差', tip: '留空按采购设置' }),
  alibabaMember: OptionalText(100, '1688会员'),
  website: OptionalText(200, '网址'),
  address: OptionalText(300, '地址'),
  remark: OptionalText(500, '备注'),
});
export type SupplierForm = z.infer<typeof SupplierForm>;

export const SupplierDetail = SupplierForm.extend({
  id: Id,
  code: z.string().meta({ title: '编码' }),
  state: SupplierState,
  grade: Grade,
  serviceScore: Decimal.nullable().meta({ title: '服务评分' }),
  terms: z.array(Stage),
  contacts: z.array(Contact),
  /** Masked: what of it may be shown to whoever may see bank details at all. */
  bank: z
    .object({ bankName: z.string(), accountName: z.string(), account: z.string() })
    .nullable()
    .meta({ permission: BANK }),
  bankChange: z
    .object({
      id: Id,
      state: z.enum(['pending', 'approved']),
      tail: z.string(),
      askedBy: z.string(),
      askedAt: Instant,
      effectiveAt: Instant.nullable(),
    })
    .nullable()
    .meta({ permission: BANK }),
  version: z.int(),
});
export type SupplierDetail = z.infer<typeof SupplierDetail>;

export const listSuppliers = endpoint({
  title: '供应商列表',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SupplierFilter),
  sortable: ['code', 'shortName', 'grade', 'updatedAt'],
  reply: Page(SupplierRow),
});

export const countSuppliers = endpoint({
  title: '供应商数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportSuppliers = endpoint({
  title: '导出供应商',
  method: 'POST',
  path: `${base}/export`,
  permission: VIEW,
  access: 'read',
  body: ExportQuery(SupplierFilter),
  file: true,
  reply: z.unknown(),
});

const ById = z.object({ id: Id });

export const supplierDetail = endpoint({
  title: '供应商详情',
  method: 'POST',
  path: `${base}/detail`,
  permission: VIEW,
  access: 'read',
  body: ById,
  reply: SupplierDetail,
});

/** Without `id` a new one, pending until somebody puts it into use. Left out parts stay as they are. */
export const saveSupplier = endpoint({
  title: '保存供应商',
  method: 'POST',
  path: `${base}/save`,
  permission: EDIT,
  body: SupplierForm.extend({
    id: Id.optional(),
    version: z.int().optional().meta({ title: '版本', hidden: true }),
    terms: z.array(Stage).max(6).optional().meta({ title: '结算条款' }),
    contacts: z.array(Contact).max(20).optional().meta({ title: '联系人' }),
  }),
  reply: SupplierDetail,
});

export const supplierDocument = documentType({
  name: 'supplier',
  title: '供应商',
  number: 'S{seq:5}',
  detail: '/erp/baseinfo/supplier',
  states: STATES,
  initial: 'pending',
  transitions: {
    activate: { title: '启用', from: ['pending', 'suspended'], to: 'active', permission: EDIT, primary: true },
    suspend: {
      title: '暂停',
      from: ['active'],
      to: 'suspended',
      permission: EDIT,
      reason: true,
      consequence: '不能再向其下单',
    },
    blacklist: {
      title: '拉黑',
      from: ['pending', 'active', 'suspended'],
      to: 'blacklisted',
      permission: GRADE,
      reason: true,
      consequence: '不能再向其下单，恢复须有评级权限',
    },
    restore: { title: '移出黑名单', from: ['blacklisted'], to: 'suspended', permission: GRADE, reason: true },
  },
});

export const moveSupplier = endpoint({
  title: '供应商状态',
  method: 'POST',
  path: `${base}/status`,
  permission: EDIT,
  body: ById.extend({
    action: z.enum(['activate', 'suspend', 'blacklist', 'restore']).meta({ title: '操作' }),
    reason: OptionalText(200, '原因'),
    version: z.int().optional().meta({ title: '版本', hidden: true }),
  }),
  reply: z.object({ state: SupplierState }),
});

export const gradeSupplier = endpoint({
  title: '供应商评级',
  method: 'POST',
  path: `${base}/grade`,
  permission: GRADE,
  body: ById.extend({
    grade: Grade,
    serviceScore: Decimal.refine((value) => Number(value) >= 0 && Number(value) <= 100, '服务评分须在0到100之间')
      .nullable()
      .meta({ title: '服务评分' }),
    reason: Text(200, '原因'),
  }),
  reply: z.literal('success'),
});

/** Asks for other bank details; they count a day after somebody else has agreed. */
export const askBank = endpoint({
  title: '修改收款账户',
  method: 'POST',
  path: `${base}/bank`,
  permission: BANK,
  body: ById.extend({
    bankName: Text(100, '开户行'),
    accountName: Text(100, '户名'),
    account: z
      .string()
      .trim()
      .regex(/^[0-9A-Za-z -]{5,40}$/, '请输入正确的收款账号')
      .meta({ title: '收款账号' }),
  }),
  reply: z.object({ changeId: Id }),
});

export const decideBank = endpoint({
  title: '审批收款账户',
  method: 'POST',
  path: `${base}/bank/decide`,
  permission: BANK,
  body: z.object({
    changeId: Id,
    agree: z.boolean().meta({ title: '同意' }),
    reason: OptionalText(200, '原因'),
  }),
  reply: z.object({ effectiveAt: Instant.nullable() }),
});

/** "2026Q3": a quarter of the calendar. */
export const Quarter = z
  .string()
  .regex(/^[1-9]\d{3}Q[1-4]$/, '季度格式应为 2026Q1')
  .meta({ title: '季度', kind: 'code' });

const Figure = z.object({ points: Decimal.nullable(), share: Decimal });

export const Scorecard = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  lines: z.int(),
  delivery: Figure,
  quality: Figure,
  price: Figure,
  service: Figure,
  /** Null while there are fewer than five lines. */
  total: Decimal.nullable(),
  grade: Grade.nullable(),
  leadDays: Decimal.nullable(),
});
export type Scorecard = z.infer<typeof Scorecard>;

export const supplierScorecard = endpoint({
  title: '供应商评分',
  method: 'POST',
  path: `${base}/scorecard`,
  permission: VIEW,
  access: 'read',
  body: ById.extend({ quarter: Quarter.optional() }),
  reply: Scorecard,
});

/** Those that may be chosen: not blacklisted, by name. */
export const selectSuppliers = endpoint({
  title: '供应商选项',
  method: 'GET',
  path: `${base}/select`,
  permission: 'login',
  reply: z.array(z.object({ id: Id, code: z.string(), name: z.string(), state: SupplierState })),
});
