import { sql } from 'kysely';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { isClosed } from './rates/periods.ts';

const BANK = { path: '/finance/bank', title: '银行流水' };

/** The cash ledger, with whose month the rates are closed: lines of the bank that no entry stands for. */
export const cashMonthEnd: MonthEndLedger = {
  title: '资金与汇率',
  sort: 50,
  permission: 'fin:account:view',
  screen: { path: '/finance/exchangeRate', title: '汇率与关账' },
  async read(ctx, month) {
    const { rows } = await sql<{ unmatched: number }>`
      SELECT count(*)::int AS unmatched FROM finance.bank_line
       WHERE company_id = ${ctx.companyId} AND match_id IS NULL AND NOT ignored AND day >= ${`${month}-01`}::date
         AND day < (${`${month}-01`}::date + interval '1 month')`.execute(ctx.db);
    const unmatched = rows[0]?.unmatched ?? 0;
    return {
      state: (await isClosed(ctx, month)) ? 'CLOSED' : 'OPEN',
      checks: [
        noneLeft('银行流水已全部匹配', unmatched, {
          detail: `${unmatched} 笔银行流水未匹配`,
          to: { ...BANK, query: {} },
        }),
      ],
    };
  },
};
