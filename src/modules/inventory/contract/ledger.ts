import { z } from 'zod';
import { Day, Instant, OptionalText, Quantity } from '#kit/contract/field.ts';
import { choice, code, DISPOSITIONS, figureOf, goods, goodsFilter, listOf, pieces, word } from './facts.ts';

/** Kinds of movement as the ledger names them; one that is not known is shown as it is written. */
export const EVENTS = {
  Receipts: choice('入库接收'),
  Shipments: choice('订单出库'),
  CustomerReturns: choice('买家退货'),
  VendorReturns: choice('移除退回'),
  WhseTransfers: choice('仓间调拨'),
  Adjustments: choice('库存调整'),
};

/** Reasons of adjustments as Amazon codes them. */
export const REASONS = {
  M: choice('丢失'),
  F: choice('找到'),
  E: choice('仓库损坏'),
  D: choice('弃置'),
  H: choice('买家损坏'),
  K: choice('有瑕疵'),
  U: choice('买家退货不可售'),
  N: choice('转出其他账户'),
  O: choice('从其他账户转入'),
  P: choice('转为不可售'),
  Q: choice('转为可售'),
  3: choice('商品重新定义（转出）'),
  4: choice('商品重新定义（转入）'),
};

const disposition = word('库存属性', DISPOSITIONS, 96);

export const MovementRow = z.object({
  ...goods,
  happenedAt: Instant.nullable().meta({ title: '发生时间', width: 130, optional: true }),
  event: word('事件', EVENTS, 96),
  quantity: pieces('数量').meta({ good: 'up' }),
  disposition,
  reason: word('原因', REASONS, 110),
  centre: code('仓库', 84),
  reference: code('参考编号', 150),
  country: code('国家', 70),
  reconciled: Quantity.nullable().meta({ title: '已核销', width: 80, optional: true }),
  unreconciled: Quantity.nullable().meta({ title: '未核销', width: 80, optional: true }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type MovementRow = z.infer<typeof MovementRow>;

const oneOf = (title: string) => z.array(z.string().max(60)).max(20).meta({ title, kind: 'choice' });

export const MovementFilter = z.object({
  ...goodsFilter,
  events: oneOf('事件'),
  dispositions: oneOf('库存属性'),
  reasons: oneOf('原因').meta({ optional: true }),
  centre: OptionalText(20, '仓库').meta({ optional: true }),
  reference: OptionalText(60, '参考编号').meta({ optional: true }),
});
const AnyMovementFilter = MovementFilter.partial();
export type MovementFilter = z.infer<typeof AnyMovementFilter>;

/**
 * Opening balance + movements = closing balance of a filter. The balances come from the daily summary, the movements from
 * the detail: two reports of Amazon's, so the difference says whether one of them lacks something. Null where the filter
 * names kinds of movement, of which there is no balance.
 */
export const LedgerProof = z.object({
  starting: Quantity.nullable(),
  ending: Quantity.nullable(),
  moved: Quantity,
  /** starting + moved - ending. */
  difference: Quantity.nullable(),
  byEvent: z.array(z.object({ event: z.string(), quantity: Quantity })),
});
export type LedgerProof = z.infer<typeof LedgerProof>;

const detail = '/amazon/api/v1/inventory/ledger';
export const movements = listOf({
  title: 'FBA库存明细',
  path: detail,
  row: MovementRow,
  filter: MovementFilter,
  sortable: ['day', 'product', 'happenedAt', 'event', 'quantity'],
});
export const proveLedger = figureOf('FBA库存收支', `${detail}/proof`, MovementFilter, LedgerProof);

export const BalanceRow = z.object({
  ...goods,
  disposition,
  starting: pieces('期初'),
  receipts: pieces('接收'),
  shipments: pieces('订单出库'),
  customerReturns: pieces('买家退货'),
  vendorReturns: pieces('移除退回'),
  transfers: pieces('调拨'),
  found: pieces('找到', 70),
  lost: pieces('丢失', 70),
  damaged: pieces('损坏', 70),
  disposed: pieces('弃置', 70),
  other: pieces('其他', 70),
  ending: pieces('期末'),
  inTransit: pieces('调拨在途').meta({ tip: '当日结束时在仓库之间的件数，不计入期末' }),
  gap: pieces('差额', 70).meta({ tip: '期初加各项变动减期末；不为 0 表示亚马逊报告自身不平' }),
  fnsku: code('FNSKU', 120).meta({ optional: true }),
});
export type BalanceRow = z.infer<typeof BalanceRow>;

export const BalanceFilter = z.object({
  ...goodsFilter,
  dispositions: oneOf('库存属性'),
  odd: z.boolean().meta({ title: '只看不平', optional: true }),
});
const AnyBalanceFilter = BalanceFilter.partial();
export type BalanceFilter = z.infer<typeof AnyBalanceFilter>;

/** Closing balances of a filter by day; a day without a report is left out, never zero. */
export const BalanceDay = z.object({ day: Day, sellable: Quantity, unsellable: Quantity, inTransit: Quantity });

const daily = '/amazon/api/v1/inventory/ledgerDay';
export const balances = listOf({
  title: 'FBA每日库存',
  path: daily,
  row: BalanceRow,
  filter: BalanceFilter,
  sortable: [
    'day',
    'product',
    'starting',
    'receipts',
    'shipments',
    'customerReturns',
    'vendorReturns',
    'transfers',
    'found',
    'lost',
    'damaged',
    'disposed',
    'ending',
    'inTransit',
  ],
});
export const chartBalances = figureOf('FBA每日库存走势', `${daily}/chart`, BalanceFilter, z.array(BalanceDay));
