import dayjs from 'dayjs';
import { stampText } from '#kit/web/cells/time.ts';
import type { MessageRow } from '../contract/messages.ts';
import { lookOf, stepOf } from './looks.tsx';

interface Day {
  title: string;
  rows: MessageRow[];
}

/** 今天, 昨天, 07-16 周四; with the year where it is another one. */
export function dayTitle(instant: string, at: number = Date.now()): string {
  const day = dayjs(instant);
  const now = dayjs(at);
  if (day.isSame(now, 'day')) return '今天';
  if (day.isSame(now.subtract(1, 'day'), 'day')) return '昨天';
  const week = '日一二三四五六'[day.day()] ?? '';
  return `${day.format(day.isSame(now, 'year') ? 'MM-DD' : 'YYYY-MM-DD')} 周${week}`;
}

function byDay(rows: readonly MessageRow[]): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const title = dayTitle(row.createdAt);
    const last = days.at(-1);
    if (last?.title === title) last.rows.push(row);
    else days.push({ title, rows: [row] });
  }
  return days;
}

function Item({ row, onOpen }: { row: MessageRow; onOpen: (row: MessageRow) => void }) {
  const look = lookOf(row);
  const step = stepOf(row);
  return (
    <li>
      <button type="button" className={`message${row.isRead ? '' : ' is-unread'}`} onClick={() => onOpen(row)}>
        <span className={`message-icon is-${look.tone}`} aria-hidden="true">
          {look.icon}
        </span>
        <span className="message-body">
          <span className="message-line">
            <span className="message-title">
              {!row.isRead && <span className="visually-hidden">未读 </span>}
              {row.title}
            </span>
            <time className="num text3" dateTime={row.createdAt} title={stampText(row.createdAt)}>
              {dayjs(row.createdAt).format('HH:mm')}
            </time>
          </span>
          {row.text && <span className="message-text">{row.text}</span>}
          {step && <span className="message-step">{step}</span>}
        </span>
      </button>
    </li>
  );
}

/** Messages under the day on which they came. */
export function MessageList({ rows, onOpen }: { rows: readonly MessageRow[]; onOpen: (row: MessageRow) => void }) {
  return byDay(rows).map((day) => (
    <section key={day.title} aria-label={day.title}>
      <h3 className="message-day">{day.title}</h3>
      <ul>
        {day.rows.map((row) => (
          <Item key={row.id} row={row} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  ));
}

const WIDTHS = ['72%', '58%', '66%', '50%', '70%', '62%'];

/** The shape of a list that is still to come. */
export function MessageSkeleton() {
  return (
    <div className="message-skeleton" aria-busy="true">
      {WIDTHS.map((width) => (
        <div key={width}>
          <i />
          <span>
            <b style={{ width }} />
            <b style={{ width: '88%' }} />
          </span>
        </div>
      ))}
    </div>
  );
}
