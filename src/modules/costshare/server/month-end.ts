import { sql } from 'kysely';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { VIEW } from '../contract/document.ts';

const LIST = { path: '/finance/costSharing', title: '费用分摊' };

/** Costs of one's own that touch a month and are not posted. */
export const costMonthEnd: MonthEndLedger = {
  title: '费用分摊',
  sort: 30,
  permission: VIEW,
  screen: LIST,
  async read(ctx, month) {
    const { rows } = await sql<{ drafts: number }>`
      SELECT count(*)::int AS drafts FROM costshare.document
       WHERE company_id = ${ctx.companyId} AND state = 'draft' AND date_from < (${`${month}-01`}::date + interval '1 month')
         AND date_to >= ${`${month}-01`}::date`.execute(ctx.db);
    const drafts = rows[0]?.drafts ?? 0;
    const to = { ...LIST, query: { 'f.state': 'draft' } };
    return { state: 'NONE', checks: [noneLeft('费用已全部入账', drafts, { detail: `${drafts} 张草稿未入账`, to })] };
  },
};
