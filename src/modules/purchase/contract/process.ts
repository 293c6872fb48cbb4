import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command, OfferedAction, Outcome, TimelineEntry } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Money, Product, Rate, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { Amount, ById, base, DayRange, EXPORT, Pieces, PRICE, UnitPrice, Words } from './fields.ts';
import { OrderMoney, OrderPaymentRow } from './order.ts';

export const PROCESS_VIEW = 'erp:process:view';
export const PROCESS_EDIT = 'erp:process:edit';
export const PROCESS_RELEASE = 'erp:process:release';
export const PROCESS_OUTPUT = 'erp:process:receive';
export const PROCESS_STOP = 'erp:process:close';

const STATES = {
  draft: { title: '待提交', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  approved: { title: '待发料', tone: 'waiting' },
  running: { title: '加工中', tone: 'running' },
  done: { title: '已完工', tone: 'done' },
  stopped: { title: '已终止', tone: 'off' },
  void: { title: '已作废', tone: 'off' },
} as const;
export const ProcessState = States(STATES);
export type ProcessState = z.infer<typeof ProcessState>;

export const ProcessKind = Choice({ INHOUSE: '自行加工', OUTSOURCE: '委外加工' }, '加工方式');
export type ProcessKind = z.infer<typeof ProcessKind>;

/** 采购加工单: parts become a product, in house or at a processor. */
export const processOrder = documentType({
  name: 'purchase.process',
  title: '采购加工单',
  number: 'JG{yyMMdd}{seq:4}',
  detail: '/e/p/p/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    submit: {
      title: '提交',
      from: ['draft'],
      to: 'pending',
      permission: PROCESS_EDIT,
      primary: true,
      consequence: '提交后由审核人审核，审核前不能修改',
    },
    recall: { title: '撤回', from: ['pending'], to: 'draft', permission: PROCESS_EDIT },
    approve: {
      title: '通过',
      from: ['pending'],
      to: 'approved',
      permission: PROCESS_RELEASE,
      primary: true,
      consequence: '通过后占用子件：可用转为待出库',
    },
    reject: { title: '驳回', from: ['pending'], to: 'draft', permission: PROCESS_RELEASE, reason: true },
    issue: {
      title: '发料',
      from: ['approved'],
      to: 'running',
      permission: PROCESS_OUTPUT,
      primary: true,
      consequence: '子件发到产线或加工商，转为加工中',
    },
    finish: { title: '完工', from: ['running'], to: 'done', permission: PROCESS_OUTPUT, internal: true },
    resume: { title: '恢复加工', from: ['done'], to: 'running', permission: PROCESS_STOP, internal: true },
    stop: {
      title: '终止',
      from: ['running'],
      to: 'stopped',
      permission: PROCESS_STOP,
      reason: true,
      consequence: '未用的子件退回可用，不再完工',
    },
    discard: {
      title: '作废',
      from: ['draft', 'pending', 'approved'],
      to: 'void',
      permission: PROCESS_STOP,
      reason: true,
      consequence: '占用的子件全部释放',
    },
  },
  approval: { submit: ['submit'], approve: 'approve', reject: 'reject', withdraw: 'recall', cancel: ['discard'] },
});

const cny = (title: string) => Money.nullable().meta({ title, currency: 'CNY', width: 120, permission: PRICE });

export const ProcessRow = z.object({
  id: Id,
  number: z.string().meta({ title: '加工单号', kind: 'code', width: 150, pinned: 'left' }),
  product: Product.meta({ title: '主产品', kind: 'product', width: 240, pinned: 'left' }),
  state: ProcessState.meta({ width: 90 }),
  kind: ProcessKind.meta({ width: 90 }),
  supplier: z.string().nullable().meta({ title: '加工商', width: 140 }),
  warehouse: z.string().meta({ title: '仓库', width: 120 }),
  qty: z.int().meta({ title: '加工数', kind: 'integer', width: 80 }),
  done: z.int().meta({ title: '已完工', kind: 'integer', width: 80 }),
  scrapped: z.int().meta({ title: '损耗', kind: 'integer', width: 70 }),
  doneShare: Rate.meta({ title: '完工进度', width: 100 }),
  feePrice: cny('加工费单价'),
  fee: cny('加工费'),
  cost: cny('入库成本'),
  plannedOn: Day.nullable().meta({ title: '计划完工', width: 110 }),
  remark: z.string().meta({ title: '备注', width: 160, optional: true }),
  createdByName: z.string().meta({ title: '创建人', kind: 'person', width: 100 }),
  createdAt: Instant.meta({ title: '创建时间', width: 130 }),
  productId: Id,
  supplierId: Id.nullable(),
  warehouseId: Id,
  version: z.int(),
});
export type ProcessRow = z.infer<typeof ProcessRow>;

