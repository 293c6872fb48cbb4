/** Where an amount stands in the income statement. */
export const SECTIONS = {
  REVENUE: '收入',
  REFUND: '退款',
  FEE: '平台费',
  ADS: '广告',
  REIMBURSEMENT: '赔偿',
  TAX: '税',
  BALANCE: '往来',
  UNMAPPED: '待归类',
} as const;
export type PlSection = keyof typeof SECTIONS;

/**
 * What a section counts as when a settlement is proved: income statement, clearing (paid here, booked by another
 * source), tax that only passes through, or a balance between Amazon and the seller, which is never profit.
 */
export type PlClass = 'PNL' | 'CLEARING' | 'TAX' | 'BALANCE';

export const PL_CLASS_NAMES: Record<PlClass, string> = {
  PNL: '损益',
  CLEARING: '清算（广告）',
  TAX: '代收代缴税',
  BALANCE: '往来',
};

/** Class of a section. What is not mapped yet counts in profit, so that nothing disappears. */
export function classOf(section: PlSection): PlClass {
  if (section === 'ADS') return 'CLEARING';
  if (section === 'TAX') return 'TAX';
  return section === 'BALANCE' ? 'BALANCE' : 'PNL';
}

interface FeeCodeDef {
  title: string;
  section: PlSection;
}

const codes = <S extends PlSection, const T extends Record<string, string>>(section: S, titles: T) =>
  Object.fromEntries(Object.entries(titles).map(([code, title]) => [code, { title, section }])) as {
    [K in keyof T & string]: { title: string; section: S };
  };

/** Every fee code with its Chinese name and its section. */
export const FEE_CODES = {
  ...codes('REVENUE', {
    PRINCIPAL: '销售额',
    SHIPPING: '买家运费',
    GIFTWRAP: '礼品包装',
    PROMOTION: '促销',
    SHIP_CHARGEBACK: '运费冲回',
  }),
  ...codes('REFUND', {
    REFUND_PRINCIPAL: '退款金额',
    REFUND_SHIPPING: '退回运费与包装',
    REFUND_FEE_BACK: '退回佣金',
    REFUND_ADMIN: '退款管理费',
    RESTOCKING: '重新入库费',
    GOODWILL: '善意补偿',
    CHARGEBACK: '信用卡拒付',
    A2Z: 'A-to-z索赔',
  }),
  ...codes('FEE', {
    COMMISSION: '佣金',
    CLOSING: '结算费',
    DSF: '数字服务费',
    FBA_FULFIL: 'FBA配送费',
    FBA_MCF: '多渠道配送费',
    FBA_STORAGE: '月仓储费',
    FBA_AGED: '超龄库存费',
    FBA_INBOUND: '入库费',
    FBA_REMOVAL: '移除弃置费',
    FBA_RETURN: '退货处理费',
    SUBSCRIPTION: '店铺月租',
    COUPON: '折扣券费',
    DEAL: '秒杀费',
    VINE: 'Vine计划费',
    AWD: 'AWD仓储费',
    PREP: '预处理费',
    OTHER_FEE: '其它费用',
  }),
  ...codes('ADS', { AD_CASH: '广告费' }),
  ...codes('REIMBURSEMENT', {
    REIMB_LOST: '库存丢失赔偿',
    REIMB_DAMAGED: '库存损坏赔偿',
    REIMB_INBOUND: '入库丢失赔偿',
    REIMB_FEE: '费用更正赔偿',
    REIMB_CLAWBACK: '赔偿追回',
    REIMB_OTHER: '其它赔偿',
    LIQUIDATION: '清算收入',
  }),
  ...codes('TAX', { TAX_COLLECTED: '代收税', TAX_WITHHELD: '平台代扣税', LVG_TAX: '低值商品税', TDS: '源头预扣税' }),
  ...codes('BALANCE', {
    RESERVE_PREV: '上期预留返还',
    RESERVE_CURR: '本期预留',
    PAYABLE_TO_AMAZON: '应付亚马逊',
    SUCCESSFUL_CHARGE: '信用卡扣款',
    TRANSFER_FAILED: '转账失败退回',
    MICRO_DEPOSIT: '账户验证款',
    LOAN: '亚马逊贷款',
  }),
  ...codes('UNMAPPED', { UNMAPPED: '待归类' }),
};
export type FeeCode = keyof typeof FEE_CODES;

/** Chinese name of a fee code; a code that this version does not know is shown as it is. */
export function feeTitle(code: string): string {
  return (FEE_CODES as Record<string, FeeCodeDef>)[code]?.title ?? code;
}

/** Section of a fee code; UNMAPPED for one that this version does not know. */
export function sectionOf(code: string): PlSection {
  return (FEE_CODES as Record<string, FeeCodeDef>)[code]?.section ?? 'UNMAPPED';
}
