import { FEE_CODES, sectionOf } from '#modules/settlement/contract/fees.ts';

/** Amount columns of the rollup and the fee codes that each one gathers. */
export const GROUPS = {
  principal: ['PRINCIPAL'],
  shipping: ['SHIPPING', 'GIFTWRAP'],
  promotion: ['PROMOTION'],
  ship_back: ['SHIP_CHARGEBACK'],
  refund: ['REFUND_PRINCIPAL', 'REFUND_SHIPPING', 'CHARGEBACK', 'A2Z'],
  refund_fee: ['REFUND_FEE_BACK', 'REFUND_ADMIN', 'RESTOCKING', 'GOODWILL'],
  commission: ['COMMISSION', 'CLOSING'],
  dsf: ['DSF'],
  fulfil: ['FBA_FULFIL', 'FBA_MCF'],
  fba_other: ['FBA_INBOUND', 'FBA_REMOVAL', 'FBA_RETURN', 'PREP'],
  storage: ['FBA_STORAGE', 'FBA_AGED', 'AWD'],
  marketing: ['COUPON', 'DEAL', 'VINE'],
  other_fee: ['SUBSCRIPTION', 'OTHER_FEE'],
  ads: ['AD_CASH'],
  reimbursement: Object.keys(FEE_CODES).filter((code) => sectionOf(code) === 'REIMBURSEMENT'),
  tax: Object.keys(FEE_CODES).filter((code) => sectionOf(code) === 'TAX'),
} as const satisfies Record<string, readonly string[]>;
export type MappedGroup = keyof typeof GROUPS;

/** `unmapped` takes every code that no other group has: nothing that counts may fall through. */
export type Group = MappedGroup | 'unmapped';
export const ALL_GROUPS = [...(Object.keys(GROUPS) as MappedGroup[]), 'unmapped'] as const satisfies readonly Group[];

/** Every fee code that belongs to a named group. */
export const MAPPED_CODES: readonly string[] = Object.values(GROUPS).flat();

/** Whether a figure counts money of the SKU itself, its part of the store's money, or both. */
export type Scope = 'DIRECT' | 'SHARE' | 'BOTH';

export interface Figure {
  title: string;
  groups: readonly Group[];
  scope: Scope;
}

const SHARED_APART: readonly Group[] = ['storage', 'ads'];

/**
 * The amounts of the report. Each column of the rollup stands in exactly one of them for each scope, so that together
 * they are all the money: platform net ("SKU结算").
 */
export const FIGURES = {
  sales: { title: '销售额', groups: ['principal', 'shipping'], scope: 'DIRECT' },
  promotion: { title: '促销', groups: ['promotion', 'ship_back'], scope: 'DIRECT' },
  refund: { title: '退款', groups: ['refund'], scope: 'DIRECT' },
  commission: { title: '佣金', groups: ['commission', 'dsf'], scope: 'DIRECT' },
  refundFee: { title: '退款费用', groups: ['refund_fee'], scope: 'DIRECT' },
  fba: { title: 'FBA费用', groups: ['fulfil', 'fba_other', 'storage'], scope: 'DIRECT' },
  otherFee: { title: '其它费用', groups: ['marketing', 'other_fee'], scope: 'DIRECT' },
  storageShare: { title: '店铺分摊_仓储', groups: ['storage'], scope: 'SHARE' },
  otherShare: {
    title: '店铺分摊_其它',
    groups: ALL_GROUPS.filter((group) => !SHARED_APART.includes(group)),
    scope: 'SHARE',
  },
  ads: { title: '广告费', groups: ['ads'], scope: 'BOTH' },
  reimbursement: { title: '赔偿', groups: ['reimbursement'], scope: 'DIRECT' },
  tax: { title: '代收税', groups: ['tax'], scope: 'DIRECT' },
  unmapped: { title: '待归类', groups: ['unmapped'], scope: 'DIRECT' },
} as const satisfies Record<string, Figure>;
export type FigureKey = keyof typeof FIGURES;
export const FIGURE_KEYS = Object.keys(FIGURES) as FigureKey[];

/** Figures that make up the net sales: gross sales less promotions and what went back to buyers. */
export const NET_SALES: readonly FigureKey[] = ['sales', 'promotion', 'refund'];

/** Figures that are fees of the platform, for the strip above the report. */
export const PLATFORM_FEES: readonly FigureKey[] = [
  'commission',
  'refundFee',
  'fba',
  'otherFee',
  'storageShare',
  'otherShare',
  'unmapped',
];

/** Rollup columns of the net sales: the base by which money of the whole store is shared. */
export const NET_SALES_GROUPS: readonly Group[] = ['principal', 'shipping', 'promotion', 'ship_back', 'refund'];

/** Group of a fee code. */
export function groupOf(code: string): Group {
  const found = (Object.entries(GROUPS) as [MappedGroup, readonly string[]][]).find(([, codes]) =>
    codes.includes(code),
  );
  return found?.[0] ?? 'unmapped';
}
