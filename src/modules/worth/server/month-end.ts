import { Decimal } from '#kit/contract/decimal.ts';
import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import { type MonthEndLedger, noneLeft } from '#kit/server/month-end.ts';
import { VIEW } from '../contract/fields.ts';
import { monthRows } from './months.ts';

const SCREEN = { path: '/amazon/inventory/worth', title: '库存货值' };

/** What all stock was worth on the last day of a month: frozen or not, without a price, and moved since. */
export const worthMonthEnd: MonthEndLedger = {
  title: '库存货值',
  sort: 45,
  permission: VIEW,
  screen: SCREEN,
  async read(ctx, month) {
    const row = (await monthRows(ctx)).find((one) => one.month === month);
    if (!row) {
      const detail = '还没有月末最后一天的货值';
      return { state: 'OPEN', checks: [noneLeft('月末货值已生成', 1, { tone: 'block', detail })] };
    }
    const isMoved = row.late !== null && !new Decimal(row.late).isZero();
    return {
      state: row.state === 'FROZEN' ? 'CLOSED' : 'OPEN',
      checks: [
        noneLeft('月末库存已全部核价', row.uncosted, {
          detail: `${formatInteger(row.uncosted)} 件月末库存未核价`,
          to: { ...SCREEN, query: {} },
        }),
        noneLeft('冻结后没有变动', isMoved ? 1 : 0, {
          detail: `冻结后库存账变动 ${formatMoney(row.late ?? '0', 'CNY')}`,
          to: { ...SCREEN, query: {} },
        }),
      ],
    };
  },
};
