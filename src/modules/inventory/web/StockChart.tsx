import { useMemo } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import type { TimelineDay } from '../contract.ts';
import { layOut, PARTS } from './stock-bars.ts';
import './stock-chart.css';

const BOX = { width: 700, height: 220, left: 44, top: 10, bottom: 22 };
const PLOT = { width: BOX.width - BOX.left, height: BOX.height - BOX.top - BOX.bottom };

/** Days that get a label: the first, the last and a few between. */
function labelled(count: number): ReadonlySet<number> {
  const parts = Math.min(4, count - 1);
  return new Set(
    Array.from({ length: parts + 1 }, (_, index) => Math.round((index * (count - 1)) / Math.max(1, parts))),
  );
}

/** The stock of one SKU by day of its marketplace. The figures stand in the table below it. */
export function StockChart({ days }: { days: readonly TimelineDay[] }) {
  const plot = useMemo(() => layOut(days, PLOT.width, PLOT.height), [days]);
  const labels = labelled(days.length);
  return (
    <div className="stock-chart">
      <svg viewBox={`0 0 ${BOX.width} ${BOX.height}`} role="img" aria-label="每日库存走势，数据见下表">
        {[0, 0.5, 1].map((part) => {
          const y = BOX.top + PLOT.height * (1 - part);
          return (
            <g key={part}>
              <line className="stock-grid" x1={BOX.left} x2={BOX.width} y1={y} y2={y} />
              <text x={BOX.left - 8} y={y + 4} textAnchor="end">
                {formatInteger(plot.top * part)}
              </text>
            </g>
          );
        })}
        <g transform={`translate(${BOX.left} ${BOX.top})`}>
          {plot.days.map((day, index) => (
            <g key={day.day}>
              {day.bars ? (
                day.bars.map((bar) => (
                  <rect
                    key={bar.key}
                    x={day.x + 1}
                    width={Math.max(1, day.width - 2)}
                    y={bar.y}
                    height={bar.height}
                    fill={bar.color}
                  />
                ))
              ) : (
                <rect className="stock-unread" x={day.x} width={day.width} y={0} height={PLOT.height} />
              )}
              {labels.has(index) && (
                <text
                  x={day.x + day.width / 2}
                  y={PLOT.height + 17}
                  textAnchor={index === 0 ? 'start' : index === days.length - 1 ? 'end' : 'middle'}
                >
                  {day.day.slice(5)}
                </text>
              )}
              <rect className="stock-day" x={day.x} width={day.width} y={0} height={PLOT.height}>
                <title>{day.text}</title>
              </rect>
            </g>
          ))}
        </g>
      </svg>
      <div className="stock-legend">
        {PARTS.map(({ key, title, color }) => (
          <span key={key}>
            <i style={{ background: color }} />
            {title}
          </span>
        ))}
        <span className="text3">灰色：当日无库存快照</span>
      </div>
    </div>
  );
}
