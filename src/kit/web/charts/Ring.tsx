import { type ReactNode, useMemo } from 'react';
import { Decimal, ratio, sum } from '../../contract/decimal.ts';
import { formatPercent } from '../../contract/format.ts';
import { useTheme } from '../theme/preference.ts';
import { Chart } from './Chart.tsx';
import { exactFormat, type Measure } from './format.ts';
import { base, chartStyle, MAX_SERIES, seriesColor, tooltip } from './style.ts';
import { tipElement } from './tip.ts';

export interface RingPart {
  name: string;
  /** Decimal text, not negative. */
  value: string;
  /** Instead of the name in the list, e.g. a country badge. */
  title?: ReactNode;
  trend?: ReactNode;
}

interface Props {
  parts: readonly RingPart[];
  label: string;
  measure?: Measure;
  /** Under the total in the middle: 「件」. */
  unit?: string;
  /** Exact total; the sum of the parts where left out. */
  total?: string;
  onPick?: (name: string) => void;
}

const INTEGER: Measure = { kind: 'integer' };
/** So many letters stand inside the ring at full size. */
const ROOM = 8;

/** Largest first; from the seventh on they are one grey part. */
export function rankedParts(parts: readonly RingPart[]): RingPart[] {
  const ranked = [...parts].sort((a, b) => new Decimal(b.value).comparedTo(a.value));
  if (ranked.length <= MAX_SERIES) return ranked;
  const rest = ranked.slice(MAX_SERIES - 1);
  return [
    ...ranked.slice(0, MAX_SERIES - 1),
    { name: `其他 ${rest.length} 项`, value: sum(rest.map((part) => part.value)) },
  ];
}

/** A whole in its parts: a ring with the total in the middle, and the ranked list that says the figures. */
export function Ring({ parts, label, measure = INTEGER, unit, total, onPick }: Props) {
  const theme = useTheme();
  const ranked = useMemo(() => rankedParts(parts), [parts]);
  const whole = total ?? sum(parts.map((part) => part.value));
  const style = chartStyle(theme);
  const wholeText = exactFormat(measure, whole);
  const folded = ranked.length < parts.length;
  const colorOf = (index: number) =>
    folded && index === ranked.length - 1 ? style.palette.borderStrong : seriesColor(style, index);
  const shareOf = (part: RingPart) => formatPercent(ratio(part.value, whole));
  const option = {
    ...base(style),
    tooltip: {
      ...tooltip(style),
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const part = ranked[dataIndex];
        if (!part) return '';
        return tipElement(part.name, [
          { color: colorOf(dataIndex), name: label, value: exactFormat(measure, part.value) },
          { name: '占比', value: shareOf(part) },
        ]);
      },
    },
    series: [
      {
        type: 'pie',
        radius: ['68%', '98%'],
        label: { show: false },
        itemStyle: { borderColor: style.palette.card, borderWidth: 2 },
        emphasis: { scale: false },
        data: ranked.map((part, index) => ({
          name: part.name,
          value: Number(part.value),
          itemStyle: { color: colorOf(index) },
        })),
      },
    ],
  };
  const table = {
    head: ['名称', label, '占比'],
    rows: ranked.map((part) => [part.name, exactFormat(measure, part.value), shareOf(part)]),
  };
  return (
    <div className="ring">
      <div className="ring-chart">
        <Chart
          option={option}
          label={label}
          table={table}
          onPick={onPick ? (index) => onPick(ranked[index]?.name ?? '') : undefined}
        />
        <div className="ring-total">
          <b className={wholeText.length > ROOM ? 'num is-long' : 'num'}>{wholeText}</b>
          {unit && <span className="label">{unit}</span>}
        </div>
      </div>
      <ul className="ring-list" aria-hidden="true">
        {ranked.map((part, index) => (
          <li key={part.name}>
            <i style={{ background: colorOf(index) }} />
            <span className="ellipsis">{part.title ?? part.name}</span>
            <span className="num">{exactFormat(measure, part.value)}</span>
            <span className="num text3">{shareOf(part)}</span>
            {part.trend}
          </li>
        ))}
      </ul>
    </div>
  );
}
