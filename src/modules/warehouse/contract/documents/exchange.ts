import type { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Id, States } from '#kit/contract/field.ts';
import { documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { HeadInput, HeadRow, LineInput } from './fields.ts';
import { BY_FLOW, lines, review, STAMPS, UNDER_REVIEW } from './review.ts';

const ADD = 'erp:wh:exchange:add';
const AUDIT = 'erp:wh:exchange:audit';

const STATES = {
  ...UNDER_REVIEW,
  done: { title: '已完成', tone: 'done' },
  cancelled: { title: '已撤销', tone: 'off' },
} as const;
export const ExchangeState = States(STATES);
export const ExchangeType = Choice({ SWAP: '换货' }, '代料类型');

/** 代料单: pieces of one SKU become pieces of another, with their cost and age. */
export const exchange = documentType({
  name: 'warehouse.exchange',
  title: '代料单',
  number: 'HB{yyMMdd}{seq:4}',
  detail: '/e/w/e/d',
  states: STATES,
  initial: 'draft',
  transitions: {
    ...review({ add: ADD, audit: AUDIT, to: 'done', consequence: '通过后立即换货：成本和库龄随货转移' }),
    cancel: { title: '撤销', from: ['draft', 'pending', 'rejected'], to: 'cancelled', permission: ADD },
    reverse: {
      title: '撤销换货',
      from: ['done'],
      to: 'cancelled',
      permission: AUDIT,
      reason: true,
      consequence: '两个SKU的库存和成本原样退回',
    },
  },
  approval: BY_FLOW,
});

export const ExchangeRow = HeadRow.pick({ id: true, number: true })
  .extend({ type: ExchangeType.meta({ width: 80, optional: true }), state: ExchangeState.meta({ width: 100 }) })
  .extend(
    HeadRow.pick({
      warehouse: true,
      warehouseId: true,
      skuCount: true,
      qty: true,
      amount: true,
      remark: true,
      ...STAMPS,
    }).shape,
  );
export type ExchangeRow = z.infer<typeof ExchangeRow>;
export const ExchangeFilter = documentFilter(ExchangeState, ExchangeType);

export const ExchangeInput = HeadInput.pick({ id: true, version: true, warehouseId: true, remark: true }).extend({
  type: ExchangeType.default('SWAP'),
  lines: lines(
    LineInput.pick({ productId: true, qty: true, locationId: true, reason: true }).extend({
      toProductId: Id.meta({ title: '调入产品' }),
    }),
  ),
});

export const exchangeCalls = {
  ...documentCalls({
    path: 'changeform',
    def: exchange,
    add: ADD,
    row: ExchangeRow,
    filter: ExchangeFilter,
    body: ExchangeInput,
  }),
  ...transitionCalls('changeform', exchange, ['submit', 'approve', 'reject', 'cancel', 'reverse']),
};
