import { DIMENSIONS, type Dimension } from '../contract/report.ts';

interface Props {
  value: Dimension;
  onChange: (value: Dimension) => void;
}

/** What a row of the report stands for. */
export function DimensionTabs({ value, onChange }: Props) {
  return (
    <div className="status-tabs" role="tablist" aria-label="维度">
      {(Object.entries(DIMENSIONS) as [Dimension, string][]).map(([key, title]) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === value}
          className={`status-tab${key === value ? ' is-on' : ''}`}
          onClick={() => onChange(key)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
