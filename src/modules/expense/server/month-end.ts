import { sql } from 'kysely';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { VIEW } from '../contract/document.ts';

const LIST = { path: '/finance/expense', title: '费用管理' };

/** Expenses of a month that nobody has agreed to yet. */
export const expenseMonthEnd: MonthEndLedger = {
  title: '费用单',
  sort: 20,
  permission: VIEW,
  screen: LIST,
  async read(ctx, month) {
    const { rows } = await sql<{ waiting: number; drafts: number; returned: number }>`
      SELECT count(*) FILTER (WHERE state = 'submitted')::int AS waiting,
             count(*) FILTER (WHERE state = 'draft')::int AS drafts,
             count(*) FILTER (WHERE state = 'returned')::int AS returned
        FROM expense.document
       WHERE company_id = ${ctx.companyId} AND state IN ('draft', 'returned', 'submitted')
         AND spent_on >= ${`${month}-01`}::date AND spent_on < (${`${month}-01`}::date + interval '1 month')`.execute(
      ctx.db,
    );
    const { waiting = 0, drafts = 0, returned = 0 } = rows[0] ?? {};
    const at = (state: string) => ({ ...LIST, query: { 'f.state': state } });
    return {
      state: 'NONE',
      checks: [
        noneLeft('费用单已全部审核', waiting, { detail: `${waiting} 张费用单待审核`, to: at('submitted') }),
        noneLeft('没有被退回的费用单', returned, { detail: `${returned} 张费用单被退回`, to: at('returned') }),
        noneLeft('费用单已全部提交', drafts, { detail: `${drafts} 张费用单未提交`, to: at('draft') }),
      ],
    };
  },
};
