import type { ECharts, EChartsCoreOption } from 'echarts/core';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { init } from './echarts.ts';

/** The numbers of a chart for those who cannot see it. */
export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

interface Props {
  option: EChartsCoreOption;
  /** What the chart shows, in a sentence. */
  label: string;
  table: ChartTable;
  /** Fills its box where left out. */
  height?: number | undefined;
  /** The mark that was clicked, by its place on the category axis. */
  onPick?: ((index: number) => void) | undefined;
}

function Fallback({ label, table }: Pick<Props, 'label' | 'table'>) {
  // In a box of its own: a table is as high as its rows whatever it is told, and would be scrolled to where nothing is seen.
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            {table.head.map((cell) => (
              <th key={cell}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, index) => (
                <td key={table.head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A chart in its box: drawn, resized and taken down with it, the same numbers as a table beside it. */
export function Chart({ option, label, table, height, onPick }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ECharts | null>(null);
  const latest = useRef(option);
  latest.current = option;
  const pick = useRef(onPick);
  pick.current = onPick;

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const draw = () => {
      const made = init(element, null, { renderer: 'svg' });
      made.setOption(latest.current);
      made.on('click', (event) => {
        if (typeof event.dataIndex === 'number') pick.current?.(event.dataIndex);
      });
      return made;
    };
    // The observer speaks first when the box has its size; a box without one (a tab at the back) is not drawn into.
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0 || element.clientHeight === 0) return;
      if (chart.current) chart.current.resize();
      else chart.current = draw();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.current?.dispose();
      chart.current = null;
    };
  }, []);

  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);

  return (
    <figure className="chart" style={height === undefined ? undefined : { height }}>
      <div ref={box} className={`chart-box${onPick ? ' is-open' : ''}`} role="img" aria-label={label} />
      <Fallback label={label} table={table} />
    </figure>
  );
}
