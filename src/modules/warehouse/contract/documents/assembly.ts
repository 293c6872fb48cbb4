import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Product, States } from '#kit/contract/field.ts';
import { documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { Amount, base, COST, HeadInput, HeadRow, LineInput, Pieces, VIEW } from './fields.ts';
import { BY_FLOW, lines, review, STAMPS, UNDER_REVIEW } from './review.ts';

const ADD = 'erp:wh:assembly:add';
const AUDIT = 'erp:wh:assembly:audit';
const MAKE = 'erp:wh:assembly:make';

const STATES = {
  ...UNDER_REVIEW,
  ready: { title: '待加工', tone: 'running' },
  processing: { title: '加工中', tone: 'running' },
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已撤销', tone: 'off' },
} as const;
export const AssemblyState = States(STATES);
export const AssemblyType = Choice({ ASSEMBLE: '组装', DISASSEMBLE: '拆分' }, '加工类型');

/** 加工单: parts become a set, or a set becomes its parts. */
export const assembly = documentType({
  name: 'warehouse.assembly',
  title: '加工单',
  number: 'ZC{yyMMdd}{seq:4}',
  detail: '/e/w/a/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    ...review({ add: ADD, audit: AUDIT, to: 'ready', consequence: '通过后占用用料：可用转为待出库' }),
    start: {
      title: '开始加工',
      from: ['ready'],
      to: 'processing',
      permission: MAKE,
      primary: true,
      consequence: '用料转为加工中',
    },
    finish: {
      title: '完工入库',
      from: ['processing'],
      to: 'done',
      permission: MAKE,
      primary: true,
      consequence: '用料转出，成品入库，成本为用料成本加加工费',
    },
    cancel: {
      title: '撤销',
      from: ['draft', 'pending', 'rejected', 'ready', 'processing'],
      to: 'cancelled',
      permission: ADD,
      consequence: '撤销后用料退回可用',
    },
    reverse: {
      title: '撤销加工',
      from: ['done'],
      to: 'cancelled',
      permission: AUDIT,
      reason: true,
      consequence: '成品和用料原样退回',
    },
  },
  approval: BY_FLOW,
});

export const AssemblyRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: AssemblyType.meta({ width: 80 }), state: AssemblyState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      product: true,
      productId: true,
      qty: true,
      skuCount: true,
      otherFee: true,
      amount: true,
      plannedOn: true,
      remark: true,
      ...STAMPS,
    }).shape,
  )
  .extend({
    qty: HeadRow.shape.qty.meta({ title: '加工数', kind: 'integer', width: 90 }),
    skuCount: HeadRow.shape.skuCount.meta({ title: '子件数', kind: 'integer', width: 80 }),
    otherFee: HeadRow.shape.otherFee.meta({
      title: '加工费',
      kind: 'money',
      currency: 'CNY',
      width: 100,
      permission: 'erp:inv:cost',
    }),
  });
export type AssemblyRow = z.infer<typeof AssemblyRow>;
export const AssemblyFilter = documentFilter(AssemblyState, AssemblyType);

export const AssemblyInput = HeadInput.pick({
  id: true,
  version: true,
  warehouseId: true,
  otherFee: true,
  plannedOn: true,
  remark: true,
}).extend({
  type: AssemblyType.default('ASSEMBLE'),
  productId: z.uuid('请选择主产品').meta({ title: '主产品' }),
  qty: Pieces.meta({ title: '加工数', kind: 'integer' }),
  otherFee: Amount('加工费').optional().meta({ title: '加工费', permission: COST }),
  /** The parts with their pieces for the whole order. */
  lines: lines(LineInput.pick({ productId: true, qty: true, qtyPer: true, reason: true }), 200),
});

/** Parts of a product by its list in force, for a number of sets. */
export const assemblyParts = endpoint({
  title: '加工单用料',
  method: 'GET',
  path: `${base}/assemblyform/parts/:id`,
  permission: VIEW,
  params: z.object({ id: Id }),
  query: z.object({
    qty: z.coerce.number().int().min(1).max(100_000_000).default(1).meta({ title: '加工数' }),
    warehouseId: z.string().max(60).default('').meta({ title: '仓库' }),
  }),
  reply: z.array(
    z.object({
      productId: Id,
      product: Product,
      qtyPer: z.string(),
      qty: z.int(),
      available: z.int(),
    }),
  ),
});

export const assemblyCalls = {
  ...documentCalls({
    path: 'assemblyform',
    def: assembly,
    add: ADD,
    row: AssemblyRow,
    filter: AssemblyFilter,
    body: AssemblyInput,
  }),
  ...transitionCalls('assemblyform', assembly, ['submit', 'approve', 'reject', 'start', 'finish', 'cancel', 'reverse']),
};
