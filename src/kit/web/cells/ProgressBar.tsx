interface Props {
  /** 0 to 100; more is shown as full. */
  percent: number;
  /** Without the figure beside it. */
  bare?: boolean;
  /** What advances, for assistive technology. */
  label?: string;
}

/** 4 px bar and whole percent; green when complete. */
export function ProgressBar({ percent, bare = false, label = '进度' }: Props) {
  const width = Math.min(100, Math.max(0, percent));
  return (
    <span className={`progress${width >= 100 ? ' is-done' : ''}`}>
      <span
        className="progress-track"
        role="progressbar"
        aria-label={label}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${width}%` }} />
      </span>
      {!bare && <span className="num">{Math.round(percent)}%</span>}
    </span>
  );
}