export const ProcessFilter = z.object({
  state: ProcessState,
  kind: ProcessKind,
  created: DayRange('创建日期'),
  supplier: z.array(Id).max(200).meta({ title: '加工商' }),
  warehouse: z.array(Id).max(200).meta({ title: '仓库' }),
  keyword: z.string().trim().max(100).meta({ title: '单号、SKU' }),
});
const AnyFilter = ProcessFilter.partial();
export type ProcessFilter = z.infer<typeof AnyFilter>;

/** A part with its pieces: for the whole order, used up so far, and in work. */
export const ProcessPartRow = z.object({
  id: Id,
  productId: Id,
  product: Product.meta({ title: '子件', kind: 'product', width: 260 }),
  qty: z.int().meta({ title: '需用', kind: 'integer', width: 90 }),
  used: z.int().meta({ title: '已耗用', kind: 'integer', width: 90 }),
  inWork: z.int().meta({ title: '加工中', kind: 'integer', width: 90 }),
  available: z.int().meta({ title: '仓库可用', kind: 'integer', width: 90 }),
  short: z.int().meta({ title: '缺料', kind: 'integer', width: 80 }),
});
export type ProcessPartRow = z.infer<typeof ProcessPartRow>;

export const ProcessOutputRow = z.object({
  id: Id,
  seq: z.int().meta({ title: '次', kind: 'integer', width: 50 }),
  qty: z.int().meta({ title: '完工入库', kind: 'integer', width: 90 }),
  scrapped: z.int().meta({ title: '损耗', kind: 'integer', width: 70 }),
  fee: cny('加工费'),
  cost: cny('入库成本'),
  day: Day.meta({ title: '日期', width: 110 }),
  by: z.string().meta({ title: '操作人', kind: 'person', width: 100 }),
  remark: z.string().meta({ title: '备注', width: 160 }),
  reversed: z.boolean().meta({ title: '已撤销', kind: 'boolean', width: 80 }),
});
export type ProcessOutputRow = z.infer<typeof ProcessOutputRow>;

export const ProcessInput = z.object({
  /** Left out for a new order. */
  id: Id.optional(),
  version: z.int().optional().meta({ title: '版本' }),
  kind: ProcessKind.default('INHOUSE'),
  productId: z.uuid('请选择主产品').meta({ title: '主产品' }),
  qty: Pieces.meta({ title: '加工数', kind: 'integer' }),
  warehouseId: z.uuid('请选择仓库').meta({ title: '仓库' }),
  supplierId: Id.nullable().default(null).meta({ title: '加工商' }),
  feePrice: UnitPrice.default('0').meta({ title: '加工费单价', kind: 'money', currency: 'CNY', permission: PRICE }),
  plannedOn: Day.nullable().default(null).meta({ title: '计划完工' }),
  remark: Words(500, '备注'),
  parts: z
    .array(z.object({ productId: Id.meta({ title: '子件' }), qty: Pieces }))
    .min(1, '至少添加一行数据')
    .max(200)
    .meta({ title: '子件' }),
});
export type ProcessInput = z.infer<typeof ProcessInput>;

const at = <const S extends string>(part: S) => `${base}/processOrder/${part}` as const;

export const listProcesses = endpoint({
  title: '采购加工单列表',
  method: 'POST',
  path: at('list'),
  permission: PROCESS_VIEW,
  access: 'read',
  body: PageQuery(ProcessFilter),
  sortable: ['number', 'qty', 'plannedOn', 'createdAt'],
  reply: Page(ProcessRow),
});

