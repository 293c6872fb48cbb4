import './month-calendar.css';
import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { dayAfter, mondayOf } from '../../contract/day.ts';

const WEEKDAYS = ['一', '二', '三', '四', '五', '六', '日'];

/** What a day of the calendar shows. */
export interface CalendarDay {
  /** Said to assistive technology after the day: 「CNY 2 笔」. */
  label: string;
  content: ReactNode;
  /** Past its time: the module's own class colours it. */
  late?: boolean;
}

interface Props {
  /** The company's day, "yyyy-MM-dd"; its month is shown first. */
  today: string;
  /** Undefined where there is nothing to open on a day; `nothing` is what is said of it. */
  dayOf: (day: string) => CalendarDay | undefined;
  nothing: string;
  onOpen: (day: string) => void;
  /** The day that is open beside the calendar. */
  chosen?: string | undefined;
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

/** A month by days, weeks from Monday; a day that has something opens it. */
export function MonthCalendar({ today, dayOf, nothing, onOpen, chosen }: Props) {
  const [month, setMonth] = useState(today.slice(0, 7));
  return (
    <div className="month-calendar">
      <div className="month-calendar-head">
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
      <div className="month-calendar-grid">
        {WEEKDAYS.map((name) => (
          <span key={name} className="month-calendar-weekday">
            {name}
          </span>
        ))}
        {pageOf(month).map((day) => {
          const found = dayOf(day);
          const looks = [
            !day.startsWith(month) && 'is-out',
            day === today && 'is-today',
            found?.late && 'is-late',
            day === chosen && 'is-chosen',
          ];
          return (
            <button
              key={day}
              type="button"
              className={['calendar-day', ...looks.filter((look) => typeof look === 'string')].join(' ')}
              disabled={found === undefined}
              aria-label={`${day} ${found?.label ?? nothing}`}
              onClick={() => onOpen(day)}
            >
              <span className="num">{Number(day.slice(8))}</span>
              {found?.content}
            </button>
          );
        })}
      </div>
    </div>
  );
}
