import { z } from 'zod';
import { compared } from '#kit/contract/compare.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Decimal, Id, Instant, Money } from '#kit/contract/field.ts';
import { ClaimState } from './claims.ts';
import { AMOUNTS, code, comparedOf, comparing, goods, goodsFilter, pieces, RowKey } from './facts.ts';
import { FeeAuditRow } from './fee-audit.ts';

const money = (title: string, width = 110) =>
  Money.meta({ title, currency: 'currency', permission: AMOUNTS, width, good: 'down' });
const currency = z.string().meta({ title: '币种', hidden: true });
const base = '/amazon/api/v1/inventory/feeAudit';

/**
 * What Amazon charged for sending a SKU in a period beside another one, by settlements and the transactions that none covers
 * yet. Fees that were given back and sales whose fee is not told yet are left out.
 */
export const ChargedSumRow = z.object({
  id: goods.id,
  product: goods.product,
  store: goods.store,
  ...compared('chargedFee', money('实收配送费')),
  ...compared('chargedUnits', pieces('实收件数', 90)),
  ...compared('perPiece', money('每件配送费').meta({ tip: 'Σ实收配送费 ÷ Σ件数' })),
  currency,
});
export type ChargedSumRow = z.infer<typeof ChargedSumRow>;

export const ChargedSumFilter = z.object({
  ...comparing,
  dates: goodsFilter.dates,
  sites: goodsFilter.sites,
  keyword: goodsFilter.keyword,
  skus: goodsFilter.skus,
});
const AnyFilter = ChargedSumFilter.partial();
export type ChargedSumFilter = z.infer<typeof AnyFilter>;

export const chargedSums = comparedOf({
  title: '实收配送费对比',
  path: `${base}/charged`,
  row: ChargedSumRow,
  filter: ChargedSumFilter,
});

/** A measurement of Amazon's, from the first report that told it; sides in cm, weight in kg. */
export const FeeMeasured = z.object({
  day: Day.meta({ title: '报告日期', width: 100 }),
  sides: z.string().nullable().meta({ title: '尺寸(cm)', width: 150 }),
  weight: Decimal.nullable().meta({ title: '重量(kg)', width: 84 }),
  tier: z.string().meta({ title: '尺寸分段', width: 150 }),
  fee: Money.nullable().meta({ title: 'FBA费', currency: 'currency', permission: AMOUNTS, width: 90 }),
  currency,
});
export type FeeMeasured = z.infer<typeof FeeMeasured>;

/** Fulfilment fees charged of a SKU in a month of its site. */
export const FeeCharged = z.object({
  month: Day.meta({ title: '月份', kind: 'month', width: 90 }),
  units: pieces('件数', 76),
  fee: Money.meta({ title: '实收配送费', currency: 'currency', permission: AMOUNTS, width: 110 }),
  perPiece: Money.meta({ title: '每件', currency: 'currency', permission: AMOUNTS, width: 90 }),
  currency,
});
export type FeeCharged = z.infer<typeof FeeCharged>;

/** A claim for another measurement of the SKU. */
export const FeeClaim = z.object({
  id: Id,
  number: code('索赔单号', 150),
  state: ClaimState.meta({ title: '状态', width: 90 }),
  eventDay: Day.meta({ title: '测量日期', width: 100 }),
  caseNo: z.string().meta({ title: 'Case', width: 110 }),
  updatedAt: Instant.meta({ title: '更新时间', width: 130 }),
});
export type FeeClaim = z.infer<typeof FeeClaim>;

/** All that is known of the fulfilment fee of one listing: newest first, a year of months at most. */
export const feeAuditDetail = endpoint({
  title: 'FBA费用详情',
  method: 'GET',
  path: `${base}/detail`,
  permission: 'amz:inventory:view',
  concurrent: true,
  query: z.object({ id: RowKey.min(1) }),
  reply: z.object({
    row: FeeAuditRow,
    measured: z.array(FeeMeasured),
    charged: z.array(FeeCharged),
    claims: z.array(FeeClaim),
  }),
});
