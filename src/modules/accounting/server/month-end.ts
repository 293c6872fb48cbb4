import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { VIEW } from '../contract/fields.ts';
import { checksOf, periodsOf } from './periods.ts';
import { missingSettlements } from './settled/make.ts';

const VOUCHERS = { path: '/fin/voucher/list', title: '凭证' };

/** The general ledger: what its own closing asks for, and settlements that have no voucher. */
export const booksMonthEnd: MonthEndLedger = {
  title: '总账',
  sort: 70,
  permission: VIEW,
  screen: { path: '/fin/periods', title: '结账' },
  async read(ctx, month) {
    const period = (await periodsOf(ctx)).find((one) => one.month === month);
    if (!period) return { state: 'NONE', checks: [] };
    const lacking = await missingSettlements(ctx, month);
    const own = await checksOf(ctx, month);
    return {
      state: period.state,
      checks: [
        noneLeft('结算已生成凭证', lacking, { detail: `${lacking} 个账期还没有凭证`, to: { ...VOUCHERS, query: {} } }),
        ...own.map(({ title, ok, detail }) => noneLeft(title, ok ? 0 : 1, { tone: 'block', detail })),
      ],
    };
  },
};
