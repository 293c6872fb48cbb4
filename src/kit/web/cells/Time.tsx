import { dateText, dueText, stampText, whenText } from './time.ts';

/** An instant as lists say it; the full stamp with its zone on hover. */
export function When({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="text3">—</span>;
  return (
    <time className="num" dateTime={at} title={stampText(at)}>
      {whenText(at)}
    </time>
  );
}

/** A calendar day. */
export function DayText({ day }: { day: string | null | undefined }) {
  if (!day) return <span className="text3">—</span>;
  return (
    <time className="num" dateTime={day} title={day}>
      {dateText(day)}
    </time>
  );
}

const TONES = { late: 'danger', today: 'warning', normal: 'text3' } as const;

/** A day that something is due: date over distance, late in red, today in amber. */
export function DueDay({ day, none = '未承诺' }: { day: string | null | undefined; none?: string }) {
  if (!day) return <span className="text3">{none}</span>;
  const due = dueText(day);
  return (
    <span className="two-lines">
      <span className="num">{dateText(day)}</span>
      <br />
      <span className={TONES[due.tone]}>{due.text}</span>
    </span>
  );
}
