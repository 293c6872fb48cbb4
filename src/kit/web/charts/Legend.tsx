import { useTheme } from '../theme/preference.ts';
import { chartStyle, seriesColor } from './style.ts';

export interface LegendItem {
  name: string;
  /** Dashed: the period before. Dotted: a day that is not over. */
  line?: 'dashed' | 'dotted';
}

/** Legend for the head of a card; the order gives the colours. */
export function Legend({ items }: { items: readonly LegendItem[] }) {
  const style = chartStyle(useTheme());
  const colors = items.filter((item) => item.line === undefined);
  return (
    <ul className="legend">
      {items.map((item) => {
        const color =
          item.line === 'dashed' ? style.palette.text3 : seriesColor(style, item.line ? 0 : colors.indexOf(item));
        return (
          <li key={item.name}>
            <i className={item.line ? `is-${item.line}` : ''} style={{ color }} aria-hidden="true" />
            {item.name}
          </li>
        );
      })}
    </ul>
  );
}
