import { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { Choice, Id, States } from '#kit/contract/field.ts';
import { documentCalls, documentFilter, transitionCalls } from './calls.ts';
import { HeadInput, HeadRow, LineInput, MAX_LINES } from './fields.ts';

const ADD = 'erp:wh:exchange:add';
const AUDIT = 'erp:wh:exchange:audit';

const STATES = {
  draft: { title: '草稿', tone: 'off' },
  pending: { title: '待审核', tone: 'waiting' },
  rejected: { title: '已驳回', tone: 'trouble' },
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
    submit: {
      title: '提交',
      from: ['draft', 'rejected'],
      to: 'pending',
      permission: ADD,
      primary: true,
      consequence: '提交后由审核人审核，审核前不能修改',
    },
    approve: {
      title: '通过',
      from: ['pending'],
      to: 'done',
      permission: AUDIT,
      primary: true,
      consequence: '通过后立即换货：成本和库龄随货转移',
    },
    reject: { title: '驳回', from: ['pending'], to: 'rejected', permission: AUDIT, reason: true },
    withdraw: { title: '撤回', from: ['pending'], to: 'draft', permission: ADD, internal: true },
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
  approval: { submit: ['submit'], approve: 'approve', reject: 'reject', withdraw: 'withdraw', cancel: ['cancel'] },
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
      createdByName: true,
      createdAt: true,
      updatedByName: true,
      updatedAt: true,
      version: true,
    }).shape,
  );
export type ExchangeRow = z.infer<typeof ExchangeRow>;
export const ExchangeFilter = documentFilter(ExchangeState, ExchangeType);

export const ExchangeInput = HeadInput.pick({ id: true, version: true, warehouseId: true, remark: true }).extend({
  type: ExchangeType.default('SWAP'),
  lines: z
    .array(
      LineInput.pick({ productId: true, qty: true, locationId: true, reason: true }).extend({
        toProductId: Id.meta({ title: '调入产品' }),
      }),
    )
    .min(1, '至少添加一行数据')
    .max(MAX_LINES)
    .meta({ title: '明细' }),
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
