import { formatMoney, formatShortMoney } from '#kit/contract/format.ts';
import { MonthCalendar } from '#kit/web/calendar/MonthCalendar.tsx';
import type { DueDay } from '../contract/due.ts';

interface Props {
  days: readonly DueDay[];
  today: string;
  onOpen: (day: string) => void;
}

/** A month by days with what is due on each, in its currencies; a day opens its debts. */
export function DueCalendar({ days, today, onOpen }: Props) {
  const byDay = Map.groupBy(days, ({ day }) => day);
  return (
    <MonthCalendar
      today={today}
      nothing="无到期"
      onOpen={onOpen}
      dayOf={(day) => {
        const due = byDay.get(day);
        if (!due) return undefined;
        return {
          label: due.map(({ count, currency }) => `${currency} ${count} 笔`).join('，'),
          late: day < today,
          content: due.map(({ currency, open }) => (
            <span key={currency} className="due-day-sum num" title={formatMoney(open, currency)}>
              {formatShortMoney(open, currency)}
            </span>
          )),
        };
      }}
    />
  );
}
