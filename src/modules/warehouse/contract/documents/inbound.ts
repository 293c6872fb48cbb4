import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command } from '#kit/contract/document-calls.ts';
import { Choice, Id, States } from '#kit/contract/field.ts';
import { command, documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { HeadInput, HeadRow, LineInput, Pieces } from './fields.ts';
import { BY_FLOW, lines, review, STAMPS, UNDER_REVIEW } from './review.ts';

const ADD = 'erp:wh:in:add';
const AUDIT = 'erp:wh:in:audit';
const RECEIVE = 'erp:wh:in:receive';

const STATES = {
  ...UNDER_REVIEW,
  receiving: { title: '待收货', tone: 'running' },
  partial: { title: '部分收货', tone: 'running' },
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已撤销', tone: 'off' },
} as const;
export const InboundState = States(STATES);

export const InboundType = Choice({ PURCHASE: '采购入库', RETURN: '退货入库', OTHER: '其他入库' }, '入库类型');
export type InboundType = z.infer<typeof InboundType>;

/** 入库单: pieces that come from outside; each receipt is a posting. */
export const inbound = documentType({
  name: 'warehouse.inbound',
  title: '入库单',
  number: 'RK{yyMMdd}{seq:4}',
  detail: '/e/w/i/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    ...review({ add: ADD, audit: AUDIT, to: 'receiving', consequence: '通过后计入待入库，等待收货' }),
    receive: { title: '收货', from: ['receiving', 'partial'], to: 'partial', permission: RECEIVE, internal: true },
    receiveAll: { title: '收货完成', from: ['receiving', 'partial'], to: 'done', permission: RECEIVE, internal: true },
    close: {
      title: '结束收货',
      from: ['partial'],
      to: 'done',
      permission: RECEIVE,
      reason: true,
      consequence: '未到的数量不再等待，待入库释放',
    },
    cancel: {
      title: '撤销',
      from: ['draft', 'pending', 'rejected', 'receiving'],
      to: 'cancelled',
      permission: ADD,
      consequence: '撤销后单据保留，不再收货',
    },
    reverse: {
      title: '撤销入库',
      from: ['done'],
      to: 'cancelled',
      permission: 'erp:wh:in:reverse',
      reason: true,
      consequence: '收货全部冲回，库存已被使用时不能撤销',
    },
  },
  approval: BY_FLOW,
});

export const InboundRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: InboundType.meta({ width: 100 }), state: InboundState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      partner: true,
      skuCount: true,
      qty: true,
      doneQty: true,
      amount: true,
      plannedOn: true,
      remark: true,
      ...STAMPS,
    }).shape,
  )
  .extend({
    partner: HeadRow.shape.partner.meta({ title: '供方', width: 140 }),
    doneQty: HeadRow.shape.doneQty.meta({ title: '已收', kind: 'integer', width: 90 }),
  });
export type InboundRow = z.infer<typeof InboundRow>;
export const InboundFilter = documentFilter(InboundState, InboundType);

export const InboundInput = HeadInput.pick({
  id: true,
  version: true,
  warehouseId: true,
  partner: true,
  plannedOn: true,
  remark: true,
}).extend({
  type: InboundType.default('PURCHASE'),
  lines: lines(LineInput.omit({ toProductId: true, fee: true, qtyPer: true })),
});

/** A receipt; a second one with the same `clientId` changes nothing. */
export const ReceiveInput = Command.extend({
  clientId: z.string().trim().min(1).max(100).optional().meta({ title: '收货标识' }),
  lines: lines(
    z.object({
      lineId: Id.meta({ title: '明细行' }),
      qty: Pieces,
      locationId: Id.nullable().optional().meta({ title: '库位' }),
      lotNo: z.string().trim().max(60).optional().meta({ title: '批次' }),
      expiresAt: z.iso.date().nullable().optional().meta({ title: '效期' }),
    }),
  ),
});

export const inboundCalls = {
  ...documentCalls({
    path: 'inwform',
    def: inbound,
    add: ADD,
    row: InboundRow,
    filter: InboundFilter,
    body: InboundInput,
  }),
  ...transitionCalls('inwform', inbound, ['submit', 'approve', 'reject', 'close', 'cancel', 'reverse']),
  receive: command('inwform/receive', '入库单·收货', RECEIVE, ReceiveInput),
};
