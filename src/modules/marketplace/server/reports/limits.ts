/** What binds a report that somebody asks for by hand. */
export interface ReportRule {
  /** Longest period, days; null: it shows the present and knows no period. */
  maxDays: number | null;
  /** Minutes between two requests of one account. */
  intervalMin: number;
  /** One report per site. */
  perSite: boolean;
  /** Weeks from Sunday to Saturday alone. */
  weekly?: boolean;
}

const NEAR_REAL_TIME = 30;
const DAILY = 4 * 60;
const PRESENT: ReportRule = { maxDays: null, intervalMin: NEAR_REAL_TIME, perSite: true };
const ORDINARY: ReportRule = { maxDays: 30, intervalMin: NEAR_REAL_TIME, perSite: false };

const DAYS = (maxDays: number, intervalMin = DAILY): ReportRule => ({ maxDays, intervalMin, perSite: true });
const ONE_MONTH = DAYS(31);

/** As Amazon documents them: near-real-time stock every 30 minutes, daily figures every four hours, others 30 minutes. */
const RULES: Readonly<Record<string, ReportRule>> = {
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: PRESENT,
  GET_MERCHANT_LISTINGS_ALL_DATA: PRESENT,
  GET_MERCHANT_LISTINGS_DATA: PRESENT,
  GET_MERCHANT_LISTINGS_INACTIVE_DATA: PRESENT,
  GET_LEDGER_DETAIL_VIEW_DATA: DAYS(60),
  GET_LEDGER_SUMMARY_VIEW_DATA: DAYS(60),
  GET_FBA_FULFILLMENT_CUSTOMER_RETURNS_DATA: DAYS(120),
  GET_FBA_REIMBURSEMENTS_DATA: DAYS(120),
  GET_FBA_FULFILLMENT_REMOVAL_ORDER_DETAIL_DATA: DAYS(120),
  GET_FBA_FULFILLMENT_REMOVAL_SHIPMENT_DETAIL_DATA: DAYS(120),
  GET_RESERVED_INVENTORY_DATA: PRESENT,
  GET_FBA_INVENTORY_PLANNING_DATA: { ...PRESENT, intervalMin: DAILY },
  GET_FBA_STORAGE_FEE_CHARGES_DATA: ONE_MONTH,
  GET_FBA_FULFILLMENT_LONGTERM_STORAGE_FEE_CHARGES_DATA: ONE_MONTH,
  GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: { ...PRESENT, intervalMin: DAILY },
  GET_STRANDED_INVENTORY_UI_DATA: { ...PRESENT, intervalMin: DAILY },
  GET_AFN_INVENTORY_DATA_BY_COUNTRY: { ...PRESENT, perSite: false },
  GET_FBA_RECOMMENDED_REMOVAL_DATA: { ...PRESENT, intervalMin: DAILY },
  GET_FBA_OVERAGE_FEE_CHARGES_DATA: ONE_MONTH,
  GET_FLAT_FILE_RETURNS_DATA_BY_RETURN_DATE: DAYS(60, NEAR_REAL_TIME),
  GET_SALES_AND_TRAFFIC_REPORT: DAYS(1, NEAR_REAL_TIME),
  GET_SELLER_FEEDBACK_DATA: DAYS(90),
  GET_VAT_TRANSACTION_DATA: { ...ONE_MONTH, perSite: false },
  GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT: { ...DAYS(30), perSite: false },
  GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT: { ...DAYS(7), weekly: true },
  GET_COUPON_PERFORMANCE_REPORT: DAYS(366, NEAR_REAL_TIME),
  GET_PROMOTION_PERFORMANCE_REPORT: DAYS(366, NEAR_REAL_TIME),
  GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT: { ...DAYS(7), weekly: true },
  GET_V2_SELLER_PERFORMANCE_REPORT: { maxDays: null, intervalMin: DAILY, perSite: false },
};

/**
 * Of their times Amazon reads the dates alone, as days of the marketplace, both included; weeks must begin on a Sunday and
 * end on a Saturday (Amazon's reference of analytics reports, and what sellers report of it).
 */
const BY_DATE: ReadonlySet<string> = new Set([
  'GET_SALES_AND_TRAFFIC_REPORT',
  'GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT',
  'GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT',
]);

/** Whether a type is asked for by first and last day instead of by two instants. */
export const isByDate = (reportType: string): boolean => BY_DATE.has(reportType);

/** Reports of the present that Amazon makes of a period that must reach so many hours back, at least. */
const LOOK_BACK_HOURS: Readonly<Record<string, number>> = { GET_FBA_ESTIMATED_FBA_FEES_TXT_DATA: 72 };

/** Hours that a type's period must cover at least; 0 for one that shows the present and needs none. */
export const lookBackOf = (reportType: string): number => LOOK_BACK_HOURS[reportType] ?? 0;

/** The rule of a report type. */
export function ruleOf(reportType: string): ReportRule {
  return RULES[reportType] ?? ORDINARY;
}

/** Options without which Amazon would make the report differently: balances by month and by warehouse, for one. */
const OPTIONS: Readonly<Record<string, Record<string, string>>> = {
  GET_LEDGER_SUMMARY_VIEW_DATA: { aggregateByLocation: 'COUNTRY', aggregatedByTimePeriod: 'DAILY' },
  GET_SALES_AND_TRAFFIC_REPORT: { dateGranularity: 'DAY', asinGranularity: 'SKU' },
  GET_BRAND_ANALYTICS_SEARCH_TERMS_REPORT: { reportPeriod: 'WEEK' },
  GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT: { reportPeriod: 'WEEK' },
};

/** The option that carries what a report is about, for types that must name it. */
const SUBJECTS: Readonly<Record<string, string>> = { GET_BRAND_ANALYTICS_SEARCH_QUERY_PERFORMANCE_REPORT: 'asin' };

/** Reports of what began in a period: it is asked for by two options, and the report's own times count for nothing. */
const BY_START: Readonly<Record<string, readonly [from: string, to: string]>> = {
  GET_COUPON_PERFORMANCE_REPORT: ['couponStartDateFrom', 'couponStartDateTo'],
  GET_PROMOTION_PERFORMANCE_REPORT: ['promotionStartDateFrom', 'promotionStartDateTo'],
};

const VAT_INVOICES = 'GET_FLAT_FILE_VAT_INVOICE_DATA_REPORT';

/** Of the present: what waits for an invoice, of the orders of ninety days; of a period: all shipments of its orders. */
function vatInvoiceOptions(period?: { dataStartTime: string; dataEndTime: string }): Record<string, string> {
  const isPresent = !period || period.dataStartTime === period.dataEndTime;
  return isPresent ? { pendingInvoices: 'true' } : { all: 'true' };
}

/**
 * The part of a createReport body that carries a type's options; empty for a type without.
 * @param period ISO instants that the report is asked for
 * @param subject what it must name, e.g. its products; empty for a type that names nothing
 */
export function optionsOf(
  reportType: string,
  period?: { dataStartTime: string; dataEndTime: string },
  subject = '',
): { reportOptions?: Record<string, string> } {
  if (reportType === VAT_INVOICES) return { reportOptions: vatInvoiceOptions(period) };
  const starts = BY_START[reportType];
  if (starts && period) {
    const [from, to] = starts;
    return { reportOptions: { [from]: period.dataStartTime, [to]: period.dataEndTime } };
  }
  const name = SUBJECTS[reportType];
  const named = name !== undefined && subject !== '' ? { [name]: subject } : undefined;
  const options = OPTIONS[reportType];
  return options || named ? { reportOptions: { ...options, ...named } } : {};
}
