import { Decimal } from '#kit/contract/decimal.ts';
import { formatMoney, formatPercent } from '#kit/contract/format.ts';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { VIEW } from '../contract/report.ts';
import { ratesToKeep } from './kept-rates.ts';
import { profitMonths } from './period.ts';

const RATES = { path: '/finance/exchangeRate', title: '汇率与关账', query: {} };
const COSTS = { path: '/product/cost', title: '采购成本', query: { 'f.state': 'missing' } };

/** The profit of a month: what is not counted, converted, costed or settled; months before the last year have nothing to say. */
export const profitMonthEnd: MonthEndLedger = {
  title: '利润',
  sort: 60,
  permission: VIEW,
  screen: { path: '/finance/period', title: '利润关账' },
  async read(ctx, month) {
    const row = (await profitMonths(ctx)).find((one) => one.month === month);
    if (!row) return { state: 'NONE', checks: [] };
    const { waiting, missingCosts, unmapped, settledShare } = row;
    const { untold } = row.state === 'OPEN' ? await ratesToKeep(ctx, `${month}-01`) : { untold: [] };
    const isUnmapped = unmapped !== null && !new Decimal(unmapped).isZero();
    const isOpen = settledShare !== null && new Decimal(settledShare).lt(1);
    return {
      state: row.state,
      checks: [
        noneLeft('收支已全部计入', waiting, { tone: 'block', detail: `${waiting} 个店铺日等待计算` }),
        noneLeft('汇率齐全', untold.length, {
          tone: 'block',
          detail: `缺少 ${untold.join('、')} 的本月汇率`,
          to: RATES,
        }),
        noneLeft('采购成本齐全', missingCosts, { detail: `${missingCosts} 个 SKU 缺少采购成本`, to: COSTS }),
        noneLeft('费用已全部归类', isUnmapped ? 1 : 0, { detail: `待归类费用 ${formatMoney(unmapped ?? '0', 'CNY')}` }),
        noneLeft('收支已全部结算', isOpen ? 1 : 0, {
          detail: `已结算 ${formatPercent(settledShare, 0)}，其余为预估`,
        }),
      ],
    };
  },
};
