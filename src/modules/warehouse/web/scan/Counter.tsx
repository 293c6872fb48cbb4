import { MinusOutlined, PlusOutlined } from '@ant-design/icons';

interface Props {
  /** Said to screen readers: whose number it is. */
  label: string;
  value: number;
  /** Shown behind the value, e.g. 「/ 180」. */
  of?: number | null | undefined;
  max: number;
  onChange: (value: number) => void;
}

/** A number to be set with the thumb. */
export function Counter({ label, value, of, max, onChange }: Props) {
  const put = (next: number) => onChange(Math.max(0, Math.min(max, next)));
  return (
    <div className="scan-counter">
      <button type="button" aria-label="减一" disabled={value <= 0} onClick={() => put(value - 1)}>
        <MinusOutlined />
      </button>
      <label>
        <input
          type="number"
          inputMode="numeric"
          aria-label={label}
          min={0}
          value={value}
          onFocus={(event) => event.target.select()}
          onChange={(event) => put(Math.trunc(event.target.valueAsNumber) || 0)}
        />
        {of !== null && of !== undefined && <span>/ {of}</span>}
      </label>
      <button type="button" aria-label="加一" disabled={value >= max} onClick={() => put(value + 1)}>
        <PlusOutlined />
      </button>
    </div>
  );
}
