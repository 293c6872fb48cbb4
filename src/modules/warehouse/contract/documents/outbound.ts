import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command } from '#kit/contract/document-calls.ts';
import { Choice, Id, States } from '#kit/contract/field.ts';
import { command, documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { HeadInput, HeadRow, LineInput } from './fields.ts';
import { BY_FLOW, lines, review, STAMPS, UNDER_REVIEW } from './review.ts';

const ADD = 'erp:wh:out:add';
const AUDIT = 'erp:wh:out:audit';
const SHIP = 'erp:wh:out:ship';

const STATES = {
  ...UNDER_REVIEW,
  picking: { title: '待拣货', tone: 'running' },
  picked: { title: '已拣货', tone: 'running' },
  done: { title: '已出库', tone: 'done' },
  cancelled: { title: '已撤销', tone: 'off' },
} as const;
export const OutboundState = States(STATES);

export const OutboundType = Choice(
  { GOOD: '正品出库', CUSTOMER: '客户出库', OVERSEAS: '海外出库', SCRAP: '废品出库', QC: '验收退供' },
  '出库类型',
);
export type OutboundType = z.infer<typeof OutboundType>;

/** 出库单: pieces that leave the company; they are held from the approval on. */
export const outbound = documentType({
  name: 'warehouse.outbound',
  title: '出库单',
  number: 'CK{yyMMdd}{seq:4}',
  detail: '/e/w/o/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    ...review({ add: ADD, audit: AUDIT, to: 'picking', consequence: '通过后占用库存：可用转为待出库' }),
    pick: { title: '拣货', from: ['picking'], to: 'picking', permission: SHIP, internal: true },
    pickAll: { title: '拣货完成', from: ['picking'], to: 'picked', permission: SHIP, internal: true },
    ship: {
      title: '出库',
      from: ['picking', 'picked'],
      to: 'done',
      permission: SHIP,
      primary: true,
      consequence: '出库后库存减少，成本按先进先出结转',
    },
    cancel: {
      title: '撤销',
      from: ['draft', 'pending', 'rejected', 'picking', 'picked'],
      to: 'cancelled',
      permission: ADD,
      consequence: '撤销后释放占用的库存',
    },
    reverse: {
      title: '撤销出库',
      from: ['done'],
      to: 'cancelled',
      permission: 'erp:wh:out:reverse',
      reason: true,
      consequence: '库存和成本原样退回',
    },
  },
  approval: BY_FLOW,
});

export const OutboundRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: OutboundType.meta({ width: 100 }), state: OutboundState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      partner: true,
      carrier: true,
      trackingNo: true,
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
    partner: HeadRow.shape.partner.meta({ title: '收件人', width: 140 }),
    doneQty: HeadRow.shape.doneQty.meta({ title: '已出', kind: 'integer', width: 90 }),
    amount: HeadRow.shape.amount.meta({
      title: '出库成本',
      kind: 'money',
      currency: 'CNY',
      width: 120,
      permission: 'erp:inv:cost',
    }),
  });
export type OutboundRow = z.infer<typeof OutboundRow>;
export const OutboundFilter = documentFilter(OutboundState, OutboundType);

export const OutboundInput = HeadInput.pick({
  id: true,
  version: true,
  warehouseId: true,
  partner: true,
  carrier: true,
  trackingNo: true,
  plannedOn: true,
  remark: true,
}).extend({
  type: OutboundType.default('GOOD'),
  lines: lines(LineInput.pick({ productId: true, qty: true, locationId: true, reason: true })),
});

/** One scan; a second one with the same `clientId` changes nothing. */
export const PickInput = Command.extend({
  clientId: z.string().trim().min(1).max(100).optional().meta({ title: '扫描标识' }),
  lines: lines(
    z.object({
      lineId: Id.meta({ title: '明细行' }),
      qty: z.int().min(0).max(100_000_000).meta({ title: '拣货数' }),
      /** The rest is not to be found: it goes back to 可用 and the line becomes shorter. */
      short: z.boolean().default(false).meta({ title: '缺货' }),
    }),
  ),
});

export const outboundCalls = {
  ...documentCalls({
    path: 'outwform',
    def: outbound,
    add: ADD,
    row: OutboundRow,
    filter: OutboundFilter,
    body: OutboundInput,
  }),
  ...transitionCalls('outwform', outbound, ['submit', 'approve', 'reject', 'ship', 'cancel', 'reverse']),
  pick: command('outwform/pick', '出库单·拣货', SHIP, PickInput),
};
