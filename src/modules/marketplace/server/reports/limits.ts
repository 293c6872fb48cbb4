/** What binds a report that somebody asks for by hand. */
export interface ReportRule {
  /** Longest period, days; null: it shows the present and knows no period. */
  maxDays: number | null;
  /** Minutes between two requests of one account. */
  intervalMin: number;
  /** One report per site. */
  perSite: boolean;
}

const NEAR_REAL_TIME = 30;
const DAILY = 4 * 60;
const PRESENT: ReportRule = { maxDays: null, intervalMin: NEAR_REAL_TIME, perSite: true };
const ORDINARY: ReportRule = { maxDays: 30, intervalMin: NEAR_REAL_TIME, perSite: false };

/** As Amazon documents them: near-real-time stock every 30 minutes, daily figures every four hours, others 30 minutes. */
const RULES: Readonly<Record<string, ReportRule>> = {
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: PRESENT,
  GET_MERCHANT_LISTINGS_ALL_DATA: PRESENT,
  GET_MERCHANT_LISTINGS_DATA: PRESENT,
  GET_MERCHANT_LISTINGS_INACTIVE_DATA: PRESENT,
  GET_V2_SELLER_PERFORMANCE_REPORT: { maxDays: null, intervalMin: DAILY, perSite: false },
};

/** The rule of a report type. */
export function ruleOf(reportType: string): ReportRule {
  return RULES[reportType] ?? ORDINARY;
}
