import type { z } from 'zod';
import type { Figure } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import type { CashFilter, readForecast } from '../contract/forecast.ts';

export type Forecast = z.output<typeof readForecast.reply>;

/** The key figures of a forecast; those that are made of items open them. */
export function figuresOf(forecast: Forecast, open: (filter: CashFilter) => void): Figure[] {
  const { opening, inflow, outflow, closing, lowest, gaps, today, until } = forecast;
  const money = (amount: string) => <Money amount={amount} currency="CNY" />;
  return [
    { key: 'opening', label: '期初余额', value: money(opening), hint: `资金账户 ${today}` },
    { key: 'in', label: '预计流入', value: money(inflow), hint: '到期末', onOpen: () => open({ direction: 'IN' }) },
    { key: 'out', label: '预计流出', value: money(outflow), hint: '到期末', onOpen: () => open({ direction: 'OUT' }) },
    { key: 'closing', label: '期末余额', value: money(closing), hint: until },
    { key: 'lowest', label: '最低余额', value: money(lowest.balance), hint: lowest.day },
    {
      key: 'gap',
      label: '缺口日',
      value:
        gaps.first === null ? <span className="success">无</span> : <span className="danger num">{gaps.first}</span>,
      hint: gaps.first === null ? '都不低于安全余额' : `${gaps.count} 天低于安全余额`,
    },
  ];
}