export const countProcesses = endpoint({
  title: '采购加工单各状态数量',
  method: 'POST',
  path: at('counts'),
  permission: PROCESS_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({ filter: ProcessFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportProcesses = endpoint({
  title: '导出采购加工单',
  method: 'POST',
  path: at('export'),
  permission: EXPORT,
  access: 'read',
  file: true,
  body: ExportQuery(ProcessFilter),
  reply: z.unknown(),
});

export const processDetail = endpoint({
  title: '采购加工单详情',
  method: 'GET',
  path: at('detail/:id'),
  permission: PROCESS_VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    order: ProcessRow,
    parts: z.array(ProcessPartRow),
    outputs: z.array(ProcessOutputRow),
    payments: z.array(OrderPaymentRow),
    money: OrderMoney,
    actions: z.array(OfferedAction),
    timeline: z.array(TimelineEntry),
  }),
});

/** Parts of a product by its list in force, for a number of pieces, with what a warehouse has of them. */
export const processParts = endpoint({
  title: '采购加工单用料',
  method: 'GET',
  path: at('capacity/:id'),
  permission: PROCESS_VIEW,
  params: ById,
  query: z.object({
    qty: z.coerce.number().int().min(1).max(100_000_000).default(1).meta({ title: '加工数' }),
    warehouseId: z.string().max(60).default('').meta({ title: '仓库' }),
  }),
  reply: z.array(z.object({ productId: Id, product: Product, qtyPer: z.string(), qty: z.int(), available: z.int() })),
});

/** Products for a process order, with what a warehouse has of them. */
export const processGoods = endpoint({
  title: '采购加工可选商品',
  method: 'POST',
  path: at('goods'),
  permission: PROCESS_VIEW,
  access: 'read',
  concurrent: true,
  body: z.object({
    text: z.string().trim().max(100).default('').meta({ title: '搜索内容' }),
    warehouseId: z.string().max(60).default('').meta({ title: '仓库' }),
  }),
  reply: z.array(z.object({ id: Id, product: Product, available: z.int() })),
});

/** Warehouses and processors for forms and filters. */
export const processChoices = endpoint({
  title: '采购加工可选仓库与加工商',
  method: 'GET',
  path: at('choices'),
  permission: PROCESS_VIEW,
  concurrent: true,
  reply: z.object({
    warehouses: z.array(z.object({ id: Id, name: z.string() })),
    suppliers: z.array(z.object({ id: Id, name: z.string(), orderable: z.boolean() })),
  }),
});

export const saveProcess = endpoint({
  title: '保存采购加工单',
  method: 'POST',
  path: at('save'),
  permission: PROCESS_EDIT,
  body: ProcessInput,
  reply: Outcome,
});

export const outputProcess = endpoint({
  title: '加工完工入库',
  method: 'POST',
  path: at('output'),
  permission: PROCESS_OUTPUT,
  body: z.object({
    id: Id.meta({ title: '加工单' }),
    clientId: z.string().trim().min(1).max(100).optional().meta({ title: '完工标识' }),
    qty: z.int().min(0).max(100_000_000).meta({ title: '完工入库', kind: 'integer' }),
    scrapped: z.int().min(0).max(100_000_000).default(0).meta({ title: '损耗', kind: 'integer' }),
    remark: Words(200, '备注'),
  }),
  reply: Outcome,
});

/** Asks finance to pay the processor and hands the request in. CNY. */
export const requestProcessFee = endpoint({
  title: '采购加工单·请款',
  method: 'POST',
  path: at('requestPayment'),
  permission: 'fin:payreq:apply',
  body: z.object({
    id: Id.meta({ title: '加工单' }),
    amount: Amount('请款金额')
      .refine((value) => /[1-9]/.test(value), '请款金额必须大于0')
      .meta({ title: '请款金额', kind: 'money', currency: 'CNY', permission: PRICE }),
    dueOn: Day.nullable().default(null).meta({ title: '预计付款日' }),
    remark: Words(200, '备注'),
  }),
  reply: Outcome,
});

export const reverseOutput = endpoint({
  title: '撤销加工完工',
  method: 'POST',
  path: at('reverseOutput'),
  permission: PROCESS_STOP,
  body: z.object({
    outputId: Id.meta({ title: '完工记录' }),
    reason: z.string().trim().min(1, '请填写原因').max(200).meta({ title: '原因' }),
  }),
  reply: Outcome,
});

export const printProcess = endpoint({
  title: '打印采购加工单',
  method: 'GET',
  path: at('pickList/:id'),
  permission: PROCESS_VIEW,
  file: true,
  params: ById,
  reply: z.unknown(),
});

const step = (name: keyof typeof processOrder.transitions) => {
  const rule = processOrder.transitions[name];
  return endpoint({
    title: `采购加工单·${rule.title}`,
    method: 'POST',
    path: at(name),
    permission: rule.permission,
    body: Command,
    reply: Outcome,
  });
};

export const processSteps = {
  submit: step('submit'),
  recall: step('recall'),
  approve: step('approve'),
  reject: step('reject'),
  issue: step('issue'),
  stop: step('stop'),
  discard: step('discard'),
};
export type ProcessStep = keyof typeof processSteps;
