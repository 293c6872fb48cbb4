interface Props {
  values: readonly number[];
  width?: number;
  height?: number;
  /** Amber: over a limit. */
  warn?: boolean;
  label?: string;
}

const EDGE = 3;

/** Small line without axes, with its last point marked. */
export function Sparkline({ values, width = 88, height = 26, warn = false, label }: Props) {
  if (values.length < 2) return null;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const points = values.map((value, index) => ({
    x: EDGE + (index / (values.length - 1)) * (width - 2 * EDGE),
    y: height - EDGE - ((value - low) / span) * (height - 2 * EDGE),
  }));
  const line = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const last = points.at(-1);
  return (
    <svg
      className={`sparkline${warn ? ' is-warn' : ''}`}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label ?? `走势：${values.join('、')}`}
    >
      <polygon points={`${EDGE},${height} ${line} ${width - EDGE},${height}`} />
      <polyline points={line} />
      {last && <circle cx={last.x} cy={last.y} r="2" />}
    </svg>
  );
}
