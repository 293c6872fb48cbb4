import { formatMoney, formatShortMoney } from '#kit/contract/format.ts';
import { MonthCalendar } from '#kit/web/calendar/MonthCalendar.tsx';
import type { CashDay } from '../contract/forecast.ts';

interface Props {
  days: readonly CashDay[];
  today: string;
  chosen: string;
  onOpen: (day: string) => void;
}

const says = ({ items, below }: CashDay) =>
  `${items === 0 ? '无收付' : `${items} 笔收付`}${below ? '，低于安全余额' : ''}`;

/** A month with what comes in, goes out and is left at the end of each day; CNY. Days that end below the floor stand out. */
export function CashCalendar({ days, today, chosen, onOpen }: Props) {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const amount = (value: string, look: string, sign: string, what: string) =>
    value !== '0' && (
      <span className={`cash-day-sum num ${look}`} title={`${what} ${formatMoney(value, 'CNY')}`}>
        {sign}
        {formatShortMoney(value, 'CNY')}
      </span>
    );
  return (
    <MonthCalendar
      today={today}
      nothing="不在预测范围"
      chosen={chosen}
      onOpen={onOpen}
      dayOf={(day) => {
        const found = byDay.get(day);
        if (!found) return undefined;
        return {
          label: says(found),
          late: found.below,
          content: (
            <>
              {amount(found.inflow, 'success', '+', '流入')}
              {amount(found.outflow, '', '−', '流出')}
              <span className="cash-day-balance num" title={`余额 ${formatMoney(found.balance, 'CNY')}`}>
                {formatShortMoney(found.balance, 'CNY')}
              </span>
            </>
          ),
        };
      }}
    />
  );
}
