import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { formatInteger, formatMoney, moneyParts } from '#kit/contract/format.ts';
import type { DueDay } from '../contract/due.ts';
import { dayAfter, mondayOf } from './plan.ts';

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];

interface Props {
  days: readonly DueDay[];
  today: string;
  onOpen: (day: string) => void;
}

const WAN = 10_000;

/** As much as fits on a day of the calendar, e.g. ¥8,200 or ¥2.7万; pointing at it says it to the cent. */
function shortMoney(amount: string, currency: string): string {
  const size = Number(amount);
  const text = size < WAN ? formatInteger(Math.round(size)) : `${(size / WAN).toFixed(1)}万`;
  return `${moneyParts(amount, currency).symbol}${text}`;
}

/** yyyy-MM, so many months later. */
function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** Six weeks from the Monday on or before the first of the month. */
function pageOf(month: string): string[] {
  const first = mondayOf(`${month}-01`);
  return Array.from({ length: 42 }, (_, at) => dayAfter(first, at));
}

/** A month by days with what is due on each, in its currencies; a day opens its debts. */
export function DueCalendar({ days, today, onOpen }: Props) {
  const [month, setMonth] = useState(today.slice(0, 7));
  const byDay = Map.groupBy(days, ({ day }) => day);
  return (
    <div className="due-calendar">
      <div className="due-calendar-head">
        <Button
          size="small"
          icon={<LeftOutlined />}
          aria-label="上个月"
          onClick={() => setMonth(monthAfter(month, -1))}
        />
        <b className="num">{month}</b>
        <Button
          size="small"
          icon={<RightOutlined />}
          aria-label="下个月"
          onClick={() => setMonth(monthAfter(month, 1))}
        />
        {month !== today.slice(0, 7) && (
          <Button size="small" type="link" onClick={() => setMonth(today.slice(0, 7))}>
            本月
          </Button>
        )}
      </div>
      <div className="due-calendar-grid">
        {WEEKDAYS.map((name) => (
          <span key={name} className="due-calendar-week">
            {name}
          </span>
        ))}
        {pageOf(month).map((day) => {
          const due = byDay.get(day) ?? [];
          const look = `${day.startsWith(month) ? '' : ' is-out'}${day === today ? ' is-today' : ''}${day < today && due.length > 0 ? ' is-late' : ''}`;
          return (
            <button
              key={day}
              type="button"
              className={`due-day${look}`}
              disabled={due.length === 0}
              aria-label={`${day} ${due.map(({ count, currency }) => `${currency} ${count} 笔`).join('，') || '无到期'}`}
              onClick={() => onOpen(day)}
            >
              <span className="num">{Number(day.slice(8))}</span>
              {due.map(({ currency, open }) => (
                <span key={currency} className="due-day-sum num" title={formatMoney(open, currency)}>
                  {shortMoney(open, currency)}
                </span>
              ))}
            </button>
          );
        })}
      </div>
    </div>
  );
}
