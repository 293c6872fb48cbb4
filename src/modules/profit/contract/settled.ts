import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Currency, Id, Instant, Money, Store } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { SettlementFilter } from '#modules/settlement/contract/settlements.ts';
import { EXPORT, ProfitFilter, ProfitRow, SORTABLE, VIEW } from './report.ts';

/** One row for a SKU, for a SKU in a store, or for a SKU in a settlement. */
export const SETTLED_VIEWS = { sku: 'SKU详情', store: 'SKU-店铺', settlement: '账期SKU' } as const;
export type SettledView = keyof typeof SETTLED_VIEWS;

const report = ProfitRow.shape;
const OPTIONAL = { optional: true };

/**
 * Money of whole settlements: of a SKU, or of the store itself where it names none. It counts in the store of its
 * settlement, whatever site it came from; amounts have the seller's sign.
 */
export const SettledRow = z.object({
  /** "<settlement document>\t<id of the row in the profit report>". */
  id: report.id,
  /** '' is the money without a SKU; null never occurs. */
  sku: report.sku,
  storeKey: report.storeKey,
  fxMissing: report.fxMissing,
  /** The settlement of the row; null where a row stands for several. */
  documentId: Id.nullable().meta({ title: '账期', hidden: true }),
  product: report.product,
  settlementId: z.string().nullable().meta({ title: '结算编号', kind: 'code', width: 130, pinned: 'left' }),
  store: report.store,
  endAt: Instant.nullable().meta({ title: '周期结束', width: 112 }),
  depositAt: Instant.nullable().meta({ title: '转账日期', width: 112, optional: true }),
  currency: report.currency.meta({ optional: false }),
  units: report.units,
  orders: report.orders,
  sales: report.sales,
  refundUnits: report.refundUnits.meta({ optional: false }),
  refund: report.refund.meta({ title: '退款金额' }),
  refundRate: report.refundRate,
  promotion: report.promotion,
  netSales: report.netSales.meta(OPTIONAL),
  commission: report.commission,
  refundFee: report.refundFee,
  fba: report.fba,
  otherFee: report.otherFee,
  storageShare: report.storageShare.meta({ title: '店铺仓储费', tip: '没有 SKU 的仓储费，只在「店铺费用」一行' }),
  otherShare: report.otherShare.meta({ title: '店铺其它收支', tip: '没有 SKU 的其它收支，只在「店铺费用」一行' }),
  ads: report.ads.meta({ tip: '结算中的广告扣款，没有 SKU 的在「店铺费用」一行' }),
  reimbursement: report.reimbursement,
  tax: report.tax,
  unmapped: report.unmapped,
  platformNet: report.platformNet.meta({ tip: '以上各项之和；一个账期所有行的合计 = 存款总计 − 往来' }),
  cogs: report.cogs.meta({ tip: '发货件数 × 当日有效的采购单价，按账期结束当月的汇率换算' }),
  costMissing: report.costMissing,
  profit: report.profit.meta({ tip: 'SKU结算 − 采购成本' }),
  margin: report.margin,
});
export type SettledRow = z.infer<typeof SettledRow>;

const ofSettlement = {
  settlementId: SettledRow.shape.settlementId.meta({ hidden: true }),
  endAt: SettledRow.shape.endAt.meta({ hidden: true }),
  depositAt: SettledRow.shape.depositAt.meta({ hidden: true }),
};
/** The row as each view shows it: what a row is not one of has no column. */
export const SETTLED_ROWS = {
  sku: SettledRow.extend({ ...ofSettlement, store: SettledRow.shape.store.meta({ hidden: true }) }),
  store: SettledRow.extend(ofSettlement),
  settlement: SettledRow,
} satisfies Record<SettledView, z.ZodObject>;

const { stores, date, skus, currency } = ProfitFilter.shape;

export const SettledFilter = z.object({
  view: Choice(SETTLED_VIEWS, '视图'),
  /** Stores of the settlements themselves. */
  stores,
  dateType: SettlementFilter.shape.dateType,
  /** Days on which settlements ended or were paid out; the last thirty where left out. */
  date,
  /** A number stands for itself: the dates do not narrow it. */
  settlementId: z.string().trim().max(60).meta({ title: '结算编号' }),
  /** Seller SKUs; '' is the money without one. */
  skus,
  currency,
});
const AnySettledFilter = SettledFilter.partial();
export type SettledFilter = z.infer<typeof AnySettledFilter>;

const base = '/amazon/api/v1/settlementSku';
/** Figures of the report that settlements do not have: costs of documents, and days. */
const NOT_SETTLED = ['fees', 'roi', 'settledShare', 'day', 'month'];

/**
 * Best sellers first. An amount without a rate is null; `totals` is the whole filter in one currency, CNY where rows have
 * several.
 */
export const listSettled = endpoint({
  title: '账期SKU列表',
  method: 'POST',
  path: `${base}/list`,
  permission: VIEW,
  access: 'read',
  body: PageQuery(SettledFilter),
  sortable: SORTABLE.filter((key) => !NOT_SETTLED.includes(key)),
  reply: Page(SettledRow),
});

export const exportSettled = endpoint({
  title: '导出账期SKU',
  method: 'POST',
  path: `${base}/export`,
  permission: EXPORT,
  access: 'read',
  body: ExportQuery(SettledFilter),
  file: true,
  reply: z.unknown(),
});

/** A settlement in its own currency: `total` = `rows` + `balances` + `gap`, which is 0. */
export const SettledProof = z.object({
  documentId: Id,
  settlementId: z.string(),
  store: Store,
  currency: Currency,
  /** What the file says was paid out. */
  total: Money,
  /** All rows of this page, whatever SKU is asked for. */
  rows: Money,
  /** Balances between Amazon and the seller, which are nobody's income: reserves, failed transfers, loans. */
  balances: Money,
  gap: Money,
});
export type SettledProof = z.infer<typeof SettledProof>;

/** The proof of the settlements with the number that is asked for; none without a number. */
export const proveSettled = endpoint({
  title: '账期SKU核对',
  method: 'POST',
  path: `${base}/proof`,
  permission: VIEW,
  access: 'read',
  body: z.object({ filter: AnySettledFilter.default({}) }),
  reply: z.object({ proofs: z.array(SettledProof) }),
});
