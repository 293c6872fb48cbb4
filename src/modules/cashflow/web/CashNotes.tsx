import { formatMoney } from '#kit/contract/format.ts';
import { Banner } from '#kit/web/states/index.ts';
import type { Forecast } from './figures.tsx';

/** What the figures leave out, and what is overdue in them; nothing where that is nothing. */
export function CashNotes({ forecast: { currencies, undated, hidden, overdue } }: { forecast: Forecast }) {
  const cny = (amount: string) => formatMoney(amount, 'CNY');
  const unrated = currencies.filter(({ from }) => from === 'none');
  const notes = [
    ...unrated.map(
      ({ currency, opening, inflow, outflow }) =>
        `缺少 ${currency} 今日汇率，未折算计入：余额 ${formatMoney(opening, currency)}，流入 ${formatMoney(inflow, currency)}，流出 ${formatMoney(outflow, currency)}`,
    ),
    ...(overdue.count === 0
      ? []
      : [`${overdue.count} 笔逾期未收付，按今天计入：流入 ${cny(overdue.inflow)}，流出 ${cny(overdue.outflow)}`]),
    ...(undated.count === 0
      ? []
      : [`${undated.count} 笔未定到期日，未计入：流入 ${cny(undated.inflow)}，流出 ${cny(undated.outflow)}`]),
    ...(hidden.length === 0 ? [] : [`无权限查看，未计入：${hidden.join('、')}`]),
  ];
  return notes.length === 0 ? null : (
    <div className="cash-notes">
      {notes.map((note) => (
        <Banner key={note}>{note}</Banner>
      ))}
    </div>
  );
}
