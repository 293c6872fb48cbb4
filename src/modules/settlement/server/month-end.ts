import { sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { settlementsOf } from './list.ts';

const LIST = { path: '/amazon/payment/record', title: '结算记录' };

/** Settlements that ended in a month: those with amounts that have no fee code, and those that are not paid out yet. */
export const settlementMonthEnd: MonthEndLedger = {
  title: '结算',
  sort: 10,
  permission: 'fin:settlement:view',
  screen: LIST,
  async read(ctx, month) {
    const ended = { dateType: 'end', date: { from: `${month}-01`, to: lastDayOf(month) } } as const;
    const count = async (filter: Parameters<typeof settlementsOf>[1]) => {
      const found = await settlementsOf(ctx, { ...ended, ...filter })
        .select(sql<number>`count(*)::int`.as('n'))
        .executeTakeFirst();
      return found?.n ?? 0;
    };
    const unmapped = await count({ recon: 'unmapped' });
    const pending = await count({ transfer: 'pending' });
    const at = (query: Record<string, string>) => ({
      ...LIST,
      query: { 'f.dateType': 'end', 'f.date': `${ended.date.from}~${ended.date.to}`, ...query },
    });
    return {
      state: 'NONE',
      checks: [
        noneLeft('结算费用已全部归类', unmapped, {
          detail: `${unmapped} 个账期有待归类费用`,
          to: at({ 'f.recon': 'unmapped' }),
        }),
        noneLeft('结算款已转账', pending, {
          detail: `${pending} 个账期尚未转账`,
          to: at({ 'f.transfer': 'pending' }),
        }),
      ],
    };
  },
};
