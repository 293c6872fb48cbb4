import { formatInteger, formatPercent, NOT_APPLICABLE } from '../../contract/format.ts';

type Good = 'up' | 'down' | undefined;

const isNegative = (value: string | number): boolean => String(value).startsWith('-');

/** Whole number; zero is grey, so that what is there stands out. */
export function Integer({ value, good }: { value: number | string | null | undefined; good?: Good }) {
  if (value === null || value === undefined) return <span className="text3">{NOT_APPLICABLE}</span>;
  const tone = Number(value) === 0 ? ' is-zero' : isNegative(value) && good === 'up' ? ' is-bad' : '';
  return <span className={`num${tone}`}>{formatInteger(value)}</span>;
}

/** Ratio text "0.2015" as "20.15%". */
export function Percent({ value, good }: { value: string | number | null | undefined; good?: Good }) {
  if (value === null || value === undefined) return <span className="text3">{NOT_APPLICABLE}</span>;
  return <span className={`num${isNegative(value) && good === 'up' ? ' is-bad' : ''}`}>{formatPercent(value)}</span>;
}

interface TrendProps {
  /** Change as a ratio, "0.1236" for +12.36 %; null: no base to compare with. */
  change: string | number | null | undefined;
  /** Whether more is good; without it the trend is grey. */
  good?: Good;
  /** The change of a rate, in percentage points. */
  points?: boolean;
}

/** Triangle and value: the direction says more or less, the colour good or bad. */
export function Trend({ change, good, points = false }: TrendProps) {
  if (change === null || change === undefined) return <span className="trend">新增</span>;
  const value = Number(change);
  if (value === 0) return <span className="trend">持平</span>;
  const direction = value > 0 ? 'up' : 'down';
  const tone = good === undefined ? '' : good === direction ? ' is-good' : ' is-bad';
  const size = formatPercent(String(change).replace('-', ''));
  return (
    <span className={`trend is-${direction}${tone}`}>
      <i aria-hidden="true" />
      <span className="visually-hidden">{value > 0 ? '上升' : '下降'}</span>
      <span className="num">{points ? size.replace('%', ' pp') : size}</span>
    </span>
  );
}
