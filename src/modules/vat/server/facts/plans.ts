import type { Ctx } from '#kit/server/context.ts';
import { type AccountRef, type ReportPlan, vatInvoiceData } from '#modules/marketplace/server/index.ts';

/** Marketplaces of an account that documents are issued for: the report needs a role that other sellers do not give. */
async function issuedSites(ctx: Ctx, account: AccountRef): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('vat.site')
    .select('marketplace_id')
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account.id)
    .execute();
  return rows.map((row) => row.marketplace_id);
}

const common = {
  reportType: vatInvoiceData.type,
  inBackground: true,
  per: 'account',
  countries: ['DE', 'UK', 'FR', 'IT', 'ES', 'NL', 'PL', 'SE', 'BE', 'IE'],
  sites: issuedSites,
} as const;

/** Codes of the plans. */
export const PENDING_PLAN = 'vat.pending';
export const ALL_PLAN = 'vat.all';

/**
 * What waits, of the orders of ninety days, every four hours: an invoice is due within a day of the shipment. And all of the
 * last thirty days twice a day, as what was accepted is not among the former.
 */
export const vatPlans: ReportPlan[] = [
  {
    ...common,
    code: PENDING_PLAN,
    title: '待开VAT发票',
    how: 'snapshot',
    windowDays: 1,
    historyDays: 0,
    priority: 58,
    cadenceSec: 4 * 3600,
    sloMin: 12 * 60,
  },
  {
    ...common,
    code: ALL_PLAN,
    title: 'VAT发票结果',
    how: 'window',
    windowDays: 29,
    historyDays: 29,
    overlapDays: 29,
    priority: 59,
    cadenceSec: 12 * 3600,
    sloMin: 26 * 60,
  },
];
