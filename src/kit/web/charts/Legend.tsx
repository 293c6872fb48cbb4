import { useTheme } from '../theme/preference.ts';
import { chartStyle, seriesColor } from './style.ts';

export interface LegendItem {
  name: string;
  /** Dashed: the period before. Dotted: a day that is not over. */
  line?: 'dashed' | 'dotted';
  /** Its line is hidden. Only entries that say so can be switched. */
  off?: boolean;
}

interface Props {
  items: readonly LegendItem[];
  /** Hides or shows a line. */
  onToggle?: (name: string) => void;
}

/** Legend for the head of a card; the order gives the colours. */
export function Legend({ items, onToggle }: Props) {
  const style = chartStyle(useTheme());
  const colors = items.filter((item) => item.line === undefined);
  return (
    <ul className="legend">
      {items.map((item) => {
        const color =
          item.line === 'dashed' ? style.palette.text3 : seriesColor(style, item.line ? 0 : colors.indexOf(item));
        const word = (
          <>
            <i className={item.line ? `is-${item.line}` : ''} style={{ color }} aria-hidden="true" />
            {item.name}
          </>
        );
        if (!onToggle || item.off === undefined) return <li key={item.name}>{word}</li>;
        return (
          <li key={item.name}>
            <button
              type="button"
              className={`legend-switch${item.off ? ' is-off' : ''}`}
              aria-pressed={!item.off}
              onClick={() => onToggle(item.name)}
            >
              {word}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
