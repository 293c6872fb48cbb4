import { z } from 'zod';
import { Box } from '#kit/contract/box.ts';
import { documentType } from '#kit/contract/document.ts';
import { Command } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, States } from '#kit/contract/field.ts';
import { ById, command, documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { base, Counted, HeadInput, HeadRow, LineInput, Pieces, VIEW, Words } from './fields.ts';
import { BY_FLOW, lines, review, STAMPS, UNDER_REVIEW } from './review.ts';
import { TransferReceipt } from './transfer.ts';

const ADD = 'erp:wh:oversea:add';
const AUDIT = 'erp:wh:oversea:audit';
export const SHIP = 'erp:wh:oversea:ship';
const RECEIVE = 'erp:wh:oversea:receive';

const STATES = {
  ...UNDER_REVIEW,
  allocating: { title: '配货中', tone: 'running' },
  packing: { title: '装箱', tone: 'running' },
  shipped: { title: '已发货', tone: 'running' },
  partial: { title: '部分收货', tone: 'running' },
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已取消', tone: 'off' },
} as const;
export const OverseasState = States(STATES);
export const Transport = Choice({ SEA: '海运', AIR: '空运', EXPRESS: '快递', RAIL: '铁路', TRUCK: '卡航' }, '运输方式');

/** 海外仓备货单: pieces from home to a warehouse abroad, in boxes, received in parts. */
export const overseas = documentType({
  name: 'warehouse.overseas',
  title: '海外仓备货单',
  number: 'HW{yyMMdd}{seq:4}',
  detail: '/e/w/os/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    ...review({ add: ADD, audit: AUDIT, to: 'allocating', consequence: '通过后占用发货仓库存，海外仓计入待入库' }),
    pack: {
      title: '完成配货',
      from: ['allocating'],
      to: 'packing',
      permission: SHIP,
      primary: true,
      consequence: '配货完成后填写装箱数据',
    },
    unpack: { title: '退回配货', from: ['packing'], to: 'allocating', permission: SHIP },
    ship: {
      title: '发货',
      from: ['packing'],
      to: 'shipped',
      permission: SHIP,
      primary: true,
      consequence: '发货后转为在途，运费按头程分摊进成本',
    },
    receive: { title: '收货', from: ['shipped', 'partial'], to: 'partial', permission: RECEIVE, internal: true },
    receiveAll: { title: '收货完成', from: ['shipped', 'partial'], to: 'done', permission: RECEIVE, internal: true },
    close: {
      title: '结束收货',
      from: ['shipped', 'partial'],
      to: 'done',
      permission: AUDIT,
      reason: true,
      consequence: '未到的数量记为丢失，成本一并转出',
    },
    cancel: {
      title: '撤销',
      from: ['draft', 'pending', 'rejected', 'allocating', 'packing'],
      to: 'cancelled',
      permission: ADD,
      consequence: '撤销后释放占用的库存',
    },
  },
  approval: BY_FLOW,
});

export const OverseasRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: Transport.meta({ width: 90 }), state: OverseasState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      toWarehouse: true,
      toWarehouseId: true,
      country: true,
      partner: true,
      boxes: true,
      skuCount: true,
      qty: true,
      doneQty: true,
      freight: true,
      otherFee: true,
      feeSplit: true,
      carrier: true,
      channel: true,
      trackingNo: true,
      departedOn: true,
      landedOn: true,
      plannedOn: true,
      remark: true,
      ...STAMPS,
    }).shape,
  )
  .extend({
    warehouse: HeadRow.shape.warehouse.meta({ title: '发货仓', width: 130 }),
    toWarehouse: HeadRow.shape.toWarehouse.meta({ title: '海外仓', width: 130 }),
    partner: HeadRow.shape.partner.meta({ title: '店铺', width: 120 }),
    qty: HeadRow.shape.qty.meta({ title: '发货量', kind: 'integer', width: 90 }),
    doneQty: HeadRow.shape.doneQty.meta({ title: '已收', kind: 'integer', width: 90 }),
    carrier: HeadRow.shape.carrier.meta({ title: '物流商', width: 110 }),
    plannedOn: HeadRow.shape.plannedOn.meta({ title: '预计到仓', width: 110 }),
  });
export type OverseasRow = z.infer<typeof OverseasRow>;
export const OverseasFilter = documentFilter(OverseasState, Transport);

/** What is known of the way; written until the document is over. */
const Way = z.object({
  carrier: Words(100, '物流商'),
  channel: Words(100, '渠道'),
  trackingNo: Words(100, '物流单号'),
  departedOn: Day.nullable().default(null).meta({ title: '出港日期' }),
  landedOn: Day.nullable().default(null).meta({ title: '到港日期' }),
  plannedOn: Day.nullable().default(null).meta({ title: '预计到仓' }),
});

export const OverseasInput = z.object({
  ...HeadInput.pick({ id: true, version: true }).shape,
  warehouseId: z.uuid('请选择发货仓').meta({ title: '发货仓' }),
  toWarehouseId: z.uuid('请选择海外仓').meta({ title: '海外仓' }),
  type: Transport.default('SEA'),
  partner: Words(100, '店铺'),
  ...Way.shape,
  ...HeadInput.pick({ freight: true, otherFee: true, feeSplit: true, remark: true }).shape,
  lines: lines(LineInput.pick({ productId: true, qty: true, locationId: true, fee: true, reason: true })),
});

/** All boxes of a document in the order of their numbers, from 1. */
export const PackInput = Command.extend({
  boxes: z.array(Box).max(5000).meta({ title: '箱' }),
});

/** What arrived of each line altogether, as the warehouse abroad counts it; less than before takes pieces back. */
export const TotalsInput = Command.extend({
  lines: lines(z.object({ lineId: Id.meta({ title: '明细行' }), total: Counted.meta({ title: '累计收货' }) })),
});

/** Pieces of each line that go into a document of their own. */
export const SplitInput = Command.extend({
  lines: lines(z.object({ lineId: Id.meta({ title: '明细行' }), qty: Pieces })),
});

const PATH = 'dispatch/oversea';

export const overseasCalls = {
  ...documentCalls({
    path: PATH,
    def: overseas,
    add: ADD,
    row: OverseasRow,
    filter: OverseasFilter,
    body: OverseasInput,
  }),
  ...transitionCalls(PATH, overseas, ['submit', 'approve', 'reject', 'pack', 'unpack', 'ship', 'close', 'cancel']),
  receive: command(`${PATH}/receive`, '海外仓备货单·收货', RECEIVE, TransferReceipt),
  totals: command(`${PATH}/totals`, '海外仓备货单·更正累计收货', RECEIVE, TotalsInput),
  split: command(`${PATH}/split`, '海外仓备货单·拆分', ADD, SplitInput),
  putBoxes: command(`${PATH}/boxes`, '海外仓备货单·装箱', SHIP, PackInput),
  putWay: command(`${PATH}/way`, '海外仓备货单·物流信息', SHIP, Command.extend(Way.shape)),
  boxes: endpoint({
    title: '海外仓备货单装箱数据',
    method: 'GET',
    path: `${base}/dispatch/oversea/boxes/:id`,
    permission: VIEW,
    params: ById,
    reply: z.array(Box),
  }),
  marks: endpoint({
    title: '打印海外仓备货单箱唛',
    method: 'GET',
    path: `${base}/dispatch/oversea/marks/:id`,
    permission: VIEW,
    params: ById,
    file: true,
    reply: z.unknown(),
  }),
};
