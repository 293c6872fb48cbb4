import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Command } from '#kit/contract/document-calls.ts';
import { Choice, Id, States } from '#kit/contract/field.ts';
import { command, documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { HeadInput, HeadRow, LineInput, Pieces } from './fields.ts';
import { BY_FLOW, lines, review, STAMPS, UNDER_REVIEW } from './review.ts';

const ADD = 'erp:wh:transfer:add';
const AUDIT = 'erp:wh:transfer:audit';
const SHIP = 'erp:wh:transfer:ship';
const RECEIVE = 'erp:wh:transfer:receive';

const STATES = {
  ...UNDER_REVIEW,
  allocating: { title: '配货中', tone: 'running' },
  shipped: { title: '已发货', tone: 'running' },
  partial: { title: '部分收货', tone: 'running' },
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已取消', tone: 'off' },
} as const;
export const TransferState = States(STATES);

export const TransferType = Choice(
  { TRANSFER: '调拨', SCRAP: '报废', REPAIR: '修复', INSPECT: '送检', ACCEPT: '验收入库', RETURN: '海外退货' },
  '调库类型',
);
export type TransferType = z.infer<typeof TransferType>;

/** Which qualities a type moves between. */
export const WAYS: Record<TransferType, { from: readonly string[]; to: readonly string[]; words: string }> = {
  TRANSFER: { from: ['GOOD'], to: ['GOOD'], words: '调拨在正品仓之间进行' },
  SCRAP: { from: ['GOOD', 'QC'], to: ['DEFECTIVE'], words: '报废须由正品仓或待检仓调入次品仓' },
  REPAIR: { from: ['DEFECTIVE'], to: ['GOOD'], words: '修复须由次品仓调入正品仓' },
  INSPECT: { from: ['GOOD'], to: ['QC'], words: '送检须由正品仓调入待检仓' },
  ACCEPT: { from: ['QC'], to: ['GOOD'], words: '验收入库须由待检仓调入正品仓' },
  RETURN: { from: ['GOOD'], to: ['GOOD', 'QC', 'DEFECTIVE'], words: '海外退货须由海外正品仓调入本地仓' },
};

/** 调库单: pieces from one warehouse of ours to another, over the way between them. */
export const transfer = documentType({
  name: 'warehouse.transfer',
  title: '调库单',
  number: 'DB{yyMMdd}{seq:4}',
  detail: '/e/w/t/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    ...review({ add: ADD, audit: AUDIT, to: 'allocating', consequence: '通过后占用调出仓库存，调入仓计入待入库' }),
    ship: {
      title: '发货',
      from: ['allocating'],
      to: 'shipped',
      permission: SHIP,
      primary: true,
      consequence: '发货后转为在途，运费分摊进成本',
    },
    receive: { title: '收货', from: ['shipped', 'partial'], to: 'partial', permission: RECEIVE, internal: true },
    receiveAll: { title: '收货完成', from: ['shipped', 'partial'], to: 'done', permission: RECEIVE, internal: true },
    close: {
      title: '差异关闭',
      from: ['shipped', 'partial'],
      to: 'done',
      permission: AUDIT,
      reason: true,
      consequence: '未到的数量记为丢失，成本一并转出',
    },
    direct: {
      title: '直接完成',
      from: ['pending', 'allocating'],
      to: 'done',
      permission: 'erp:wh:transfer:direct',
      consequence: '发货和全部收货一次完成',
    },
    cancel: {
      title: '撤销',
      from: ['draft', 'pending', 'rejected', 'allocating'],
      to: 'cancelled',
      permission: ADD,
      consequence: '撤销后释放占用的库存',
    },
  },
  approval: BY_FLOW,
});

export const TransferRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: TransferType.meta({ width: 100 }), state: TransferState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      toWarehouse: true,
      toWarehouseId: true,
      skuCount: true,
      qty: true,
      doneQty: true,
      freight: true,
      otherFee: true,
      feeSplit: true,
      carrier: true,
      trackingNo: true,
      plannedOn: true,
      remark: true,
      ...STAMPS,
    }).shape,
  )
  .extend({
    warehouse: HeadRow.shape.warehouse.meta({ title: '调出仓库', width: 140 }),
    doneQty: HeadRow.shape.doneQty.meta({ title: '已收', kind: 'integer', width: 90 }),
    plannedOn: HeadRow.shape.plannedOn.meta({ title: '预计到货', width: 110 }),
  });
export type TransferRow = z.infer<typeof TransferRow>;
export const TransferFilter = documentFilter(TransferState, TransferType);

export const TransferInput = HeadInput.omit({ partner: true }).extend({
  warehouseId: z.uuid('请选择调出仓库').meta({ title: '调出仓库' }),
  type: TransferType.default('TRANSFER'),
  lines: lines(LineInput.pick({ productId: true, qty: true, locationId: true, fee: true, reason: true })),
});

/** A receipt at the other end; a second one with the same `clientId` changes nothing. */
export const TransferReceipt = Command.extend({
  clientId: z.string().trim().min(1).max(100).optional().meta({ title: '收货标识' }),
  lines: lines(
    z.object({
      lineId: Id.meta({ title: '明细行' }),
      qty: Pieces,
      locationId: Id.nullable().optional().meta({ title: '库位' }),
    }),
  ),
});

export const transferCalls = {
  ...documentCalls({
    path: 'dispatchform',
    def: transfer,
    add: ADD,
    row: TransferRow,
    filter: TransferFilter,
    body: TransferInput,
  }),
  ...transitionCalls('dispatchform', transfer, ['submit', 'approve', 'reject', 'ship', 'close', 'direct', 'cancel']),
  receive: command('dispatchform/receive', '调库单·收货', RECEIVE, TransferReceipt),
};
