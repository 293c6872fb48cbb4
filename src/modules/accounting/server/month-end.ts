import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { VIEW } from '../contract/fields.ts';
import { checksOf, periodsOf } from './periods.ts';
import { missing } from './rules/make.ts';

const VOUCHERS = { path: '/fin/voucher/list', title: '凭证' };

/** The general ledger: what its own closing asks for, and what has no voucher yet. */
export const booksMonthEnd: MonthEndLedger = {
  title: '总账',
  sort: 70,
  permission: VIEW,
  screen: { path: '/fin/periods', title: '结账' },
  async read(ctx, month) {
    const period = (await periodsOf(ctx)).find((one) => one.month === month);
    if (!period) return { state: 'NONE', checks: [] };
    const lacking = await missing(ctx, month);
    const own = await checksOf(ctx, month);
    return {
      state: period.state,
      checks: [
        noneLeft('业务已生成凭证', lacking.length, {
          detail: `还没有凭证或有变动：${lacking.map(({ title, count }) => `${title} ${count} 张`).join('、')}`,
          to: { ...VOUCHERS, query: {} },
        }),
        ...own.map(({ title, ok, detail }) => noneLeft(title, ok ? 0 : 1, { tone: 'block', detail })),
      ],
    };
  },
};
